import { createHash } from 'node:crypto';
import * as z from 'zod';

const attribute = z.looseObject({
  DataType: z.string(),
  StringValue: z.string().optional(),
  BinaryValue: z.string().optional(),
});
type Attribute = z.output<typeof attribute>;

const request = z.object({ MessageAttributeNames: z.array(z.string()).default([]) });
const answer = z.looseObject({
  Messages: z
    .array(
      z.looseObject({
        MessageAttributes: z.record(z.string(), attribute).default({}),
        MD5OfMessageAttributes: z.string().optional(),
      }),
    )
    .default([]),
});

/** `All` and `.*` name every attribute, `order.*` every attribute that begins with `order.`. */
const isNamed = (attributeName: string, names: readonly string[]): boolean =>
  names.some((name) => {
    if (name === 'All' || name === '.*') return true;
    return name.endsWith('.*') ? attributeName.startsWith(name.slice(0, -1)) : attributeName === name;
  });

const sized = (bytes: Buffer): Buffer => {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(bytes.length);
  return Buffer.concat([size, bytes]);
};

/** The digest by which clients check the attributes ("Calculating the MD5 message digest for message attributes"). */
const digestOf = (attributes: Readonly<Record<string, Attribute>>): string => {
  const digest = createHash('md5');
  for (const [name, { DataType, StringValue = '', BinaryValue = '' }] of Object.entries(attributes).sort(
    ([one], [other]) => (one < other ? -1 : 1),
  )) {
    const isBinary = DataType.startsWith('Binary');
    const value = isBinary ? Buffer.from(BinaryValue, 'base64') : Buffer.from(StringValue);
    digest.update(sized(Buffer.from(name))).update(sized(Buffer.from(DataType)));
    digest.update(Buffer.from([isBinary ? 2 : 1])).update(sized(value));
  }
  return digest.digest('hex');
};

/**
 * Leaves only the message attributes that the call names, as SQS does. The engine returns all of them if the call names
 * none, and a digest of all of them if it names some.
 */
export const onlyAskedAttributes = (input: unknown, body: string): unknown => {
  const { MessageAttributeNames: names } = request.parse(input);
  const { Messages, ...rest } = answer.parse(JSON.parse(body));
  if (Messages.length === 0) return rest;
  return {
    ...rest,
    Messages: Messages.map(({ MessageAttributes: all, MD5OfMessageAttributes: _, ...message }) => {
      const asked = Object.fromEntries(Object.entries(all).filter(([name]) => isNamed(name, names)));
      return Object.keys(asked).length === 0
        ? message
        : { ...message, MessageAttributes: asked, MD5OfMessageAttributes: digestOf(asked) };
    }),
  };
};
