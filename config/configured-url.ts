import * as z from 'zod';

const httpsUrl = z.url({ protocol: /^https$/ });
export const parameter = z.strictObject({ parameter: z.string().regex(/^[A-Za-z0-9]+$/) });

/** A URL. If the URL is known only at deployment, the stage's file names a template parameter instead. */
export const configuredUrl = z.union([httpsUrl, parameter]);

/** A URL to which paths are appended. It can contain a path, but must not end with a slash. */
export const httpsBaseUrl = httpsUrl.refine((url) => !/\/$|[?#]/.test(url), {
  error: 'must not end with a slash, and must not have a query or a fragment',
});

/** The public base URL of an API. The URL of the API named `base` is written into every collection on the chain. */
export const configuredBaseUrl = z.union([httpsBaseUrl, parameter]);

export type ConfiguredUrl = z.output<typeof configuredUrl>;
