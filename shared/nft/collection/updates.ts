/**
 * What the owner of a collection announces or changes after the deployment: the call, and the log that proves it
 * happened. Pure encoders; nothing here asks a chain.
 */
import { concat, encodeFunctionData, isAddressEqual, keccak256, pad, stringToBytes, toHex } from 'viem/utils';
import type { EventFilter, EventLog } from '../event-log.ts';
import { type Address, type Hex, lowerCase, zeroAddress } from '../hex.ts';
import { type Royalty, transferTopic } from './collection.ts';
import type { CollectionKey } from './nft.ts';

/** A call of a collection by its owner. */
export interface CollectionUpdate {
  readonly data: Hex;
  readonly gas: bigint;
  /** The collection's log when the call did its work; a call to an address without code logs nothing. */
  readonly log: Pick<EventFilter, 'topics'> & Pick<EventLog, 'data'>;
}

const abi = [
  {
    type: 'function',
    name: 'emitMetadataUpdate',
    stateMutability: 'nonpayable',
    inputs: [{ name: 'id', type: 'uint256' }],
    outputs: [],
  },
  {
    type: 'function',
    name: 'emitBatchMetadataUpdate',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'fromId', type: 'uint256' },
      { name: 'toId', type: 'uint256' },
    ],
    outputs: [],
  },
  {
    type: 'function',
    name: 'emitContractURIUpdated',
    stateMutability: 'nonpayable',
    inputs: [],
    outputs: [],
  },
  {
    type: 'function',
    name: 'setDefaultRoyalty',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'receiver', type: 'address' },
      { name: 'fraction', type: 'uint96' },
    ],
    outputs: [],
  },
  {
    type: 'function',
    name: 'revoke',
    stateMutability: 'nonpayable',
    inputs: [{ name: 'id', type: 'uint256' }],
    outputs: [],
  },
  { type: 'function', name: 'deleteDefaultRoyalty', stateMutability: 'nonpayable', inputs: [], outputs: [] },
] as const;

/**
 * Polygon uses 27,500 to 30,600 gas for one of these, and 49,600 for a first royalty; forks may reprice storage again.
 */
const gasLimits = { announcement: 60_000n, royalty: 100_000n, revocation: 120_000n } as const;

const topicOf = (event: string): Hex => keccak256(stringToBytes(event));
const word = (value: bigint): Hex => toHex(value, { size: 32 });

/** ERC-4906, of the tokens from `from` to `to`, both included. */
export function metadataUpdate({
  from,
  to,
}: {
  readonly from: bigint;
  readonly to: bigint;
}): CollectionUpdate {
  return from === to
    ? {
        data: encodeFunctionData({ abi, functionName: 'emitMetadataUpdate', args: [from] }),
        gas: gasLimits.announcement,
        log: { topics: [topicOf('MetadataUpdate(uint256)')], data: word(from) },
      }
    : {
        data: encodeFunctionData({ abi, functionName: 'emitBatchMetadataUpdate', args: [from, to] }),
        gas: gasLimits.announcement,
        log: {
          topics: [topicOf('BatchMetadataUpdate(uint256,uint256)')],
          data: concat([word(from), word(to)]),
        },
      };
}

/** ERC-7572. */
export function contractMetadataUpdate(): CollectionUpdate {
  return {
    data: encodeFunctionData({ abi, functionName: 'emitContractURIUpdated' }),
    gas: gasLimits.announcement,
    log: { topics: [topicOf('ContractURIUpdated()')], data: '0x' },
  };
}

/** ERC-2981. `null` removes the royalty: the standard's implementation refuses the zero address as its receiver. */
export function royaltyUpdate(royalty: Royalty | null): CollectionUpdate {
  const { receiver, basisPoints } = royalty ?? { receiver: zeroAddress, basisPoints: 0 };
  return {
    data:
      royalty === null
        ? encodeFunctionData({ abi, functionName: 'deleteDefaultRoyalty' })
        : encodeFunctionData({
            abi,
            functionName: 'setDefaultRoyalty',
            args: [receiver, BigInt(basisPoints)],
          }),
    gas: gasLimits.royalty,
    log: {
      topics: [topicOf('DefaultRoyaltyUpdated(address,uint96)'), lowerCase(pad(receiver, { size: 32 }))],
      data: word(BigInt(basisPoints)),
    },
  };
}

/** Burns a token, whoever holds it: ERC-721 tells of it as of a transfer to nobody. */
export function revocation(tokenId: bigint): CollectionUpdate {
  return {
    data: encodeFunctionData({ abi, functionName: 'revoke', args: [tokenId] }),
    gas: gasLimits.revocation,
    log: { topics: [transferTopic, null, pad('0x0', { size: 32 }), word(tokenId)], data: '0x' },
  };
}

/** What an entry of the log announces or changes. */
export type UpdatePurpose =
  /** Announces new metadata of the tokens with ids `from` to `to`, both included. */
  | (CollectionKey & { readonly kind: 'update-metadata'; readonly from: string; readonly to: string })
  /** Announces new metadata of a collection. */
  | (CollectionKey & { readonly kind: 'update-contract-metadata' })
  /** Sets or removes a collection's royalty. */
  | (CollectionKey & { readonly kind: 'set-royalty'; readonly royalty: Royalty | null })
  /** Burns a token of a revocable collection. */
  | (CollectionKey & { readonly kind: 'revoke'; readonly tokenId: string });

export function updateFor(purpose: UpdatePurpose): CollectionUpdate {
  switch (purpose.kind) {
    case 'update-metadata':
      return metadataUpdate({ from: BigInt(purpose.from), to: BigInt(purpose.to) });
    case 'update-contract-metadata':
      return contractMetadataUpdate();
    case 'set-royalty':
      return royaltyUpdate(purpose.royalty);
    case 'revoke':
      return revocation(BigInt(purpose.tokenId));
  }
}

/** Whether the collection logged what the update makes it log, and nothing more in that log. */
export function hasUpdateLog({
  logs,
  collection,
  update,
}: {
  readonly logs: readonly EventLog[];
  readonly collection: Address;
  readonly update: CollectionUpdate;
}): boolean {
  const expected = update.log;
  return logs.some(
    ({ address, topics, data }) =>
      isAddressEqual(address, collection) &&
      topics.length === expected.topics.length &&
      expected.topics.every((topic, index) => topic === null || topic === topics[index]) &&
      data === expected.data,
  );
}
