/**
 * Encodes calls to the collection contract, computes its address and reads its results and logs. Nothing here queries a
 * chain.
 */
import {
  concat,
  decodeAbiParameters,
  encodeAbiParameters,
  encodeFunctionData,
  getCreate2Address,
  isAddressEqual,
  keccak256,
  numberToHex,
  pad,
  size,
  stringToBytes,
} from 'viem/utils';
import { collectionBytecode } from '../../../contracts/artifacts/collection-bytecode.ts';
import type { EventFilter, EventLog } from '../../chain/event-log.ts';
import { type Address, type Hex, zeroAddress } from '../../chain/hex.ts';
import { batchTokensAtMost } from './limits.ts';

/**
 * The deterministic deployment proxy has the same address on Polygon, Amoy and anvil. It takes a salt and creation
 * code, runs CREATE2 and reverts if no contract is created.
 */
export const deploymentProxy: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

/** The options of a collection. They cannot be changed after the deployment. */
export interface CollectionOptions {
  /** How many tokens can ever be minted. Revoked tokens count too. @default no limit */
  readonly maxSupply?: number | undefined;
  /** Whether holders can transfer tokens (ERC-5192). @default true */
  readonly transferable?: boolean | undefined;
  /** Whether the collection's owner can burn tokens of any holder. @default false */
  readonly revocable?: boolean | undefined;
}

export interface Collection extends CollectionOptions {
  readonly name: string;
  readonly symbol: string;
  /** The base address under which the metadata is served, without a trailing slash. */
  readonly base: string;
  /** The address of the signer that owns the collection. Only the owner can mint. */
  readonly owner: Address;
  readonly royalty: Royalty | null;
}

/** ERC-2981. Applies to every token of the collection. */
export interface Royalty {
  readonly receiver: Address;
  /** Hundredths of a per cent of the sale price. */
  readonly basisPoints: number;
}

/**
 * The version of Collection.sol. It is increased whenever the service must send different calls to new collections than
 * to older ones.
 */
export const collectionVersion = 3;

export interface Deployment {
  /** The contract's address in EIP-55 form. It depends on the salt and the collection (CREATE2), but not on a nonce. */
  readonly address: Address;
  readonly to: Address;
  readonly data: Hex;
  readonly gas: bigint;
}

/** @param salt 32 bytes. */
export function encodeDeployment({ collection, salt }: { collection: Collection; salt: Hex }): Deployment {
  if (size(salt) !== 32) throw new RangeError('A salt must have 32 bytes');
  const creationCode = concat([collectionBytecode, encodeConstructor(collection)]);
  return {
    address: getCreate2Address({ from: deploymentProxy, salt, bytecode: creationCode }),
    to: deploymentProxy,
    data: concat([salt, creationCode]),
    gas: deploymentGasLimit(collection),
  };
}

function encodeConstructor({
  name,
  symbol,
  base,
  owner,
  royalty,
  maxSupply = 0,
  transferable = true,
  revocable = false,
}: Collection): Hex {
  return encodeAbiParameters(
    [
      { type: 'string' },
      { type: 'string' },
      { type: 'string' },
      { type: 'address' },
      { type: 'address' },
      { type: 'uint96' },
      { type: 'uint256' },
      { type: 'bool' },
      { type: 'bool' },
    ],
    [
      name,
      symbol,
      base,
      owner,
      royalty?.receiver ?? zeroAddress,
      BigInt(royalty?.basisPoints ?? 0),
      BigInt(maxSupply),
      !transferable,
      revocable,
    ],
  );
}

const mintGas = { fixed: 90_000n, perToken: 70_000n } as const;

/**
 * A linear estimate with a margin, based on measured mints of 1 and of 95 tokens to owners who had none. For each
 * token, these mints use 47,200 gas at the storage prices of EIP-2929, or 48,500 if the collection has all options.
 * Polygon adds 7,000 gas for each token, because PIP-88 reprices the first access to each slot. Unused gas costs
 * nothing. But the limit must not be far too high, because a block cannot include a transaction whose gas limit exceeds
 * the block's remaining gas.
 */
export function mintGasLimit(tokens: number): bigint {
  return mintGas.fixed + mintGas.perToken * BigInt(tokens);
}

/** The gas of a plain transfer to an account without code. Noop transactions are such transfers. */
export const transferGasLimit = 21_000n;

const deploymentGas = { fixed: 1_800_000n, perWord: 30_000n } as const;

/**
 * `fixed` covers the contract's code. `perWord` covers a new storage slot (22,100 gas) and calldata (512 gas) for each
 * 32-byte word of a name, symbol or base address that does not fit into one slot. Both include a margin.
 */
export function deploymentGasLimit({
  name,
  symbol,
  base,
}: Pick<Collection, 'name' | 'symbol' | 'base'>): bigint {
  const words = [name, symbol, base].reduce(
    (sum, text) => sum + Math.ceil(stringToBytes(text).length / 32),
    0,
  );
  return deploymentGas.fixed + deploymentGas.perWord * BigInt(words);
}

const mintAbi = [
  {
    type: 'function',
    name: 'mint',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'to', type: 'address' },
      { name: 'id', type: 'uint256' },
    ],
    outputs: [],
  },
] as const;

export function encodeMint({ destination, tokenId }: { destination: Address; tokenId: bigint }): Hex {
  return encodeFunctionData({ abi: mintAbi, functionName: 'mint', args: [destination, tokenId] });
}

const mintBatchAbi = [
  {
    type: 'function',
    name: 'mintBatch',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'to', type: 'address[]' },
      { name: 'firstId', type: 'uint256' },
    ],
    outputs: [],
  },
] as const;

export function encodeMintBatch({
  destinations,
  firstTokenId,
}: {
  readonly destinations: readonly Address[];
  readonly firstTokenId: bigint;
}): Hex {
  if (destinations.length < 1 || destinations.length > batchTokensAtMost) {
    throw new RangeError(`A batch must have 1 to ${batchTokensAtMost} tokens`);
  }
  return encodeFunctionData({
    abi: mintBatchAbi,
    functionName: 'mintBatch',
    args: [destinations, firstTokenId],
  });
}

const setBaseAbi = [
  {
    type: 'function',
    name: 'setBase',
    stateMutability: 'nonpayable',
    inputs: [{ name: 'base', type: 'string' }],
    outputs: [],
  },
] as const;

export function encodeSetBase(base: string): Hex {
  return encodeFunctionData({ abi: setBaseAbi, functionName: 'setBase', args: [base] });
}

/** The maximum length, in bytes, of a base address that an operator sets for a deployed collection. */
export const baseBytesAtMost = 256;

/**
 * Each 32-byte word of the new base address uses a new storage slot. The constant part also covers clearing the slots
 * of a longer old address.
 */
export function setBaseGasLimit(base: string): bigint {
  return 150_000n + deploymentGas.perWord * BigInt(Math.ceil(stringToBytes(base).length / 32));
}

const ownerOfAbi = [
  {
    type: 'function',
    name: 'ownerOf',
    stateMutability: 'view',
    inputs: [{ name: 'tokenId', type: 'uint256' }],
    outputs: [{ name: 'owner', type: 'address' }],
  },
] as const;

/** The call reverts with ERC721NonexistentToken if the token does not exist. */
export function encodeOwnerOf(tokenId: bigint): Hex {
  return encodeFunctionData({ abi: ownerOfAbi, functionName: 'ownerOf', args: [tokenId] });
}

/**
 * The owner in EIP-55 form. `undefined` if the data is not a result of `ownerOf`. For example, a call to an address
 * without code returns empty data.
 */
export function decodeOwner(data: Hex): Address | undefined {
  return size(data) === 32 ? decodeAbiParameters([{ type: 'address' }], data)[0] : undefined;
}

export const transferTopic = keccak256(stringToBytes('Transfer(address,address,uint256)'));
const zeroTopic = pad('0x0', { size: 32 });

export const mintEvent = ({
  collection,
  tokenId,
  destination,
}: {
  readonly collection: Address;
  readonly tokenId: bigint;
  /** @default any */
  readonly destination?: Address;
}): EventFilter => ({
  address: collection,
  topics: [
    transferTopic,
    zeroTopic,
    destination === undefined ? null : pad(destination, { size: 32 }),
    numberToHex(tokenId, { size: 32 }),
  ],
});

/** Matches every log of a contract. A collection emits its first log during its deployment. */
export const anyEventOf = (address: Address): EventFilter => ({ address, topics: [] });

/**
 * Whether the logs prove that the collection minted this token to this destination (the `Transfer` event of ERC-721).
 */
export function hasMintLog({
  logs,
  collection,
  destination,
  tokenId,
}: {
  readonly logs: readonly EventLog[];
  readonly collection: Address;
  readonly destination: Address;
  readonly tokenId: bigint;
}): boolean {
  return logs.some(
    ({ address, topics: [event, from, to, id, ...rest] }) =>
      isAddressEqual(address, collection) &&
      event === transferTopic &&
      from === zeroTopic &&
      to === pad(destination, { size: 32 }).toLowerCase() &&
      id !== undefined &&
      BigInt(id) === tokenId &&
      rest.length === 0,
  );
}

/**
 * Whether the collection emitted at least one of these logs. Its constructor emits `OwnershipTransferred`, so the logs
 * of every successful deployment contain one from the collection.
 */
export function hasLogOf({
  logs,
  collection,
}: {
  readonly logs: readonly EventLog[];
  readonly collection: Address;
}): boolean {
  return logs.some(({ address }) => isAddressEqual(address, collection));
}
