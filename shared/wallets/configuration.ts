import * as z from 'zod';

const local = new Set(['localhost', '127.0.0.1']);

/** As a browser says it. A wallet shows its owner the host, of which EIP-4361 messages can name no IPv6 address. */
const originSchema = z.string().refine(
  (text) => {
    if (!URL.canParse(text)) return false;
    const { origin, protocol, hostname } = new URL(text);
    if (origin !== text || hostname.startsWith('[')) return false;
    return protocol === 'https:' || (protocol === 'http:' && local.has(hostname));
  },
  { error: 'must be an origin such as https://www.example.com, without a path or a slash at its end' },
);

/** Where an application's users link wallets. */
export const walletsConfigurationSchema = z.strictObject({
  origins: z
    .array(originSchema)
    .max(20)
    .refine((origins) => new Set(origins).size === origins.length, { error: 'must not name one twice' }),
});
