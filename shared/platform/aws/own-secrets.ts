/** The schemas of the secrets whose values the operator makes up. */
import * as z from 'zod';

export const cursorSecretSchema = z.string().min(32);

/** The values of `x-origin-verify` that the distribution may send: two while one replaces the other. */
export const originVerifySchema = z.object({ values: z.array(z.string().min(16)).min(1).max(2) });
