import { encodeFunctionData, getCreate2Address, size } from 'viem';
import { describe, expect, it } from 'vitest';
import artifact from '../../../contracts/artifacts/collection.json' with { type: 'json' };
import type { EventLog } from '../../../shared/chain/event-log.ts';
import type { Address, Hex } from '../../../shared/chain/hex.ts';
import {
  decodeOwner,
  deploymentProxy,
  encodeDeployment,
  encodeMint,
  encodeMintBatch,
  encodeOwnerOf,
  hasLogOf,
  hasMintLog,
} from '../../../shared/nft/collections/collection.ts';
import {
  contractMetadataUpdate,
  hasUpdateLog,
  revocation,
  royaltyUpdate,
} from '../../../shared/nft/collections/updates.ts';
import { aCollection, anvilAddress, aSalt } from '../../support/nft/collections.ts';

const collection: Address = '0x1111111111111111111111111111111111111111';
const destination: Address = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';

const topic = (value: string): Address => `0x${value.padStart(64, '0')}`;

function aTransferLog(changes: Partial<EventLog> = {}): EventLog {
  return {
    address: collection,
    topics: [
      '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
      topic('0'),
      topic(destination.slice(2).toLowerCase()),
      topic('7'),
    ],
    data: '0x',
    ...changes,
  };
}

const mintOfSeven = { collection, destination, tokenId: 7n };

describe('a deployment', () => {
  it('gets the address that CREATE2 computes from the bytes sent to the proxy', () => {
    const { address, to, data } = encodeDeployment({ collection: aCollection(), salt: aSalt(1) });

    expect(to).toBe(deploymentProxy);
    expect(data.slice(0, 66)).toBe(aSalt(1));
    expect(address).toBe(
      getCreate2Address({ from: deploymentProxy, salt: aSalt(1), bytecode: `0x${data.slice(66)}` }),
    );
  });

  it('gets the same address for the same salt, and another address for another salt', () => {
    const addresses = [1, 1, 2].map(
      (salt) => encodeDeployment({ collection: aCollection(), salt: aSalt(salt) }).address,
    );

    expect(addresses[0]).toBe(addresses[1]);
    expect(addresses[0]).not.toBe(addresses[2]);
  });

  it('gets another address for another owner, so that an outsider cannot occupy the address', () => {
    const [ours, theirs] = ([anvilAddress, destination] as const).map(
      (owner) => encodeDeployment({ collection: aCollection({ owner }), salt: aSalt(1) }).address,
    );

    expect(ours).not.toBe(theirs);
  });

  it('refuses a salt that is not 32 bytes', () => {
    expect(() => encodeDeployment({ collection: aCollection(), salt: '0x01' })).toThrow(RangeError);
  });

  it('stays within the code size limits of EIP-170 and EIP-3860', () => {
    expect(size(artifact.deployedBytecode as Address)).toBeLessThanOrEqual(24_576);
    expect(size(artifact.bytecode as Address)).toBeLessThanOrEqual(49_152);
  });
});

describe('the encoding of contract calls', () => {
  it('follows the ABI of the collection', () => {
    expect(encodeMint({ destination, tokenId: 7n })).toBe(
      encodeFunctionData({ abi: artifact.abi, functionName: 'mint', args: [destination, 7n] }),
    );
    expect(encodeOwnerOf(7n)).toBe(
      encodeFunctionData({ abi: artifact.abi, functionName: 'ownerOf', args: [7n] }),
    );
  });

  it('of a batch follows the ABI, and rejects a batch of 0 or of more than 95 tokens', () => {
    const batch = (tokens: number) =>
      encodeMintBatch({ destinations: Array(tokens).fill(destination), firstTokenId: 7n });

    expect(batch(2)).toBe(
      encodeFunctionData({
        abi: artifact.abi,
        functionName: 'mintBatch',
        args: [[destination, destination], 7n],
      }),
    );
    expect(() => batch(0)).toThrow(RangeError);
    expect(() => batch(96)).toThrow(RangeError);
  });

  it('decodes the owner that ownerOf returned, and finds no owner in an empty answer', () => {
    expect(decodeOwner(topic(destination.slice(2).toLowerCase()))).toBe(destination);
    expect(decodeOwner('0x')).toBeUndefined();
  });
});

describe('the logs of a mint', () => {
  it('prove the mint when the token went to its destination', () => {
    expect(hasMintLog({ logs: [aTransferLog()], ...mintOfSeven })).toBe(true);
  });

  const [event, from, to, id] = aTransferLog().topics as [Address, Address, Address, Address];
  it.each<[string, EventLog[]]>([
    ['there are none, as after a call to an address without code', []],
    ['another contract wrote them', [aTransferLog({ address: destination })]],
    ['the token came from somebody', [aTransferLog({ topics: [event, to, to, id] })]],
    ['somebody else got it', [aTransferLog({ topics: [event, from, topic('1'), id] })]],
    ['it is another token', [aTransferLog({ topics: [event, from, to, topic('8')] })]],
    ['it is an approval', [aTransferLog({ topics: [topic('ab'), from, to, id] })]],
    ['it is an ERC-20 transfer', [aTransferLog({ topics: [event, from, to] })]],
  ])('do not prove the mint when %s', (_, logs) => {
    expect(hasMintLog({ logs, ...mintOfSeven })).toBe(false);
  });

  it('reveal whether the collection wrote any log', () => {
    expect(hasLogOf({ logs: [aTransferLog()], collection })).toBe(true);
    expect(hasLogOf({ logs: [aTransferLog()], collection: destination })).toBe(false);
  });
});

describe('the log of an update', () => {
  const update = royaltyUpdate({ receiver: destination, basisPoints: 250 });
  const log = { address: collection, ...update.log } as EventLog;

  it('proves that the update happened', () => {
    expect(hasUpdateLog({ logs: [log], collection, update })).toBe(true);
  });

  it.each<[string, EventLog[]]>([
    ['there is none, as after a call to an address without code', []],
    ['another contract wrote it', [{ ...log, address: destination }]],
    ['another receiver gets the royalty', [{ ...log, topics: [log.topics[0] as Hex, topic('1')] }]],
    ['the royalty is another', [{ ...log, data: topic('fb') }]],
    ['it is of another update', [{ ...log, ...contractMetadataUpdate().log } as EventLog]],
  ])('does not prove the update when %s', (_, logs) => {
    expect(hasUpdateLog({ logs, collection, update })).toBe(false);
  });
});

describe('the log of a revocation', () => {
  const update = revocation(7n);
  const owner = topic(destination.slice(2).toLowerCase());
  const [event = '0x', , nobody = '0x', id = '0x'] = update.log.topics as Hex[];
  const burnt = aTransferLog({ topics: [event, owner, nobody, id] });

  it('proves that the token was burnt, no matter who owned the token', () => {
    expect(hasUpdateLog({ logs: [burnt], collection, update })).toBe(true);
    expect(
      hasUpdateLog({ logs: [aTransferLog({ topics: [event, topic('1'), nobody, id] })], collection, update }),
    ).toBe(true);
  });

  it.each<[string, EventLog[]]>([
    ['the token moved to somebody', [aTransferLog({ topics: [event, owner, topic('1'), id] })]],
    ['another token was burnt', [aTransferLog({ topics: [event, owner, nobody, topic('8')] })]],
    ['another contract wrote it', [{ ...burnt, address: destination }]],
    ['a topic is missing', [aTransferLog({ topics: [event, owner, nobody] })]],
  ])('does not prove the revocation when %s', (_, logs) => {
    expect(hasUpdateLog({ logs, collection, update })).toBe(false);
  });
});
