import * as z from 'zod';

export const pageQuery = {
  limit: z
    .string()
    .regex(/^([1-9]\d?|100)$/, 'A whole number from 1 to 100')
    .transform(Number)
    .default(50)
    .meta({
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: 50,
      description: 'The maximum number of entries on a page; 50 if left out',
    }),
  cursor: z
    .string()
    .min(1)
    .max(2_048)
    .optional()
    .describe('Where the page begins: a value from the `Link` header of the previous page'),
};

/**
 * The `Link` header of a page (RFC 8288), absent on the last page. `query` contains the query parameters of the
 * request.
 */
export const nextLink = ({
  url,
  query,
  cursor,
}: {
  readonly url: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly cursor: string | undefined;
}): Record<string, string> => {
  if (cursor === undefined) return {};
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && name !== 'cursor') parameters.set(name, value);
  }
  parameters.set('cursor', cursor);
  return { link: `<${url}?${parameters}>; rel="next"` };
};
