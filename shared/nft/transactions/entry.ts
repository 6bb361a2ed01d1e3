import { parseTransaction } from 'viem';
import type { Address, Hash, Hex } from '../../chain/hex.ts';
import { type EntryStatus, entryStatuses } from '../../platform/watched.ts';
import type { Contract, RoyaltyChange } from '../collections/contract.ts';
import type { PartChange } from '../collections/part-change.ts';
import type { CollectionKey, Nft, NftMetadata } from '../tokens/nft.ts';
import { type ByKind, byKind, type MintingKind, type Purpose, type PurposeOf } from './purpose.ts';

/**
 * The signer's chain id and its address in lower case, such as `137#0x…`. It is the partition key of the signer's
 * entries in the transaction log.
 */
export type SignerId = string;

export const signerIdOf = ({
  chainId,
  address,
}: {
  readonly chainId: number;
  readonly address: Address;
}): SignerId => `${chainId}#${address.toLowerCase()}`;

export const addressOfSigner = (id: SignerId): Address => id.slice(id.indexOf('#') + 1) as Address;

/** One signed transaction of a log entry. Attempts are never removed, because any of them may be mined. */
export interface Attempt {
  readonly hash: Hash;
  readonly raw: Hex;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  /** Milliseconds since the epoch. */
  readonly signedAt: number;
  /**
   * Set if this attempt cancels the entry, as an operator has requested. The attempt transfers nothing, and is to be
   * mined instead of the entry's other attempts.
   */
  readonly cancels?: true | undefined;
}

/** An outcome that customers were notified of. */
export interface Told {
  /** The transaction that was named. */
  readonly hash: Hash;
  /** The decision's time, in milliseconds since the epoch. */
  readonly at: number;
}

/** A purpose that only a later release knows, of the kind `stored`. */
export interface LaterPurpose {
  readonly kind: 'later';
  readonly stored: string;
}

/**
 * An entry as it is in the log. A later release may have stored it with a kind of purpose or a status that this release
 * does not know. Its transaction is sent, replaced and counted like any other, but the outcome is decided only for an
 * `Entry`.
 */
export interface LoggedEntry {
  readonly signer: SignerId;
  readonly nonce: number;
  readonly purpose: Purpose | LaterPurpose;
  readonly gas: bigint;
  /** Oldest first; at least one. */
  readonly attempts: readonly Attempt[];
  readonly status: EntryStatus | 'later';
  /**
   * When the waiter began to measure the entry's waiting time: after the entry's nonce had been the signer's lowest
   * unmined one for a few rounds. Absent if the entry was mined sooner.
   */
  readonly triedAt?: number | undefined;
  /**
   * The hash of the transaction whose final outcome became the entry's status. That transaction may belong to another
   * entry, or to no entry.
   */
  readonly minedHash?: Hash | undefined;
  readonly failureReason?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly decidedAt?: number | undefined;
  /** How many checks found no receipt for the entry at any endpoint, although its nonce is used in a final block. */
  readonly missingLooks: number;
  /** The nonce of the superseded entry whose work this entry took over. */
  readonly supersedes?: number | undefined;
  /**
   * How often the entry was restored without an outcome. Its successors have the same number. The log may lack what was
   * done for such an entry since the moment, so the waiter searches the chain for it. Absent if it was never restored.
   */
  readonly reopened?: number | undefined;
  /** What customers were told about its work before it was restored. */
  readonly told?: readonly Told[] | undefined;
}

export interface Entry extends LoggedEntry {
  readonly purpose: Purpose;
  readonly status: EntryStatus;
}

export const isKnownEntry = (entry: LoggedEntry): entry is Entry =>
  entry.purpose.kind !== 'later' && entry.status !== 'later';

/**
 * Whether the status of an entry is final, unless its transaction vanishes from the chain. An unknown status is not
 * final.
 */
export const isDecided = ({ status }: Pick<LoggedEntry, 'status'>): boolean =>
  status !== 'later' && entryStatuses[status] !== 'open';

export type Resource =
  | {
      readonly kind: 'metadata';
      readonly collection: CollectionKey;
      readonly from: string;
      /** The metadata of each token, starting with the token `from`. */
      readonly metadata: readonly NftMetadata[];
      readonly change: PartChange;
    }
  | {
      readonly kind: 'contract-metadata';
      readonly collection: CollectionKey;
      readonly metadata: Pick<Contract, 'description' | 'image' | 'media'>;
      readonly change: PartChange;
    }
  | { readonly kind: 'royalty'; readonly collection: CollectionKey; readonly change: RoyaltyChange }
  | {
      readonly kind: 'burn';
      readonly collection: CollectionKey;
      readonly tokenId: string;
      readonly change: PartChange;
    }
  | ({ readonly kind: 'claim' } & ClaimedToken & Signed)
  | { readonly kind: 'contract'; readonly contract: Contract }
  | { readonly kind: 'nfts'; readonly nfts: readonly Nft[] };

/** A reserved token that is claimed. */
export interface ClaimedToken {
  readonly collection: CollectionKey;
  readonly tokenId: string;
  readonly destination: Address;
  /** The stand-in of the user for whom the token is reserved. */
  readonly reservedFor: Address;
  /**
   * The user's registration, which must not have ended. `undefined`: the user has been removed, so the token shows nobody
   * from now on.
   */
  readonly registrationId: string | undefined;
  /** The token's version when it was read. */
  readonly version: number;
}

export interface Signed {
  readonly nonce: number;
  readonly transactionHash: Hash;
}

export type UnsignedResource =
  | Omit<Extract<Resource, { readonly kind: 'metadata' }>, 'change'>
  | Omit<Extract<Resource, { readonly kind: 'contract-metadata' }>, 'change'>
  | Omit<Extract<Resource, { readonly kind: 'burn' }>, 'change'>
  | {
      readonly kind: 'royalty';
      readonly collection: CollectionKey;
      readonly change: Omit<RoyaltyChange, keyof Signed>;
    }
  | ({ readonly kind: 'claim' } & ClaimedToken)
  | { readonly kind: 'contract'; readonly contract: Omit<Contract, keyof Signed> }
  | { readonly kind: 'nfts'; readonly nfts: readonly Omit<Nft, keyof Signed>[] };

export interface MintedToken {
  readonly tokenId: string;
  readonly destination: Address;
}

/** The tokens that a transaction mints, lowest id first: all of them or none. */
export const mintedTokens = (purpose: PurposeOf<MintingKind>): readonly [MintedToken, ...MintedToken[]] => {
  const rows: ByKind<readonly MintedToken[], MintingKind> = {
    mint: ({ firstTokenId, destinations }) =>
      destinations.map((destination, index) => ({
        tokenId: String(Number(firstTokenId) + index),
        destination,
      })),
    claim: ({ tokenId, destination }) => [{ tokenId, destination }],
  };
  const [first, ...others] = byKind(rows, purpose);
  if (first === undefined) throw new Error('A mint must have at least one token');
  return [first, ...others];
};

export const lastAttempt = ({ attempts, nonce }: LoggedEntry): Attempt => {
  const last = attempts.at(-1);
  if (last === undefined) throw new Error(`The entry of nonce ${nonce} has no attempt`);
  return last;
};

export const signedOf = (entry: LoggedEntry): Signed => ({
  nonce: entry.nonce,
  transactionHash: lastAttempt(entry).hash,
});

export const resourceOf = (resource: UnsignedResource, entry: Entry): Resource => {
  const signed = signedOf(entry);
  switch (resource.kind) {
    case 'nfts':
      return { ...resource, nfts: resource.nfts.map((nft) => ({ ...nft, ...signed })) };
    case 'claim':
      return { ...resource, ...signed };
    case 'contract':
      return { ...resource, contract: { ...resource.contract, ...signed } };
    case 'royalty':
      return { ...resource, change: { ...resource.change, ...signed } };
    case 'metadata':
    case 'contract-metadata':
    case 'burn':
      return { ...resource, change: { ...signed, status: 'pending' } };
  }
};

/** Milliseconds since the epoch. */
export const firstSignedAt = ({ attempts, nonce }: LoggedEntry): number => {
  const [first] = attempts;
  if (first === undefined) throw new Error(`The entry of nonce ${nonce} has no attempt`);
  return first.signedAt;
};

/**
 * When an entry was decided by a transaction: now, or if customers were told the same before the entry was restored,
 * then. So a notification that is told again has its first time.
 */
export const decisionTime = ({ told = [] }: LoggedEntry, hash: Hash, now: number): number =>
  told.find((one) => one.hash === hash)?.at ?? now;

export const hashesOf = ({ attempts }: LoggedEntry): Hash[] => attempts.map(({ hash }) => hash);

/**
 * The attempt to broadcast. For a pending entry, this is the newest attempt. A confirmed or failed entry is broadcast
 * again only if its transaction has vanished from the chain. For such an entry, this is the newest attempt that was
 * signed after `decidedAt`, or if there is none, the attempt that was mined. The work of a confirmed entry must be done
 * again, so its attempts that cancel are not chosen.
 */
export const currentAttempt = (entry: LoggedEntry): Attempt => {
  const { attempts, decidedAt, minedHash, status } = entry;
  if (!isDecided(entry)) return lastAttempt(entry);
  const own = status === 'confirmed' ? attempts.filter(({ cancels }) => cancels === undefined) : attempts;
  return (
    own.findLast(({ signedAt }) => decidedAt !== undefined && signedAt > decidedAt) ??
    attempts.find(({ hash }) => hash === minedHash) ??
    own.at(-1) ??
    lastAttempt(entry)
  );
};

export interface SignedCall {
  readonly to: Address;
  readonly data: Hex;
  readonly gas: bigint;
}

/** The call that an attempt makes, decoded from its signed bytes. The call is not stored anywhere else. */
export const callOf = ({ raw, hash }: Attempt): SignedCall => {
  const { to, data = '0x', gas } = parseTransaction(raw);
  if (to === undefined || to === null || gas === undefined) {
    throw new Error(`Transaction ${hash} has no destination address or no gas limit`);
  }
  return { to, data, gas };
};

/** The highest possible cost of the entry's transaction, in wei. */
export const costOf = (entry: LoggedEntry): bigint => entry.gas * lastAttempt(entry).maxFeePerGas;
