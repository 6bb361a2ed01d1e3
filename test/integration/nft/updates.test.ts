import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { decodeAbiParameters, encodeFunctionData, parseAbi, parseEventLogs } from 'viem';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Hash } from '../../../shared/chain/hex.ts';
import type { Contract } from '../../../shared/nft/collections/contract.ts';
import { batchTokensAtMost } from '../../../shared/nft/collections/limits.ts';
import {
  ContractNotFoundError,
  IdempotencyKeyInUseError,
  NftFailedError,
  NftNotFoundError,
} from '../../../shared/nft/errors.ts';
import { nftKey } from '../../../shared/nft/store/nft-items.ts';
import { requestLeaseMilliseconds } from '../../../shared/nft/submit/deadlines.ts';
import {
  setRoyalty,
  updateContractMetadata,
  updateTokenMetadata,
} from '../../../shared/nft/submit/update.ts';
import type { Nft, NftMetadata } from '../../../shared/nft/tokens/nft.ts';
import { type Entry, isKnownEntry, lastAttempt } from '../../../shared/nft/transactions/entry.ts';
import { patient } from '../../../shared/platform/time/patience.ts';
import { collectionAbi } from '../../support/nft/collection-abi.ts';
import { Broken, type Fault, withFault } from '../../support/nft/faults.ts';
import { expectFinishedSigner } from '../../support/nft/invariants.ts';
import { someMetadata } from '../../support/nft/metadata.ts';
import { type Ports, receiver, receivers, startWorld, type World } from '../../support/nft/world.ts';
import { anApplication } from '../../support/platform/applications.ts';
import { startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

let database: TestDatabase;
let world: World;
let contract: Contract;
let nfts: readonly Nft[];

beforeAll(async () => {
  database = await startDatabase();
  world = await startWorld({ database, passMilliseconds: 1_000 });
  contract = await world.deploy();
  nfts = await world.mintBatch({ contract: contract.address, destinations: receivers(3) });
  await world.untilFinal();
});

afterAll(async () => {
  await world.stop();
  await database.stop();
});

interface Options {
  readonly key?: string;
  readonly onRepeated?: () => void;
  readonly ports?: Ports;
  readonly of?: Contract;
}

const royalty = { receiver, basisPoints: 250 };

const request = (what: string, { key, onRepeated = () => {}, of = contract }: Options, body: unknown) => ({
  application: world.application,
  idempotency: { scope: `${what} of ${of.address}`, key, body, onRepeated },
  contract: of.address,
});

const token = (tokenId: string, of = contract) =>
  world.ports.nfts.find({ applicationId: of.applicationId, contract: of.address, tokenId });
/** The state of each token's last metadata change. */
const tokenChanges = async (ids: readonly string[], of?: Contract) =>
  (await Promise.all(ids.map((id) => token(id, of)))).map((nft) => nft?.metadataChange);
const contractNow = () => world.ports.contracts.find(contract);

/** Each kind of change: the call that makes it, the event that it emits on the chain, and where its state is stored. */
const changes = {
  'the metadata of a token': {
    make: (options: Options = {}) =>
      updateTokenMetadata(world.submitDependencies(options.ports), {
        ...request('token', options, 'x'),
        from: '2',
        metadata: [someMetadata('Other')],
      }),
    event: { eventName: 'MetadataUpdate', args: { _tokenId: 2n } },
    kept: () => tokenChanges(['2']),
  },
  'the metadata of a range': {
    make: (options: Options = {}) =>
      updateTokenMetadata(world.submitDependencies(options.ports), {
        ...request('tokens', options, 'x'),
        from: '1',
        metadata: ['A', 'B', 'C'].map(someMetadata),
      }),
    event: { eventName: 'BatchMetadataUpdate', args: { _fromTokenId: 1n, _toTokenId: 3n } },
    kept: () => tokenChanges(['1', '2', '3']),
  },
  'the metadata of the collection': {
    make: (options: Options = {}) =>
      updateContractMetadata(world.submitDependencies(options.ports), {
        ...request('collection', options, 'x'),
        metadata: { description: 'New', image: 'ipfs://new', media: [{ type: 'image', value: 'ipfs://m' }] },
      }),
    event: { eventName: 'ContractURIUpdated' },
    kept: async () => [(await contractNow())?.metadataChange],
  },
  'the royalty': {
    make: (options: Options = {}) =>
      setRoyalty(world.submitDependencies(options.ports), { ...request('royalty', options, 'x'), royalty }),
    event: { eventName: 'DefaultRoyaltyUpdated', args: { fraction: 250n } },
    kept: async () => [(await contractNow())?.royaltyChange],
  },
} as const;
const all = Object.entries(changes) as [keyof typeof changes, (typeof changes)[keyof typeof changes]][];

const abi = [
  ...collectionAbi,
  ...parseAbi([
    'event MetadataUpdate(uint256 _tokenId)',
    'event DefaultRoyaltyUpdated(address indexed receiver, uint96 fraction)',
  ]),
] as const;

const nextNonce = async (): Promise<number> =>
  (await world.ports.signers.find(world.signerId))?.nextNonce ?? Number.NaN;

const updatesFrom = async (nonce: number) => {
  const entries = await world.ports.transactionLog.range({
    signer: world.signerId,
    from: nonce,
    to: await nextNonce(),
  });
  return entries.filter(({ purpose }) => purpose.kind !== 'noop');
};

const eventsOf = async (hash: Hash) => {
  const receipt = (await world.ports.chain.receipts([hash])).get(hash);
  return parseEventLogs({ abi, logs: (receipt?.logs ?? []) as Parameters<typeof parseEventLogs>[0]['logs'] });
};

const royaltyOnChain = async (of: Contract) => {
  const data = encodeFunctionData({ abi, functionName: 'royaltyInfo', args: [1n, 10_000n] });
  const answer = await world.anvil.rpc('eth_call', { to: of.address, data }, 'latest');
  return decodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], answer as Hash);
};

const retry = async (make: (options: Options) => Promise<unknown>, key: string): Promise<unknown> => {
  try {
    return await make({ key });
  } catch (error) {
    expect(error).toBeInstanceOf(IdempotencyKeyInUseError);
    world.skip(patient(20_000));
    return make({ key });
  }
};

describe.each(all)('a change of %s', (what, { make, event, kept }) => {
  it('is one transaction with one event, even if the call is repeated with its idempotency key', async () => {
    const nonce = await nextNonce();

    await Promise.allSettled([make({ key: 'once' }), make({ key: 'once' }), make({ key: 'once' })]);
    await retry(make, 'once');
    const before = await kept();
    await world.untilFinal();
    await make({ key: 'once' });

    const entries = await updatesFrom(nonce);
    expect(entries).toHaveLength(1);
    expect(entries[0]?.status).toBe('confirmed');
    const [hash] = entries[0]?.attempts.map((attempt) => attempt.hash) ?? [];
    expect(await eventsOf(hash ?? '0x')).toMatchObject([event]);
    expect(before).toEqual(before.map(() => expect.objectContaining({ status: 'pending', nonce })));
    const after = { status: 'confirmed', nonce, transactionHash: hash };
    expect(await kept()).toEqual(before.map(() => expect.objectContaining(after)));
  });

  it('is made once by two requests with one key, and answered as a repetition to the one that was too slow', async () => {
    const nonce = await nextNonce();
    const onRepeated = vi.fn();
    const fast = vi.fn();
    const slow: Ports = {
      ...world.ports,
      transactionLog: {
        ...world.ports.transactionLog,
        record: async (recording) => {
          if (recording.hold !== undefined) {
            world.skip(requestLeaseMilliseconds + 1);
            await make({ key: 'slow', onRepeated: fast });
          }
          return world.ports.transactionLog.record(recording);
        },
      },
    };

    await make({ key: 'slow', onRepeated, ports: slow });

    expect(onRepeated).toHaveBeenCalledOnce();
    expect(fast).not.toHaveBeenCalled();
    expect(await updatesFrom(nonce)).toHaveLength(1);
    await world.untilFinal();
    await expectFinishedSigner(world);
  });

  it('is rejected with "not found" for another application', async () => {
    const nonce = await nextNonce();
    const { application } = world;
    Object.assign(world, { application: anApplication({ id: 'two' }) });

    await expect(make()).rejects.toBeInstanceOf(ContractNotFoundError);

    Object.assign(world, { application });
    expect(await nextNonce(), what).toBe(nonce);
  });
});

describe('a change of metadata', () => {
  it('is visible as soon as the call has answered', async () => {
    const [changed] = await changes['the metadata of a token'].make();
    const collection = await changes['the metadata of the collection'].make();

    const { applicationId, address } = contract;
    expect(changed?.metadata.name).toBe('Other');
    expect(await world.ports.nfts.find({ applicationId, contract: address, tokenId: '2' })).toEqual(changed);
    expect(collection).toMatchObject({ description: 'New', image: 'ipfs://new' });
    expect(await world.ports.contracts.findPublic(address)).toEqual(collection);
  });

  it('is stored as one JSON text without empty fields and without the attributes of the key', async () => {
    const { applicationId, address } = contract;
    const key = { applicationId, contract: address, tokenId: '3' };
    const token = await world.ports.nfts.find(key);
    const { Items: [item] = [] } = await database.sdk.send(
      new QueryCommand({
        TableName: world.tables.Nfts,
        KeyConditionExpression: 'pk = :pk AND sk > :second',
        ExpressionAttributeValues: { ':pk': `${applicationId}#${address}`, ':second': '2'.padStart(16, '0') },
      }),
    );

    expect(JSON.parse(String(item?.metadata))).toEqual({ name: token?.metadata.name });
    expect(Object.keys(item ?? {})).not.toContain('tokenId');
  });

  it('of 95 tokens needs one transaction', async () => {
    const of = await world.deploy();
    await world.mintBatch({ contract: of.address, destinations: receivers(batchTokensAtMost) });
    const nonce = await nextNonce();

    const changed = await updateTokenMetadata(world.submitDependencies(), {
      ...request('all', { key: 'all', of }, 'x'),
      from: '1',
      metadata: receivers(batchTokensAtMost).map((_, index) => someMetadata(`New ${index}`)),
    });
    await world.untilFinal();

    expect(changed.map(({ metadata: { name } }) => name)).toEqual(
      receivers(batchTokensAtMost).map((_, index) => `New ${index}`),
    );
    expect(await updatesFrom(nonce)).toMatchObject([{ status: 'confirmed' }]);
  });

  it("shows for each token the status of that token's last change", async () => {
    const of = await world.deploy();
    await world.mintBatch({ contract: of.address, destinations: receivers(batchTokensAtMost) });
    const ids = receivers(batchTokensAtMost).map((_, index) => String(index + 1));
    const change = (from: string, metadata: readonly NftMetadata[]) =>
      updateTokenMetadata(world.submitDependencies(), { ...request(from, { of }, 'x'), from, metadata });
    const first = await nextNonce();
    await change('1', ids.map(someMetadata));
    await change('2', [someMetadata('Two')]);
    await change('94', ['A', 'B'].map(someMetadata));
    const [all, two] = await updatesFrom(first);
    if (all === undefined || two === undefined || !isKnownEntry(all) || !isKnownEntry(two))
      throw new Error('Not recorded');
    const decide = (entry: Entry) =>
      world.ports.transactionLog.finalize([
        { entry, verdict: { status: 'confirmed', hash: lastAttempt(entry).hash }, at: 1 },
      ]);

    expect(await decide(all)).toEqual([all]);
    const between = await tokenChanges(ids, of);
    expect(await decide(all)).toEqual([]);
    await world.untilFinal();

    const standing = (nonce: number, status: string) => expect.objectContaining({ nonce, status });
    const own = ids.map((id) => {
      if (id === '2') return first + 1;
      return Number(id) < 94 ? first : first + 2;
    });
    expect(between).toEqual(own.map((nonce) => standing(nonce, nonce === first ? 'confirmed' : 'pending')));
    expect(await tokenChanges(ids, of)).toEqual(own.map((nonce) => standing(nonce, 'confirmed')));
    await expectFinishedSigner(world);
  });

  it('is announced again, for the tokens that have not changed since, if another transaction used its nonce', async () => {
    const of = await world.deploy();
    await world.mintBatch({ contract: of.address, destinations: receivers(3) });
    await world.untilFinal();
    const nonce = await nextNonce();
    const fault: Fault = { at: 'chain.broadcast', when: 'before', mode: 'crash' };
    const cut = (from: string, metadata: readonly NftMetadata[]) =>
      expect(
        updateTokenMetadata(world.submitDependencies(withFault(world.ports, fault).ports), {
          ...request(from, { of }, 'x'),
          from,
          metadata,
        }),
      ).rejects.toBeInstanceOf(Broken);
    await cut('1', ['A', 'B', 'C'].map(someMetadata));
    await cut('3', [someMetadata('D')]);
    await cut('3', [someMetadata('E')]);
    await world.useNonce(nonce);
    await world.useNonce(nonce + 1);

    await world.untilFinal();

    const entries = await updatesFrom(nonce);
    expect(entries.map(({ status, supersedes }) => [status, supersedes])).toEqual([
      ['superseded', undefined],
      ['superseded', undefined],
      ['confirmed', undefined],
      ['confirmed', nonce],
    ]);
    const [, , newest, successor] = entries;
    const changes = await tokenChanges(['1', '2', '3'], of);
    expect(changes.map((change) => change?.nonce)).toEqual([
      successor?.nonce,
      successor?.nonce,
      newest?.nonce,
    ]);
    expect(changes.map((change) => change?.status)).toEqual(['confirmed', 'confirmed', 'confirmed']);
    expect(await eventsOf(changes[0]?.transactionHash ?? '0x')).toMatchObject([
      { eventName: 'BatchMetadataUpdate', args: { _fromTokenId: 1n, _toTokenId: 3n } },
    ]);
    expect((await token('3', of))?.metadata.name).toBe('E');
    await expectFinishedSigner(world);
  });

  it('is shown even if its announcement fails, with the reason of the failure', async () => {
    const of = await world.deploy();
    await world.mintBatch({ contract: of.address, destinations: receivers(1) });
    await world.untilFinal();
    await world.anvil.rpc('anvil_setCode', of.address, '0x5f5ffd');

    await updateTokenMetadata(world.submitDependencies(), {
      ...request('failing', { of }, 'x'),
      from: '1',
      metadata: [someMetadata('New')],
    });
    await updateContractMetadata(world.submitDependencies(), {
      ...request('failing', { of }, 'x'),
      metadata: { description: 'New', image: null, media: [] },
    });
    await world.untilFinal();

    const failed = { status: 'failed', failureReason: expect.stringContaining('REVERTED') };
    expect(await token('1', of)).toMatchObject({
      status: 'confirmed',
      metadata: { name: 'New' },
      metadataChange: failed,
    });
    expect(await world.ports.contracts.find(of)).toMatchObject({
      status: 'confirmed',
      description: 'New',
      metadataChange: failed,
    });
  });

  it('becomes final even if the items of its tokens have lost its status, as in a restored table', async () => {
    const nonce = await nextNonce();
    await updateTokenMetadata(world.submitDependencies(), {
      ...request('old', {}, 'x'),
      from: '1',
      metadata: ['A', 'B'].map(someMetadata),
    });
    for (const tokenId of ['1', '2']) {
      await database.sdk.send(
        new UpdateCommand({
          TableName: world.tables.Nfts,
          Key: nftKey({ applicationId: contract.applicationId, contract: contract.address, tokenId }),
          UpdateExpression: 'REMOVE metadataChange',
        }),
      );
    }

    await world.untilFinal();

    expect(await updatesFrom(nonce)).toMatchObject([{ status: 'confirmed' }]);
    expect(await tokenChanges(['1', '2'])).toEqual([undefined, undefined]);
  });

  it('is rejected for a range with a missing token and for a failed token', async () => {
    const nonce = await nextNonce();
    const range = (of: Contract) =>
      updateTokenMetadata(world.submitDependencies(), {
        ...request('range', { of }, 'x'),
        from: '3',
        metadata: ['C', 'D'].map(someMetadata),
      });
    await expect(range(contract)).rejects.toBeInstanceOf(NftNotFoundError);
    expect(await nextNonce()).toBe(nonce);

    const of = await world.deploy();
    await world.untilFinal();
    await world.anvil.rpc('anvil_setCode', of.address, '0x5f5ffd');
    await world.mintBatch({ contract: of.address, destinations: receivers(4) });
    await world.untilFinal();
    await expect(range(of)).rejects.toBeInstanceOf(NftFailedError);
    expect(nfts).toHaveLength(3);
  });
});

describe('a change of the royalty', () => {
  it('is not needed for the royalty of the deployment, which royaltyInfo returns', async () => {
    const of = await world.deploy({ royalty });
    await world.untilFinal();

    expect((await royaltyOnChain(of)).map(String)).toEqual([expect.stringMatching(/aa$/i), '250']);
  });

  it('is pending until it is final, and null removes the royalty', async () => {
    const of = await world.deploy({ royalty });
    const set = (next: typeof royalty | null, basis = next?.basisPoints) =>
      setRoyalty(world.submitDependencies(), { ...request('royalty', { of }, basis), royalty: next });

    expect((await set({ receiver, basisPoints: 700 })).royaltyChange).toMatchObject({
      royalty: { basisPoints: 700 },
      status: 'pending',
    });
    await world.untilFinal();
    expect((await world.ports.contracts.find(of))?.royaltyChange?.status).toBe('confirmed');
    expect((await royaltyOnChain(of))[1]).toBe(700n);

    await set(null);
    await world.untilFinal();
    expect((await world.ports.contracts.find(of))?.royaltyChange).toMatchObject({
      royalty: null,
      status: 'confirmed',
    });
    expect((await royaltyOnChain(of))[1]).toBe(0n);
  });

  it('leaves the same royalty in the table and on the chain after concurrent calls', async () => {
    const of = await world.deploy();
    await Promise.all(
      [100, 200, 300, 400, 500].map((basisPoints) =>
        setRoyalty(world.submitDependencies(), {
          ...request('royalty', { of }, basisPoints),
          royalty: { receiver, basisPoints },
        }),
      ),
    );
    await world.untilFinal();

    const { royaltyChange } = (await world.ports.contracts.find(of)) ?? {};
    expect(royaltyChange?.status).toBe('confirmed');
    expect(await royaltyOnChain(of)).toMatchObject([
      expect.any(String),
      BigInt(royaltyChange?.royalty?.basisPoints ?? -1),
    ]);
    await expectFinishedSigner(world);
  });

  it('is repeated if another transaction used its nonce, but not after a later change', async () => {
    const of = await world.deploy();
    await world.untilFinal();
    const fault: Fault = { at: 'chain.broadcast', when: 'before', mode: 'crash' };
    const nonce = await nextNonce();
    const cut = (basisPoints: number) =>
      setRoyalty(world.submitDependencies(withFault(world.ports, fault).ports), {
        ...request('royalty', { of }, basisPoints),
        royalty: { receiver, basisPoints },
      });
    await expect(cut(100)).rejects.toBeInstanceOf(Broken);
    await expect(cut(200)).rejects.toBeInstanceOf(Broken);
    await world.useNonce(nonce);

    await world.untilFinal();

    expect(await royaltyOnChain(of)).toMatchObject([expect.any(String), 200n]);
    expect((await world.ports.contracts.find(of))?.royaltyChange).toMatchObject({
      royalty: { basisPoints: 200 },
      status: 'confirmed',
    });
    expect((await updatesFrom(nonce)).map(({ status }) => status)).toEqual(['superseded', 'confirmed']);
    await expectFinishedSigner(world);
  });
});
