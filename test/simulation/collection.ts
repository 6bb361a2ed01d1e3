/**
 * The behaviour of contracts/Collection.sol, as far as the service sees it: which calls revert, and which logs the
 * others emit. test/integration/nft/collection.test.ts runs the contract itself.
 */
import { decodeAbiParameters, encodeErrorResult, keccak256, pad, stringToBytes, toHex } from 'viem/utils';
import { ownersOfBytecode } from '../../contracts/artifacts/owners-of-bytecode.ts';
import type { EventLog } from '../../shared/chain/event-log.ts';
import { type Address, type Hex, zeroAddress } from '../../shared/chain/hex.ts';
import { collectionErrors } from '../../shared/nft/rpc/revert-reason.ts';

/** The state of a deployed collection. Never changed, but replaced. */
export interface DeployedCollection {
  readonly owner: Address;
  readonly maxSupply: number;
  readonly revocable: boolean;
  readonly minted: number;
  readonly owners: ReadonlyMap<bigint, Address>;
  readonly royalty: string;
}

interface Effect {
  readonly collection: DeployedCollection;
  readonly logs: readonly Omit<EventLog, 'address'>[];
}

export class Reverted extends Error {
  readonly data: Hex;

  constructor(data: Hex) {
    super('execution reverted');
    this.data = data;
  }
}

const revert = (errorName: 'SupplyExhausted' | 'NotRevocable'): never => {
  throw new Reverted(encodeErrorResult({ abi: collectionErrors, errorName }));
};
const revertPlainly = (): never => {
  throw new Reverted('0x');
};

const hashOf = (text: string): Hex => keccak256(stringToBytes(text));
const selectorOf = (signature: string): Hex => hashOf(signature).slice(0, 10) as Hex;
const word = (value: bigint): Hex => toHex(value, { size: 32 });
const addressWord = (address: Address): Hex => pad(address, { size: 32 }).toLowerCase() as Hex;

const events = {
  transfer: hashOf('Transfer(address,address,uint256)'),
  metadataUpdate: hashOf('MetadataUpdate(uint256)'),
  batchMetadataUpdate: hashOf('BatchMetadataUpdate(uint256,uint256)'),
  contractUri: hashOf('ContractURIUpdated()'),
  royalty: hashOf('DefaultRoyaltyUpdated(address,uint96)'),
  ownership: hashOf('OwnershipTransferred(address,address)'),
};

export const isMint = ({ topics: [event, from] }: Pick<EventLog, 'topics'>): boolean =>
  event === events.transfer && from === addressWord(zeroAddress);

const mint = (before: DeployedCollection, destinations: readonly Address[], first: bigint): Effect => {
  const owners = new Map(before.owners);
  const logs = destinations.map((destination, index) => {
    const id = first + BigInt(index);
    if (before.maxSupply > 0 && before.minted + index >= before.maxSupply) revert('SupplyExhausted');
    if (owners.has(id)) revertPlainly();
    owners.set(id, destination.toLowerCase() as Address);
    const topics = [events.transfer, addressWord(zeroAddress), addressWord(destination), word(id)];
    return { topics, data: '0x' as const };
  });
  return { collection: { ...before, owners, minted: before.minted + destinations.length }, logs };
};

const revoke = (before: DeployedCollection, id: bigint): Effect => {
  if (!before.revocable) revert('NotRevocable');
  const holder = before.owners.get(id) ?? revertPlainly();
  const owners = new Map(before.owners);
  owners.delete(id);
  const topics = [events.transfer, addressWord(holder), addressWord(zeroAddress), word(id)];
  return { collection: { ...before, owners }, logs: [{ topics, data: '0x' }] };
};

const uint256 = { type: 'uint256' } as const;
const address = { type: 'address' } as const;
const uint96 = { type: 'uint96' } as const;

const withRoyalty = (collection: DeployedCollection, receiver: Address, fraction: bigint): Effect => ({
  collection: { ...collection, royalty: `${receiver.toLowerCase()} ${fraction}` },
  logs: [{ topics: [events.royalty, addressWord(receiver)], data: word(fraction) }],
});

/** Each function by its selector: takes the state and the encoded arguments. */
const functions: Readonly<Record<Hex, (before: DeployedCollection, data: Hex) => Effect>> = {
  [selectorOf('mint(address,uint256)')]: (before, data) => {
    const [to, id] = decodeAbiParameters([address, uint256], data);
    return mint(before, [to], id);
  },
  [selectorOf('mintBatch(address[],uint256)')]: (before, data) => {
    const [to, first] = decodeAbiParameters([{ type: 'address[]' }, uint256], data);
    return mint(before, to, first);
  },
  [selectorOf('revoke(uint256)')]: (before, data) => revoke(before, BigInt(data)),
  [selectorOf('emitMetadataUpdate(uint256)')]: (collection, data) => ({
    collection,
    logs: [{ topics: [events.metadataUpdate], data }],
  }),
  [selectorOf('emitBatchMetadataUpdate(uint256,uint256)')]: (collection, data) => ({
    collection,
    logs: [{ topics: [events.batchMetadataUpdate], data }],
  }),
  [selectorOf('emitContractURIUpdated()')]: (collection) => ({
    collection,
    logs: [{ topics: [events.contractUri], data: '0x' }],
  }),
  [selectorOf('setBase(string)')]: (collection) => ({
    collection,
    logs: [
      { topics: [events.batchMetadataUpdate], data: `${word(0n)}${'f'.repeat(64)}` },
      { topics: [events.contractUri], data: '0x' },
    ],
  }),
  [selectorOf('setDefaultRoyalty(address,uint96)')]: (before, data) => {
    const [receiver, fraction] = decodeAbiParameters([address, uint96], data);
    return withRoyalty(before, receiver, fraction);
  },
  [selectorOf('deleteDefaultRoyalty()')]: (before) => withRoyalty(before, zeroAddress, 0n),
};

export const callCollection = (before: DeployedCollection, from: Address, data: Hex): Effect => {
  const call = functions[data.slice(0, 10) as Hex];
  if (call === undefined || from.toLowerCase() !== before.owner) return revertPlainly();
  return call(before, `0x${data.slice(10)}`);
};

/** ERC-165 and ERC-721. */
const interfaces = ['0x01ffc9a7', '0x80ac58cd'];

const reads: Readonly<Record<Hex, (collection: DeployedCollection, argument: Hex) => Hex>> = {
  [selectorOf('ownerOf(uint256)')]: ({ owners }, id) =>
    addressWord(owners.get(BigInt(id)) ?? revertPlainly()),
  [selectorOf('balanceOf(address)')]: ({ owners }, of) =>
    word(BigInt([...owners.values()].filter((owner) => addressWord(owner) === of).length)),
  [selectorOf('supportsInterface(bytes4)')]: (_, id) => word(interfaces.includes(id.slice(0, 10)) ? 1n : 0n),
};

/** The result of a read. Reverts for a token that does not exist. */
export const readCollection = (collection: DeployedCollection | undefined, data: Hex): Hex => {
  if (collection === undefined) return '0x';
  const read = reads[data.slice(0, 10) as Hex];
  return read === undefined ? revertPlainly() : read(collection, `0x${data.slice(10)}`);
};

/** The result of contracts/owners-of.yul: the owner of each token, or 0. */
export const readOwners = (collections: ReadonlyMap<Address, DeployedCollection>, data: Hex): Hex => {
  const words = data.slice(ownersOfBytecode.length).match(/.{64}/g) ?? revertPlainly();
  const [contract = '', ...ids] = words;
  const owners = collections.get(`0x${contract.slice(24)}`)?.owners;
  return `0x${ids.map((id) => addressWord(owners?.get(BigInt(`0x${id}`)) ?? zeroAddress).slice(2)).join('')}`;
};

const constructorParameters = [
  { type: 'string' },
  { type: 'string' },
  { type: 'string' },
  address,
  address,
  uint96,
  uint256,
  { type: 'bool' },
  { type: 'bool' },
] as const;

/** @param encoded The arguments of the constructor. */
export const deployCollection = (encoded: Hex): Effect => {
  const [, , , owner, receiver, fraction, maxSupply, , revocable] = decodeAbiParameters(
    constructorParameters,
    encoded,
  );
  const collection: DeployedCollection = {
    owner: owner.toLowerCase() as Address,
    maxSupply: Number(maxSupply),
    revocable,
    minted: 0,
    owners: new Map(),
    royalty: `${receiver.toLowerCase()} ${fraction}`,
  };
  const ownership = {
    topics: [events.ownership, addressWord(zeroAddress), addressWord(owner)],
    data: '0x' as const,
  };
  return {
    collection,
    logs: [
      ownership,
      ...(receiver === zeroAddress
        ? []
        : [{ topics: [events.royalty, addressWord(receiver)], data: word(fraction) }]),
    ],
  };
};
