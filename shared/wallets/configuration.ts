import * as z from 'zod';

const local = new Set(['localhost', '127.0.0.1']);

/** An origin in the form that browsers send. IPv6 hosts are refused, because an EIP-4361 message cannot contain one. */
const originSchema = z.string().refine(
  (text) => {
    if (!URL.canParse(text)) return false;
    const { origin, protocol, hostname } = new URL(text);
    if (origin !== text || hostname.startsWith('[')) return false;
    return protocol === 'https:' || (protocol === 'http:' && local.has(hostname));
  },
  { error: 'must be an origin such as https://www.example.com, without a path or a slash at its end' },
);

export const walletsConfigurationSchema = z.strictObject({
  origins: z
    .array(originSchema)
    .max(20)
    .refine((origins) => new Set(origins).size === origins.length, {
      error: 'must not name the same origin twice',
    }),
});
