import * as z from 'zod';

const httpsUrl = z.url({ protocol: /^https$/ });
export const parameter = z.strictObject({ parameter: z.string().regex(/^[A-Za-z0-9]+$/) });

/** An address: known in the stage's file, or only at deployment (then it is a template parameter). */
export const configuredUrl = z.union([httpsUrl, parameter]);

/** Paths are appended to it: it may end in a path, but not in a slash. */
export const httpsBaseUrl = httpsUrl.refine((url) => !/\/$|[?#]/.test(url), {
  error: 'Ends with a slash, or has a query or a fragment',
});

/** Contracts keep such an address for ever. */
export const configuredBaseUrl = z.union([httpsBaseUrl, parameter]);

export type ConfiguredUrl = z.output<typeof configuredUrl>;
