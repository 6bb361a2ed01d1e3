import { bytesToHex, hexToBytes } from 'viem';
import * as z from 'zod';
import { royaltySchema } from '../../nft/collection/contract.ts';
import { type Attempt, type Entry, firstSignedAt } from '../../nft/entry.ts';
import { addressSchema, hexSchema } from '../../nft/hex.ts';
import { changeKey, collectionPartition, entryKey } from './nft-items.ts';

const wei = z.string().regex(/^\d+$/).transform(BigInt);

const attemptSchema = z.object({
  hash: hexSchema,
  raw: z.instanceof(Uint8Array).transform((bytes) => bytesToHex(bytes)),
  maxFeePerGas: wei,
  maxPriorityFeePerGas: wei,
  signedAt: z.int(),
  cancels: z.literal(true).optional(),
});

const purposeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('deploy'), application: z.string(), contract: addressSchema }),
  z.object({
    kind: z.literal('mint'),
    application: z.string(),
    contract: addressSchema,
    firstTokenId: z.string(),
    destinations: z.array(addressSchema).min(1),
  }),
  z.object({
    kind: z.literal('update-metadata'),
    application: z.string(),
    contract: addressSchema,
    from: z.string(),
    to: z.string(),
  }),
  z.object({
    kind: z.literal('update-contract-metadata'),
    application: z.string(),
    contract: addressSchema,
  }),
  z.object({
    kind: z.literal('set-royalty'),
    application: z.string(),
    contract: addressSchema,
    royalty: royaltySchema.nullable(),
  }),
  z.object({
    kind: z.literal('revoke'),
    application: z.string(),
    contract: addressSchema,
    tokenId: z.string(),
  }),
  z.object({
    kind: z.literal('set-base'),
    application: z.string(),
    contract: addressSchema,
    base: z.string(),
  }),
  z.object({ kind: z.literal('fill') }),
]);

const entrySchema = z.object({
  signer: z.string(),
  nonce: z.int(),
  purpose: purposeSchema,
  gas: wei,
  attempts: z.array(attemptSchema).min(1),
  status: z.enum(['pending', 'confirmed', 'failed', 'superseded']),
  triedAt: z.int().optional(),
  minedHash: hexSchema.optional(),
  failureReason: z.string().optional(),
  decidedAt: z.int().optional(),
  missingLooks: z.int(),
  supersedes: z.int().optional(),
});

export const parseEntry = (item: Record<string, unknown>): Entry => entrySchema.parse(item);

/** Signed bytes are stored as binary, which takes half the space of hexadecimal text. */
export const attemptItem = ({ raw, maxFeePerGas, maxPriorityFeePerGas, cancels, ...rest }: Attempt) => ({
  ...rest,
  ...(cancels === undefined ? {} : { cancels }),
  raw: hexToBytes(raw),
  maxFeePerGas: maxFeePerGas.toString(),
  maxPriorityFeePerGas: maxPriorityFeePerGas.toString(),
});

const changeAttributes = (entry: Entry) => {
  const { purpose } = entry;
  if (purpose.kind === 'fill' || purpose.kind === 'mint') return {};
  const at = firstSignedAt(entry);
  const collection = collectionPartition(purpose);
  switch (purpose.kind) {
    case 'deploy':
      return { collection, change: changeKey.deploy(at) };
    case 'update-metadata':
      return { collection, change: changeKey.tokens({ ...purpose, at }) };
    case 'revoke': {
      const { tokenId } = purpose;
      return { collection, change: changeKey.tokens({ from: tokenId, to: tokenId, at }) };
    }
    case 'update-contract-metadata':
    case 'set-royalty':
    case 'set-base':
      return { collection, change: changeKey.contract(at) };
  }
};

export const entryItem = (entry: Entry) => ({
  ...entryKey(entry),
  ...changeAttributes(entry),
  ...entry,
  gas: entry.gas.toString(),
  attempts: entry.attempts.map(attemptItem),
});
