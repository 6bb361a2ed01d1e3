/** The schemas of the secrets whose values the operator makes up. */
import * as z from 'zod';
import { type originVerifyFields, shortestOriginValue } from '../origin-verify.ts';

export const cursorSecretSchema = z.string().min(32);

/** The API key with which the canary calls. */
export const canarySecretSchema = z.object({ api_key: z.string().min(20) });

/** In visible ASCII characters, which a header can contain. WAF compares at most 200 bytes. */
const originValue = z
  .string()
  .min(shortestOriginValue)
  .max(200)
  .regex(/^[\x21-\x7e]+$/);

/** The values of `x-origin-verify`. */
export const originVerifySchema = z.object({
  current: originValue,
  next: originValue,
} satisfies Record<(typeof originVerifyFields)[number], z.ZodType>);
export type OriginVerify = z.output<typeof originVerifySchema>;
