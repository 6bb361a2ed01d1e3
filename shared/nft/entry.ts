import { parseTransaction } from 'viem';
import type { Change } from './collection/change.ts';
import type { Contract, RoyaltyChange } from './collection/contract.ts';
import type { CollectionKey, Nft, NftMetadata } from './collection/nft.ts';
import type { UpdatePurpose } from './collection/updates.ts';
import type { Address, Hash, Hex } from './hex.ts';
import type { EntryStatus } from './status.ts';

/** Chain and address of a signer, `137#0x…` in lower case: the partition of its log. */
export type SignerId = string;

export const signerIdOf = ({
  chainId,
  address,
}: {
  readonly chainId: number;
  readonly address: Address;
}): SignerId => `${chainId}#${address.toLowerCase()}`;

export const addressOfSigner = (id: SignerId): Address => id.slice(id.indexOf('#') + 1) as Address;

/** A signed transaction of an entry. None is ever removed, because any of them may be the one that is mined. */
export interface Attempt {
  readonly hash: Hash;
  readonly raw: Hex;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  /** Milliseconds since the epoch. */
  readonly signedAt: number;
  /** It moves nothing. It is there to be mined in place of the others: an operator cancels the entry. */
  readonly cancels?: true | undefined;
}

/** What an entry's transaction is for. */
export type Purpose =
  | { readonly kind: 'deploy'; readonly application: string; readonly contract: Address }
  | {
      readonly kind: 'mint';
      readonly application: string;
      readonly contract: Address;
      /** The tokens' ids are consecutive. */
      readonly firstTokenId: string;
      /** One for each token, at least one. */
      readonly destinations: readonly Address[];
    }
  | UpdatePurpose
  /** Moves a collection's metadata to another base address. */
  | {
      readonly kind: 'set-base';
      readonly application: string;
      readonly contract: Address;
      readonly base: string;
    }
  /** Does nothing but use a nonce that would otherwise block every later one. */
  | { readonly kind: 'fill' };

/** One nonce of a signer: its purpose, and every transaction that was signed for it. */
export interface Entry {
  readonly signer: SignerId;
  readonly nonce: number;
  readonly purpose: Purpose;
  readonly gas: bigint;
  /** Oldest first; at least one. */
  readonly attempts: readonly Attempt[];
  readonly status: EntryStatus;
  /**
   * When it was first broadcast as the head of the queue, whatever the nodes answered. Set only for entries that stay
   * there.
   */
  readonly triedAt?: number;
  /** The transaction that decided it at finality; not always one of its own. */
  readonly minedHash?: Hash | undefined;
  /** Why it failed. */
  readonly failureReason?: string | undefined;
  /** When finality decided it, milliseconds since the epoch. */
  readonly decidedAt?: number | undefined;
  /** How often no endpoint knew a receipt although the nonce was final. */
  readonly missingLooks: number;
  /** The nonce whose work this entry took over. */
  readonly supersedes?: number;
}

/** What an entry makes or changes, recorded with it. */
export type Resource =
  | {
      readonly kind: 'metadata';
      readonly collection: CollectionKey;
      readonly from: string;
      /** For the tokens from `from` on, one each. */
      readonly metadata: readonly NftMetadata[];
      readonly change: Change;
    }
  | {
      readonly kind: 'contract-metadata';
      readonly collection: CollectionKey;
      readonly metadata: Pick<Contract, 'description' | 'image' | 'media'>;
      readonly change: Change;
    }
  | { readonly kind: 'royalty'; readonly collection: CollectionKey; readonly change: RoyaltyChange }
  | {
      readonly kind: 'revocation';
      readonly collection: CollectionKey;
      readonly tokenId: string;
      readonly change: Change;
    }
  | { readonly kind: 'contract'; readonly contract: Contract }
  | { readonly kind: 'nfts'; readonly nfts: readonly Nft[] };

/** What is known of a transaction at signing. */
export interface Signed {
  readonly nonce: number;
  readonly transactionHash: Hash;
}

/** What a transaction is to make or change; not yet signed. */
export type UnsignedResource =
  | Omit<Extract<Resource, { readonly kind: 'metadata' }>, 'change'>
  | Omit<Extract<Resource, { readonly kind: 'contract-metadata' }>, 'change'>
  | Omit<Extract<Resource, { readonly kind: 'revocation' }>, 'change'>
  | {
      readonly kind: 'royalty';
      readonly collection: CollectionKey;
      readonly change: Omit<RoyaltyChange, keyof Signed>;
    }
  | { readonly kind: 'contract'; readonly contract: Omit<Contract, keyof Signed> }
  | { readonly kind: 'nfts'; readonly nfts: readonly Omit<Nft, keyof Signed>[] };

export interface MintedToken {
  readonly tokenId: string;
  readonly destination: Address;
}

/** The tokens of a mint, lowest id first: all of them are minted or none. */
export const mintedTokens = ({
  firstTokenId,
  destinations,
}: Pick<Purpose & { readonly kind: 'mint' }, 'firstTokenId' | 'destinations'>): MintedToken[] =>
  destinations.map((destination, index) => ({
    tokenId: String(Number(firstTokenId) + index),
    destination,
  }));

export const lastAttempt = ({ attempts, nonce }: Entry): Attempt => {
  const last = attempts.at(-1);
  if (last === undefined) throw new Error(`The entry of nonce ${nonce} has no transaction`);
  return last;
};

/** By its newest attempt. */
export const signedOf = (entry: Entry): Signed => ({
  nonce: entry.nonce,
  transactionHash: lastAttempt(entry).hash,
});

/** What a signed entry makes or changes. */
export const resourceOf = (resource: UnsignedResource, entry: Entry): Resource => {
  const signed = signedOf(entry);
  switch (resource.kind) {
    case 'nfts':
      return { ...resource, nfts: resource.nfts.map((nft) => ({ ...nft, ...signed })) };
    case 'contract':
      return { ...resource, contract: { ...resource.contract, ...signed } };
    case 'royalty':
      return { ...resource, change: { ...resource.change, ...signed } };
    case 'metadata':
    case 'contract-metadata':
    case 'revocation':
      return { ...resource, change: { ...signed, status: 'pending' } };
  }
};

/** When it was first signed, milliseconds since the epoch. */
export const firstSignedAt = ({ attempts, nonce }: Entry): number => {
  const [first] = attempts;
  if (first === undefined) throw new Error(`The entry of nonce ${nonce} has no transaction`);
  return first.signedAt;
};

export const hashesOf = ({ attempts }: Entry): Hash[] => attempts.map(({ hash }) => hash);

/**
 * The transaction to broadcast: the newest attempt. If a decided entry vanishes from the chain, it is the attempt that
 * was mined, until a newer attempt has higher fees. If another entry's transaction was mined, a confirmed entry is not
 * restored by its own cancellation.
 */
export const currentAttempt = (entry: Entry): Attempt => {
  const { attempts, decidedAt, minedHash, status } = entry;
  if (status === 'pending') return lastAttempt(entry);
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

/** The call of a transaction, read from the signed bytes, which are the only copy. */
export const callOf = ({ raw, hash }: Attempt): SignedCall => {
  const { to, data = '0x', gas } = parseTransaction(raw);
  if (to === undefined || to === null || gas === undefined) {
    throw new Error(`Transaction ${hash} has no receiver or no gas`);
  }
  return { to, data, gas };
};

/** The most that an entry may cost, wei. */
export const costOf = (entry: Entry): bigint => entry.gas * lastAttempt(entry).maxFeePerGas;
