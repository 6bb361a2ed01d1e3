import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { decodeAbiParameters } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { followToTheEnd, setBases } from '../../../operator/nft/contracts/base-settings.ts';
import { reportSigners } from '../../../operator/nft/signers/signer-report.ts';
import { entryReport } from '../../../operator/nft/transactions/entry-report.ts';
import { openNonces } from '../../../operator/nft/transactions/open-entries.ts';
import { findContract, findToken } from '../../../operator/stage/find/collection-timelines.ts';
import type { Timeline } from '../../../operator/stage/find/timeline.ts';
import type { Address } from '../../../shared/chain/hex.ts';
import { baseBytesAtMost } from '../../../shared/nft/collections/collection.ts';
import { dynamoDbChanges } from '../../../shared/nft/store/changes.ts';
import { dynamoDbHistoryLines } from '../../../shared/nft/store/history-lines.ts';
import { entryKey } from '../../../shared/nft/store/nft-items.ts';
import { entryItem } from '../../../shared/nft/store/transaction-items.ts';
import { setBase } from '../../../shared/nft/submit/set-base.ts';
import {
  setRoyalty,
  updateContractMetadata,
  updateTokenMetadata,
} from '../../../shared/nft/submit/update.ts';
import { type Entry, isKnownEntry, type LoggedEntry } from '../../../shared/nft/transactions/entry.ts';
import { bumpEntry, cancelEntry, mintsBehind } from '../../../shared/nft/waiter/operator-actions.ts';
import { transactionWritesAtMost } from '../../../shared/platform/store/client.ts';
import { withFault } from '../../support/nft/faults.ts';
import { expectFinishedSigner, expectInvariants } from '../../support/nft/invariants.ts';
import { someMetadata } from '../../support/nft/metadata.ts';
import { type Miner, startMiner } from '../../support/nft/miner.ts';
import { receiver, receivers, startWorld, type World } from '../../support/nft/world.ts';
import { startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

let database: TestDatabase;
let world: World;
let miner: Miner;

beforeAll(async () => {
  database = await startDatabase();
  world = await startWorld({ database, anvil: { noMining: true }, passMilliseconds: 1_000 });
  miner = startMiner(world.anvil);
});

afterAll(async () => {
  await miner.stop();
  await world.stop();
  await database.stop();
});

const whileNothingIsMined = <Result>(work: () => Promise<Result>): Promise<Result> => miner.holdBack(work);

const entryOf = async (nonce: number): Promise<LoggedEntry> => {
  const entry = await world.ports.transactionLog.find({ signer: world.signerId, nonce });
  if (entry === undefined) throw new Error(`nonce ${nonce} has no entry`);
  return entry;
};

const place = (nonce: number) => ({ signer: world.signerId, nonce });

describe('a cancelled transaction', () => {
  it('fails for good without a token, and later transactions continue', async () => {
    const contract = await world.deploy();
    await world.untilFinal();
    const [withdrawn, kept] = await whileNothingIsMined(async () => {
      const first = await world.mint({ contract: contract.address, key: 'withdrawn' });
      const second = await world.mint({ contract: contract.address, key: 'kept' });
      expect(await cancelEntry(world.submitDependencies(), place(first.nonce))).toMatchObject({
        outcome: 'sent',
      });
      return [first, second];
    });

    await world.untilFinal();

    const failed = await world.ports.nfts.find(withdrawn);
    expect(failed).toMatchObject({ status: 'failed', failureReason: 'CANCELLED: withdrawn by the operator' });
    expect(await world.mint({ contract: contract.address, key: 'withdrawn' })).toEqual(failed);
    await expectInvariants(world, { contract, promised: [{ nft: kept, key: 'kept' }] });
  });

  it('is confirmed if it is mined before its cancellation', async () => {
    const contract = await world.deploy();
    await world.untilFinal();
    const dependencies = world.submitDependencies();
    const deaf = {
      ...dependencies,
      chain: {
        ...dependencies.chain,
        broadcast: async () => ({ outcome: 'unknown' as const, detail: 'nobody answers' }),
      },
    };
    const nft = await whileNothingIsMined(async () => {
      const minted = await world.mint({ contract: contract.address, key: 'faster' });
      expect(await cancelEntry(deaf, place(minted.nonce))).toMatchObject({
        outcome: 'sent',
        broadcast: { outcome: 'unknown' },
      });
      await world.anvil.rpc('evm_mine');
      return minted;
    });

    await world.untilFinal();

    await expectInvariants(world, { contract, promised: [{ nft, key: 'faster' }] });
  });

  it('fails the mints into the collection that it would have deployed', async () => {
    const [contract, nft] = await whileNothingIsMined(async () => {
      const deployed = await world.deploy();
      const minted = await world.mint({ contract: deployed.address });
      const entry = await entryOf(deployed.nonce);
      expect(await mintsBehind(world.ports, { entry, nextNonce: minted.nonce + 1 })).toBe(1);
      await cancelEntry(world.submitDependencies(), place(deployed.nonce));
      return [deployed, minted];
    });

    await world.untilFinal();

    expect(await world.ports.contracts.find(contract)).toMatchObject({ status: 'failed' });
    expect(await world.ports.nfts.find(nft)).toMatchObject({ status: 'failed' });
    await expectFinishedSigner(world);
  });

  it('remains cancelled when the waiter raises its fees, and cannot be cancelled again', async () => {
    const contract = await world.deploy();
    await world.untilFinal();
    const nft = await whileNothingIsMined(async () => {
      const minted = await world.mint({ contract: contract.address });
      await cancelEntry(world.submitDependencies(), place(minted.nonce));
      expect(await cancelEntry(world.submitDependencies(), place(minted.nonce))).toMatchObject({
        outcome: 'refused',
      });
      expect(await bumpEntry(world.submitDependencies(), place(minted.nonce))).toMatchObject({
        outcome: 'sent',
      });
      return minted;
    });

    await world.untilFinal();

    const { attempts, status } = await entryOf(nft.nonce);
    expect(attempts.map(({ cancels }) => cancels)).toEqual([undefined, true, true]);
    expect(status).toBe('failed');
  });

  it('is rejected once it is mined, decided, unknown, or not yet sent to nodes', async () => {
    const contract = await world.deploy();
    await world.untilFinal();

    expect(await cancelEntry(world.submitDependencies(), place(contract.nonce))).toEqual({
      outcome: 'refused',
      reason: `Nonce ${contract.nonce} is confirmed.`,
    });
    expect(await cancelEntry(world.submitDependencies(), place(1_000_000))).toMatchObject({
      outcome: 'refused',
    });
    await whileNothingIsMined(async () => {
      const unsent = {
        ...world.ports.chain,
        broadcast: async () => ({ outcome: 'unknown' as const, detail: '' }),
      };
      const first = await world.mint({
        contract: contract.address,
        ports: { ...world.ports, chain: unsent },
      });
      const second = await world.mint({
        contract: contract.address,
        ports: { ...world.ports, chain: unsent },
      });
      expect(await cancelEntry(world.submitDependencies(), place(second.nonce))).toEqual({
        outcome: 'refused',
        reason: `Nonce ${second.nonce} was not sent yet; it waits for nonce ${first.nonce}.`,
      });
    });
    await world.untilFinal();
    await expectFinishedSigner(world);
  });
});

describe('a fee raise by the operator', () => {
  it('replaces the first waiting transaction, whose token is minted once', async () => {
    const contract = await world.deploy();
    await world.untilFinal();
    const nft = await whileNothingIsMined(async () => {
      const minted = await world.mint({ contract: contract.address, key: 'bumped' });
      const behind = await world.mint({ contract: contract.address });
      expect(await bumpEntry(world.submitDependencies(), place(behind.nonce))).toMatchObject({
        outcome: 'refused',
      });
      expect(await bumpEntry(world.submitDependencies(), place(minted.nonce))).toMatchObject({
        outcome: 'sent',
        broadcast: { outcome: 'accepted' },
      });
      return minted;
    });

    await world.untilFinal();

    const [first, second] = (await entryOf(nft.nonce)).attempts;
    expect(await world.ports.nfts.find(nft)).toMatchObject({ transactionHash: second?.hash });
    expect((second?.maxFeePerGas ?? 0n) * 8n).toBeGreaterThanOrEqual((first?.maxFeePerGas ?? 0n) * 9n);
    await expectInvariants(world, { contract, promised: [{ nft, key: 'bumped' }] });
  });

  it('never exceeds the ceiling of the stage', async () => {
    const contract = await world.deploy();
    await world.untilFinal();
    const dependencies = world.submitDependencies();
    await whileNothingIsMined(async () => {
      const { nonce } = await world.mint({ contract: contract.address });
      const low = { ...dependencies, settings: { ...dependencies.settings, feeCeiling: 1_000_000_000n } };

      expect(await bumpEntry(low, place(nonce))).toMatchObject({ outcome: 'refused' });
      expect((await entryOf(nonce)).attempts).toHaveLength(1);
    });
    await world.untilFinal();
  });
});

describe('the list of open nonces', () => {
  it('shows a nonce that an outsider has used as one whose transaction is still searched for, not as mined', async () => {
    const contract = await world.deploy();
    await world.untilFinal();
    const deaf = {
      ...world.ports.chain,
      broadcast: async () => ({ outcome: 'unknown' as const, detail: '' }),
    };
    const ports = { ...world.ports, chain: deaf };
    const [taken, mined] = await whileNothingIsMined(async () => {
      const lost = await world.mint({ contract: contract.address, ports });
      await world.useNonce(lost.nonce);
      const next = await world.mint({ contract: contract.address });
      await world.anvil.rpc('evm_mine');
      const open = await openNonces(world.submitDependencies(), world.signerId);
      return [lost, next].map(({ nonce }) => open.find((one) => one.nonce === nonce));
    });

    expect(taken).toMatchObject({ place: 'nonce-used' });
    expect(mined).toMatchObject({ place: 'mined' });
    await world.untilFinal();
    await expectFinishedSigner(world);
  });
});

describe("a change of a collection's base address", () => {
  const contractUri = async (address: string): Promise<string> => {
    const answer = await world.anvil.rpc('eth_call', { to: address, data: '0xe8a3d485' }, 'latest');
    return decodeAbiParameters([{ type: 'string' }], answer as `0x${string}`)[0];
  };
  const setBaseDependencies = () => ({ ...world.submitDependencies(), contracts: world.ports.contracts });
  const longBase = (letter: string) => `https://example.com/${letter.repeat(baseBytesAtMost - 20)}`;

  it('is recorded in the log, also while the collection is being deployed', async () => {
    const contract = await world.deploy();
    const change = {
      applicationId: contract.applicationId,
      contract: contract.address,
      base: 'https://new.example.com',
    };

    const sent = await setBases(setBaseDependencies(), { changes: [change], onProgress: () => {} });
    await world.untilFinal();

    const [setting] = await followToTheEnd(world.ports, sent, { onProgress: () => {} });
    expect(setting).toMatchObject({ problem: undefined, entry: { status: 'confirmed' } });
    expect(await contractUri(contract.address)).toBe(
      `https://new.example.com/api/v1/nft/contracts/${contract.address}/metadata`,
    );
    await expectFinishedSigner(world);
  });

  it('is followed to the transaction that repeats it if another one has used its nonce', async () => {
    const contract = await world.deploy();
    await world.untilFinal();
    const chain = {
      ...world.ports.chain,
      broadcast: async () => ({ outcome: 'unknown' as const, detail: '' }),
    };
    const change = {
      applicationId: contract.applicationId,
      contract: contract.address,
      base: 'https://repeated.example.com',
    };
    const sent = await setBases(
      { ...setBaseDependencies(), chain },
      { changes: [change], onProgress: () => {} },
    );
    await world.useNonce(sent[0]?.entry?.nonce ?? Number.NaN);
    await world.untilFinal();

    const [setting] = await followToTheEnd(world.ports, sent, { onProgress: () => {} });

    expect(setting).toMatchObject({
      problem: undefined,
      entry: { status: 'confirmed', supersedes: sent[0]?.entry?.nonce },
    });
    expect(await contractUri(contract.address)).toMatch(/^https:\/\/repeated\.example\.com\//);
  });

  it('has enough gas for the longest base addresses, and for shorter ones after them', async () => {
    const contract = await world.deploy();
    const { applicationId, address } = contract;
    const bases = [longBase('a'), longBase('b'), 'https://x.example.com'];

    const entries = [];
    for (const base of bases) {
      entries.push(await setBase(setBaseDependencies(), { applicationId, contract: address, base }));
    }
    await world.untilFinal();

    for (const { nonce, gas } of entries) {
      const report = await entryReport(
        { ...world.ports, explorer: 'https://explorer.example' },
        await entryOf(nonce),
      );
      expect(report.status).toBe('confirmed');
      expect(report.explorer).toMatch(/^https:\/\/explorer\.example\/tx\/0x[0-9a-f]{64}$/);
      expect(BigInt(report.attempts[0]?.gas_used ?? 0)).toBeLessThan((gas * 8n) / 10n);
    }
  });

  it("is rejected for another application's collection before it takes a nonce", async () => {
    const contract = await world.deploy();
    const before = await world.ports.signers.find(world.signerId);

    const [setting] = await setBases(setBaseDependencies(), {
      changes: [{ applicationId: 'other', contract: contract.address, base: 'https://new.example.com' }],
      onProgress: () => {},
    });

    expect(setting).toMatchObject({ entry: undefined, problem: expect.stringContaining('no contract') });
    expect((await world.ports.signers.find(world.signerId))?.nextNonce).toBe(before?.nextNonce);
    await world.untilFinal();
  });

  it('can be cancelled before it is mined', async () => {
    const contract = await world.deploy();
    await world.untilFinal();
    const uri = await contractUri(contract.address);
    const { applicationId, address } = contract;
    const entry = await whileNothingIsMined(async () => {
      const made = await setBase(setBaseDependencies(), {
        applicationId,
        contract: address,
        base: 'https://x.example.com',
      });
      await cancelEntry(world.submitDependencies(), place(made.nonce));
      return made;
    });

    await world.untilFinal();

    expect((await entryOf(entry.nonce)).status).toBe('failed');
    expect(await contractUri(address)).toBe(uri);
  });
});

describe('the timeline of a collection and of its tokens', () => {
  const application = () => world.application;
  const timelineDependencies = () => ({
    ...world.ports,
    changes: dynamoDbChanges({ client: database.documents, tableName: world.tables.Transactions }),
    lines: dynamoDbHistoryLines({
      client: database.documents,
      tableName: world.tables.TokenHistory,
    }),
    records: { ofSubject: async () => [] },
    endpoints: { ofApplication: async () => [] },
    clock: Date.now,
    blockTimes: async () => new Map<number, number>(),
  });
  const request = (contract: Address, what: string) => ({
    application: application(),
    idempotency: { scope: what, key: undefined, body: what },
    contract,
  });
  /** The steps of each nonce without their details, such as `nonce 3: confirmed`. */
  const steps = (timeline: Timeline | undefined): string[] =>
    (timeline?.moments ?? []).flatMap(({ what }) => {
      const [, nonce, step] =
        /^nonce (\d+): (accepted and recorded: [^,]*|replaced|mined|confirmed)/.exec(what) ?? [];
      return nonce === undefined ? [] : [`nonce ${nonce}: ${step}`];
    });

  it('finds a change of more tokens than a request may have, of which the token is the last', async () => {
    const { applicationId, address: contract } = await world.deploy();
    const collection = { applicationId, contract };
    const [deployment] = await world.ports.transactionLog.range({ signer: world.signerId, from: 0, to: 1 });
    if (deployment === undefined || !isKnownEntry(deployment)) throw new Error('Not recorded');
    // As many as one DynamoDB transaction can have changed.
    const to = String(2 + transactionWritesAtMost - 1);
    const change: Entry = {
      ...deployment,
      signer: `${world.signerId}00`,
      purpose: { kind: 'update-metadata', ...collection, from: '2', to },
    };
    await database.documents.put({ TableName: world.tables.Transactions, Item: entryItem(change) });
    const changes = dynamoDbChanges({ client: database.documents, tableName: world.tables.Transactions });

    const found = await changes.ofToken({ ...collection, tokenId: to });
    const ofNext = await changes.ofToken({ ...collection, tokenId: String(Number(to) + 1) });

    expect(found.changes.map(({ signer }) => signer)).toEqual([change.signer]);
    expect(ofNext.changes).toEqual([]);
  });

  it('shows each change of any kind from its recording to its end', async () => {
    const { address: contract } = await world.deploy();
    await world.mintBatch({ contract, destinations: receivers(3) });
    await world.untilFinal();
    const first = (await world.ports.signers.find(world.signerId))?.nextNonce ?? Number.NaN;
    const dependencies = world.submitDependencies();
    await whileNothingIsMined(async () => {
      const one = { ...request(contract, 'one'), from: '2', metadata: [someMetadata('A')] };
      const all = { ...request(contract, 'all'), from: '1', metadata: ['B', 'C', 'D'].map(someMetadata) };
      const shown = { description: 'New', image: null, media: [] };
      await updateTokenMetadata(dependencies, one);
      await updateTokenMetadata(dependencies, all);
      await updateContractMetadata(dependencies, { ...request(contract, 'shown'), metadata: shown });
      for (const royalty of [{ receiver, basisPoints: 250 }, null]) {
        await setRoyalty(dependencies, { ...request(contract, `royalty ${royalty}`), royalty });
      }
      const { id } = application();
      await setBase(
        { ...dependencies, contracts: world.ports.contracts },
        {
          applicationId: id,
          contract,
          base: 'https://moved.example.com',
        },
      );
      expect(await bumpEntry(dependencies, place(first))).toMatchObject({ outcome: 'sent' });
    });
    await world.untilFinal();

    const token = await findToken(timelineDependencies(), { address: contract, tokenId: '2' });
    const neighbour = await findToken(timelineDependencies(), { address: contract, tokenId: '3' });
    const collection = await findContract(timelineDependencies(), contract);

    const one = [
      `nonce ${first}: accepted and recorded: update-metadata of token 2`,
      `nonce ${first}: replaced`,
      `nonce ${first}: mined`,
      `nonce ${first}: confirmed`,
    ];
    const told = (offset: number, what: string) => [
      `nonce ${first + offset}: accepted and recorded: ${what}`,
      `nonce ${first + offset}: mined`,
      `nonce ${first + offset}: confirmed`,
    ];
    const all = told(1, 'update-metadata of tokens 1–3');
    expect(steps(token).toSorted()).toEqual([...one, ...all].toSorted());
    expect(steps(neighbour)).toEqual(all);
    expect(steps(collection).toSorted()).toEqual(
      [
        ...told(2, 'update-contract-metadata'),
        ...told(3, 'set-royalty'),
        ...told(4, 'set-royalty'),
        ...told(5, 'set-base'),
      ].toSorted(),
    );
  });

  it("explains a mint that failed because the collection's deployment was repeated at a later nonce", async () => {
    await world.untilFinal();
    const dying = withFault(world.ports, { at: 'transactionLog.record', when: 'after', mode: 'crash' });
    await expect(world.deploy({ key: 'again', ports: dying.ports })).rejects.toThrow();
    const { address: contract, nonce } = await world.deploy({ key: 'again' });
    const { tokenId } = await world.mint({ contract });
    await world.useNonce(nonce);
    await world.untilFinal();

    const token = await findToken(timelineDependencies(), { address: contract, tokenId });

    const deployed = await world.ports.contracts.find({
      applicationId: world.application.id,
      address: contract,
    });
    expect(deployed?.status).toBe('confirmed');
    expect(token?.fields.failure_reason).toBe('CONTRACT_FAILED: there is no contract to mint into');
    expect(token?.moments.map(({ what }) => what)).toContain(
      `the contract's deployment was repeated with nonce ${deployed?.nonce}, so this mint came before it on the chain`,
    );
  });

  it('includes a change of the royalty that the index does not contain', async () => {
    const { address: contract } = await world.deploy();
    await setRoyalty(world.submitDependencies(), {
      ...request(contract, 'old'),
      royalty: { receiver, basisPoints: 100 },
    });
    await world.untilFinal();
    const { nextNonce = 0 } = (await world.ports.signers.find(world.signerId)) ?? {};
    await database.sdk.send(
      new UpdateCommand({
        TableName: world.tables.Transactions,
        Key: entryKey(place(nextNonce - 1)),
        UpdateExpression: 'REMOVE #collection, #change',
        ExpressionAttributeNames: { '#collection': 'collection', '#change': 'change' },
      }),
    );

    const timeline = await findContract(timelineDependencies(), contract);

    expect(steps(timeline)).toContain(`nonce ${nextNonce - 1}: accepted and recorded: set-royalty`);
  });
});

describe("the operator's view of the signers", () => {
  const reportDependencies = () => ({
    ...world.submitDependencies(),
    ...world.ports,
    applications: { list: async () => [] },
  });

  it('shows the undecided nonces and where their transactions are on the chain', async () => {
    const contract = await world.deploy();
    await world.untilFinal();
    await whileNothingIsMined(async () => {
      const { nonce } = await world.mint({ contract: contract.address });

      const open = await openNonces(world.submitDependencies(), world.signerId);
      const [report] = await reportSigners(reportDependencies());

      expect(open).toMatchObject([{ nonce, place: 'pool' }]);
      expect(report).toMatchObject({ inFlight: 1, undecided: 1, oldestPending: { nonce } });
    });
    await world.untilFinal();
    const [report] = await reportSigners(reportDependencies());
    expect(report).toMatchObject({ inFlight: 0, undecided: 0, oldestPending: undefined });
    expect(await openNonces(world.submitDependencies(), world.signerId)).toEqual([]);
  });

  it('shows the data of the tables if no endpoint answers', async () => {
    const contract = await world.deploy();
    await world.untilFinal();
    await whileNothingIsMined(async () => {
      const { nonce } = await world.mint({ contract: contract.address });
      const chain = world.chainOver(['http://127.0.0.1:9']);

      const open = await openNonces({ ...world.submitDependencies(), chain }, world.signerId);
      const [report] = await reportSigners({ ...reportDependencies(), chain });
      const entry = await entryReport({ chain }, await entryOf(nonce));

      expect(open).toMatchObject([{ nonce, place: 'unknown' }]);
      expect(report).toMatchObject({
        mined: nonce,
        inFlight: 1,
        undecided: 1,
        oldestPending: { nonce },
        balance: undefined,
        baseFeePerGas: undefined,
      });
      expect(entry).toMatchObject({ nonce, status: 'pending', attempts: [{ place: 'unknown' }] });
    });
    await world.untilFinal();
  });
});
