import { bytesToHex, hexToBytes } from 'viem';
import * as z from 'zod';
import { tellLaterData } from '../../platform/later-data.ts';
import { royaltySchema } from '../collection/contract.ts';
import { type Attempt, type Entry, firstSignedAt, type LoggedEntry } from '../entry.ts';
import { addressSchema, hexSchema } from '../hex.ts';
import { entryStatusSchema } from '../status.ts';
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

/** Strict: a field that is not known could change what proves the work. */
const purposeSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('deploy'), application: z.string(), contract: addressSchema }),
  z.strictObject({
    kind: z.literal('mint'),
    application: z.string(),
    contract: addressSchema,
    firstTokenId: z.string(),
    destinations: z.array(addressSchema).min(1),
  }),
  z.strictObject({
    kind: z.literal('update-metadata'),
    application: z.string(),
    contract: addressSchema,
    from: z.string(),
    to: z.string(),
  }),
  z.strictObject({
    kind: z.literal('update-contract-metadata'),
    application: z.string(),
    contract: addressSchema,
  }),
  z.strictObject({
    kind: z.literal('set-royalty'),
    application: z.string(),
    contract: addressSchema,
    royalty: royaltySchema.nullable(),
  }),
  z.strictObject({
    kind: z.literal('revoke'),
    application: z.string(),
    contract: addressSchema,
    tokenId: z.string(),
  }),
  z.strictObject({
    kind: z.literal('set-base'),
    application: z.string(),
    contract: addressSchema,
    base: z.string(),
  }),
  z.strictObject({ kind: z.literal('noop') }),
]);

/** What every release stores of an entry. Purpose and status are parsed apart, because later ones know more of them. */
const envelopeSchema = z.object({
  signer: z.string(),
  nonce: z.int(),
  purpose: z.object({ kind: z.string() }),
  gas: wei,
  attempts: z.array(attemptSchema).min(1),
  status: z.string(),
  triedAt: z.int().optional(),
  minedHash: hexSchema.optional(),
  failureReason: z.string().optional(),
  decidedAt: z.int().optional(),
  missingLooks: z.int(),
  supersedes: z.int().optional(),
});

export const parseEntry = (item: Record<string, unknown>): LoggedEntry => {
  const { purpose: stored, status: storedStatus, ...envelope } = envelopeSchema.parse(item);
  const purpose = purposeSchema.safeParse(item.purpose);
  const status = entryStatusSchema.safeParse(storedStatus);
  if (!purpose.success || !status.success) {
    const { signer, nonce } = envelope;
    const unknown = { purpose: purpose.error?.issues, status: status.error && storedStatus };
    tellLaterData({
      kind: 'transaction',
      id: `${signer} ${nonce}`,
      unknown: { ...unknown, kind: stored.kind },
    });
  }
  return {
    ...envelope,
    purpose: purpose.data ?? { kind: 'later', stored: stored.kind },
    status: status.data ?? 'later',
  };
};

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
  if (purpose.kind === 'noop' || purpose.kind === 'mint') return {};
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
