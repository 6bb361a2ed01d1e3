/** Encodes the calls with which the owner changes a deployed collection, and the logs that prove each change. */
import { concat, encodeFunctionData, isAddressEqual, keccak256, pad, stringToBytes, toHex } from 'viem/utils';
import type { EventFilter, EventLog } from '../../chain/event-log.ts';
import { type Address, type Hex, lowerCase, zeroAddress } from '../../chain/hex.ts';
import { type ByKind, byKind, type UpdateKind, type UpdatePurpose } from '../transactions/purpose.ts';
import { type Royalty, transferTopic } from './collection.ts';

export interface CollectionUpdate {
  readonly data: Hex;
  readonly gas: bigint;
  /**
   * The log that proves the change. The success of the call does not prove it: a call to an address without code also
   * succeeds, but emits no log.
   */
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
 * On Polygon, announcing new metadata uses 27,500 to 30,600 gas, and setting a first royalty uses 49,600. These gas
 * limits are higher, because a hard fork may raise the price of storage again.
 */
const gasLimits = { announcement: 60_000n, royalty: 100_000n, revocation: 120_000n } as const;

const topicOf = (event: string): Hex => keccak256(stringToBytes(event));
const word = (value: bigint): Hex => toHex(value, { size: 32 });

/** Announces (ERC-4906) that the metadata of the tokens with ids from `from` to `to`, both included, has changed. */
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

/**
 * Sets the ERC-2981 royalty. `null` removes the royalty with a different contract call, because OpenZeppelin's
 * `_setDefaultRoyalty` refuses the zero address as receiver.
 */
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

/** Burns a token of any holder. ERC-721 logs a burn as a transfer to the zero address. */
export function revocation(tokenId: bigint): CollectionUpdate {
  return {
    data: encodeFunctionData({ abi, functionName: 'revoke', args: [tokenId] }),
    gas: gasLimits.revocation,
    log: { topics: [transferTopic, null, pad('0x0', { size: 32 }), word(tokenId)], data: '0x' },
  };
}

const updates: ByKind<CollectionUpdate, UpdateKind> = {
  'update-metadata': ({ from, to }) => metadataUpdate({ from: BigInt(from), to: BigInt(to) }),
  'update-contract-metadata': contractMetadataUpdate,
  'set-royalty': ({ royalty }) => royaltyUpdate(royalty),
  revoke: ({ tokenId }) => revocation(BigInt(tokenId)),
};

export const updateFor = (purpose: UpdatePurpose): CollectionUpdate => byKind(updates, purpose);

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
