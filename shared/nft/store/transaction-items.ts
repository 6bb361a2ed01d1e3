import { bytesToHex, hexToBytes } from 'viem';
import * as z from 'zod';
import { hexSchema } from '../../chain/hex.ts';
import { tellLaterData } from '../../platform/later-data.ts';
import type { CollectionKey, NftKey } from '../tokens/nft.ts';
import { entryStatusSchema } from '../tokens/status.ts';
import { type Attempt, type Entry, firstSignedAt, type LoggedEntry } from '../transactions/entry.ts';
import { type ByKind, byKind } from '../transactions/purpose.ts';
import { changeKey, collectionPartition, entryKey } from './nft-items.ts';
import { purposeItem, storedPurposeSchema } from './purposes.ts';

const wei = z.string().regex(/^\d+$/).transform(BigInt);

const attemptSchema = z.object({
  hash: hexSchema,
  raw: z.instanceof(Uint8Array).transform((bytes) => bytesToHex(bytes)),
  maxFeePerGas: wei,
  maxPriorityFeePerGas: wei,
  signedAt: z.int(),
  cancels: z.literal(true).optional(),
});

/**
 * The fields of an entry that every release stores in the same way. Purpose and status are parsed separately, because a
 * later release may have stored one that this release does not know.
 */
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
  reopened: z.int().optional(),
  told: z.array(z.object({ hash: hexSchema, at: z.int() })).optional(),
});

export const parseEntry = (item: Record<string, unknown>): LoggedEntry => {
  const { purpose: stored, status: storedStatus, ...envelope } = envelopeSchema.parse(item);
  const purpose = storedPurposeSchema.safeParse(item.purpose);
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
  ...(cancels !== undefined && { cancels }),
  raw: hexToBytes(raw),
  maxFeePerGas: maxFeePerGas.toString(),
  maxPriorityFeePerGas: maxPriorityFeePerGas.toString(),
});

/** The attributes by which the changes of a contract or token are found. A
 * deployment is found by its contract, a mint by its tokens. */
const changeAttributes = (entry: Entry) => {
  const at = firstSignedAt(entry);
  const none = () => ({});
  const ofContract = (purpose: CollectionKey) => ({
    collection: collectionPartition(purpose),
    change: changeKey.contract(at),
  });
  const ofToken = ({ tokenId, ...purpose }: NftKey) => ({
    collection: collectionPartition(purpose),
    change: changeKey.tokens({ from: tokenId, to: tokenId, at }),
  });
  const rows: ByKind<{ readonly collection?: string; readonly change?: string }> = {
    deploy: none,
    mint: none,
    // After a claim has failed, its token does not refer to it any more.
    claim: ofToken,
    'update-metadata': (purpose) => ({
      collection: collectionPartition(purpose),
      change: changeKey.tokens({ ...purpose, at }),
    }),
    'update-contract-metadata': ofContract,
    'set-royalty': ofContract,
    revoke: ofToken,
    'set-base': ofContract,
    noop: none,
  };
  return byKind(rows, entry.purpose);
};

export const entryItem = (entry: Entry) => ({
  ...entryKey(entry),
  ...changeAttributes(entry),
  ...entry,
  purpose: purposeItem(entry.purpose),
  gas: entry.gas.toString(),
  attempts: entry.attempts.map(attemptItem),
});
