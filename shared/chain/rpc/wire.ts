/** Parses answers from nodes, by the schemas of the Ethereum execution API. A malformed answer counts as no answer. */
import * as z from 'zod';
import type { Hash, Hex } from '../hex.ts';
import type { Receipt } from '../receipt.ts';
import { EndpointError, type RpcAnswer } from './json-rpc.ts';

const isHex = (text: string): text is Hex => /^0x[0-9a-f]*$/.test(text);

export const hex = z
  .string()
  .toLowerCase()
  .refine(isHex, 'not hex')
  .transform((text): Hex => text as Hex);
const hash = hex.refine((text) => text.length === 66, 'not a hash').transform((text): Hash => text);
const address = hex.refine((text) => text.length === 42, 'not an address');
export const quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]+$/)
  .transform((text) => BigInt(text));
export const count = quantity.transform(Number).refine(Number.isSafeInteger);

export const blockSchema = z.object({ number: count, hash }).nullable();
export const transactionSchema = z.object({ blockNumber: count.nullish() }).nullable();

export const receiptSchema = z
  .object({
    transactionHash: hash,
    blockNumber: count,
    blockHash: hash,
    status: z.enum(['0x0', '0x1']),
    gasUsed: quantity,
    logs: z.array(z.object({ address, topics: z.array(hash), data: hex })),
  })
  .transform(
    ({ status, ...receipt }): Receipt => ({ ...receipt, status: status === '0x1' ? 'success' : 'reverted' }),
  )
  .nullable();

const foundLogSchema = z.object({
  transactionHash: hash,
  blockNumber: count,
  address,
  topics: z.array(hash),
});
export type FoundLog = z.output<typeof foundLogSchema>;
export const logsSchema = z.array(foundLogSchema);

export const feeHistorySchema = z.object({
  baseFeePerGas: z.array(quantity).min(1),
  reward: z.array(z.array(quantity)).nullish(),
});

/**
 * The parsed answer at `index`.
 * @throws EndpointError when the answer is an error, is missing, or does not match the schema.
 */
export function resultOf<Schema extends z.ZodType>(
  answers: readonly RpcAnswer[],
  index: number,
  schema: Schema,
): z.output<Schema> {
  const answer = answers[index];
  if (answer === undefined) throw new EndpointError({ message: 'no answer' });
  if ('error' in answer) throw new EndpointError({ message: answer.error.message });
  const parsed = schema.safeParse(answer.result);
  if (!parsed.success) {
    const path = parsed.error.issues[0]?.path.join('.') ?? '';
    const message = path === '' ? 'malformed answer' : `malformed answer (${path})`;
    throw new EndpointError({ message, cause: parsed.error });
  }
  return parsed.data;
}

export const toQuantity = (value: number | bigint): Hex => `0x${value.toString(16)}`;
