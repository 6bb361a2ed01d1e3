import * as z from 'zod';
import { canBeNamed } from './challenge-message.ts';

const local = new Set(['localhost', '127.0.0.1']);

/** An origin in the form that browsers send, and that the messages for wallets can name. */
const originSchema = z
  .string()
  .refine(
    (text) => {
      if (!URL.canParse(text)) return false;
      const { origin, protocol, hostname } = new URL(text);
      if (origin !== text) return false;
      return protocol === 'https:' || (protocol === 'http:' && local.has(hostname));
    },
    {
      error: 'must be an origin such as https://www.example.com, without a path or a slash at its end',
      abort: true,
    },
  )
  .refine(canBeNamed, {
    error:
      'cannot be named in the message that wallets sign, whose host is an IPv4 address, localhost, or a name that ends in a dot and letters and has no underscore',
  });

export const walletsConfigurationSchema = z.strictObject({
  origins: z
    .array(originSchema)
    .max(20)
    .refine((origins) => new Set(origins).size === origins.length, {
      error: 'must not name the same origin twice',
    }),
});
