import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Contract } from '../../../shared/nft/collections/contract.ts';
import { tokenHistory } from '../../../shared/nft/history/token-history.ts';
import { dynamoDbChanges } from '../../../shared/nft/store/changes.ts';
import { dynamoDbHistoryLines } from '../../../shared/nft/store/history-lines.ts';
import { updateTokenMetadata } from '../../../shared/nft/submit/update.ts';
import type { Nft } from '../../../shared/nft/tokens/nft.ts';
import { decisionOf } from '../../../shared/notifications/publish/decision-notifications.ts';
import { patient } from '../../../shared/platform/time/patience.ts';
import { expectInvariants } from '../../support/nft/invariants.ts';
import {
  askAsBefore,
  destinationOf,
  metadataRequest,
  type NftRelease,
} from '../../support/nft/release-writes.ts';
import { receiver, startWorld, type World } from '../../support/nft/world.ts';
import { anApplication } from '../../support/platform/applications.ts';
import { startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';
import { moved, play, releaseOf } from '../../support/platform/release-writes.ts';

const release = releaseOf<NftRelease>(readFileSync(new URL('last-release.json', import.meta.url), 'utf8'));

let database: TestDatabase;
let world: World;

beforeAll(async () => {
  database = await startDatabase();
  world = await startWorld({
    database,
    passMilliseconds: 1_000,
    signers: 2,
  });
});
afterAll(async () => {
  await world.stop();
  await database.stop();
});

const historyOf = (nft: Nft) =>
  tokenHistory(
    {
      ...world.ports,
      lines: dynamoDbHistoryLines({
        client: database.documents,
        tableName: world.tables.TokenHistory,
      }),
      changes: dynamoDbChanges({ client: database.documents, tableName: world.tables.Transactions }),
    },
    nft,
  );

describe('a stage with data of the release before', () => {
  it('keeps every promise while functions of that release record beside new ones', async () => {
    const move = { from: release.startedAt, to: Date.now(), tables: world.tables };
    const application = anApplication({
      id: 'beside',
      ...(world.signerIds[1] !== undefined && { signer: world.signerIds[1] }),
      limits: { contractsPerDay: 10, mintsPerDay: 10_000 },
    });
    let isPlayed = false;
    const callNew = async () => {
      const contract = await world.deploy({ application });
      const promised: { readonly nft: Nft; readonly key: string }[] = [];
      do {
        const key = `new-${promised.length}`;
        promised.push({ nft: await world.mint({ contract: contract.address, application, key }), key });
      } while (!isPlayed);
      return { contract, promised };
    };

    const calling = callNew();
    for (const write of release.writes) {
      await play(database.documents, write, move);
      await world.watch();
    }
    isPlayed = true;
    const beside = await calling;
    const again = await askAsBefore(world);
    const [first, second] = release.contracts;
    if (first === undefined || second === undefined) throw new Error('The release made nothing');
    await updateTokenMetadata(world.submitDependencies(), {
      ...metadataRequest(world, first),
      idempotency: { scope: 'metadata', key: 'by the new', body: 'x' },
    });
    const added = await world.mint({ contract: first.address, key: 'added' });
    world.skip(patient(20_000));
    const retried = await world.mint({ contract: first.address, key: 'died' });
    const [given, claimed, numbered] = release.reserved;
    if (given === undefined || claimed === undefined || numbered === undefined)
      throw new Error('The release reserved nothing');
    expect(await world.ports.nfts.find(given)).toMatchObject({
      status: 'reserved',
      destination: given.destination,
    });
    await destinationOf(world, given, receiver);
    await world.untilFinal();

    const made = (contracts: readonly Contract[], tokens: readonly Nft[]) => [
      contracts.map(({ address, salt }) => [address, salt]),
      tokens.map(({ contract, tokenId, destination }) => [contract, tokenId, destination]),
    ];
    expect(made(again.contracts, again.tokens)).toEqual(made(release.contracts, release.tokens));
    const keys = new Map([
      [0, 'one'],
      [release.tokens.length - 1, 'other'],
    ]);
    const promised = release.tokens.map((nft, index) => {
      const key = keys.get(index);
      return key === undefined ? { nft } : { nft, key };
    });
    await expectInvariants(world, {
      contract: first,
      promised: [
        ...promised.filter(({ nft }) => nft.contract === first.address),
        { nft: added, key: 'added' },
        { nft: retried, key: 'died' },
      ],
    });
    await expectInvariants(world, {
      contract: second,
      promised: promised.filter(({ nft }) => nft.contract === second.address),
    });
    await expectInvariants(world, { ...beside, application });
    expect(await world.ports.contracts.find(first)).toMatchObject({
      status: 'confirmed',
      description: 'New',
      royaltyChange: { status: 'confirmed', royalty: { basisPoints: 500 } },
    });
    const changed = { applicationId: first.applicationId, contract: first.address, tokenId: '2' };
    expect(await world.ports.nfts.find(changed)).toMatchObject({
      metadata: { name: 'Used' },
      metadataChange: { status: 'confirmed' },
    });

    for (const nft of [given, claimed]) {
      const found = await world.ports.nfts.find(nft);
      expect(found).toMatchObject({ status: 'confirmed', destination: receiver });
      const { knownFrom, entries } = (found && (await historyOf(found))) ?? {};
      const told = entries?.map(({ what }) => what);
      expect({ knownFrom, told }).toEqual({
        knownFrom: moved(Date.parse(nft.createdAt), move),
        told: ['reserved', ...(nft === given ? ['given'] : []), 'claimed', 'minted'],
      });
    }
    expect((await world.ports.nfts.find(numbered))?.metadata).toEqual(numbered.metadata);

    const token = await world.ports.nfts.find(changed);
    const asMinted = release.tokens.find(({ tokenId }) => tokenId === changed.tokenId);
    expect(token && (await historyOf(token))).toMatchObject({
      knownFrom: moved(Date.parse(asMinted?.createdAt ?? ''), move),
      entries: [{ what: 'minted' }, { what: 'updated' }, { what: 'updated' }],
    });
    expect(await historyOf(added)).toMatchObject({
      knownFrom: Date.parse(added.createdAt),
      entries: [{ what: 'minted', transaction: { status: 'confirmed' } }],
    });

    const { nextNonce = 0 } = (await world.ports.signers.find(world.signerId)) ?? {};
    const entries = await world.ports.transactionLog.range({
      signer: world.signerId,
      from: 0,
      to: nextNonce,
    });
    const told = entries.filter(({ purpose }) => purpose.kind !== 'noop').map(decisionOf);
    expect(told.map((decision) => decision?.status)).toEqual(told.map(() => 'confirmed'));
  });
});
