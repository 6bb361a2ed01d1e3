import * as z from 'zod';

/** An address: known when the stage is written down, or only when it is deployed (then it is a template parameter). */
export const configuredUrl = z.union([
  z.url({ protocol: /^https$/ }),
  z.strictObject({ parameter: z.string().regex(/^[A-Za-z0-9]+$/) }),
]);

export type ConfiguredUrl = z.output<typeof configuredUrl>;
