import * as z from 'zod';

const httpsUrl = z.url({ protocol: /^https$/ });
export const parameter = z.strictObject({ parameter: z.string().regex(/^[A-Za-z0-9]+$/) });

/** An address: known when the stage is written down, or only when it is deployed (then it is a template parameter). */
export const configuredUrl = z.union([httpsUrl, parameter]);

/** What paths are put behind, and what contracts keep for ever: nothing but a path may come last, and no slash. */
export const configuredBaseUrl = z.union([
  httpsUrl.refine((url) => !/\/$|[?#]/.test(url), {
    error: 'Ends with a slash, or has a query or a fragment',
  }),
  parameter,
]);

export type ConfiguredUrl = z.output<typeof configuredUrl>;
