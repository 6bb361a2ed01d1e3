import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import type { StreamRecord } from 'template-runtime/engines/dynamodb/types.ts';
import { waitFor } from 'template-runtime/testing/wait.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Notification } from '../../../shared/notifications/messages/message.ts';
import { publishChanges } from '../../../shared/notifications/publish/publish-changes.ts';
import { changeInRecord } from '../../../shared/notifications/store/stream-records.ts';
import { logger } from '../../../shared/platform/logger.ts';
import { startWorld, type World } from '../../support/nft/world.ts';
import { anEndpoint } from '../../support/notifications/endpoints.ts';
import { startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

const later = { kind: 'burn-all', whole: true };

/** Changes that a later release could make to the entry of a mint, and how this release then reads the entry. */
const laterEntries = [
  ['another kind of purpose', { purpose: later }, { purpose: { kind: 'later', stored: 'burn-all' } }],
  ['a field of its purpose', { 'purpose.soulbound': true }, { purpose: { kind: 'later', stored: 'mint' } }],
  ['another status', { status: 'withdrawn' }, { status: 'later' }],
] as const;

describe('a transaction log with entries of a later release', () => {
  let database: TestDatabase;
  let world: World;
  beforeAll(async () => {
    database = await startDatabase();
    world = await startWorld({ database, passMilliseconds: 1_000, replaceAfterMilliseconds: 1_000 });
  });
  afterAll(async () => {
    await world?.stop();
    await database.stop();
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const keyOf = (nonce: number) => ({ pk: world.signerId, sk: String(nonce).padStart(16, '0') });
  const itemOf = async (nonce: number) => {
    const { Item } = await database.documents.get({
      TableName: world.tables.Transactions,
      Key: keyOf(nonce),
      ConsistentRead: true,
    });
    if (Item === undefined) throw new Error(`No entry of nonce ${nonce}`);
    return Item;
  };
  const set = (TableName: string, Key: Record<string, string>, path: string, value: unknown) => {
    const names = path.split('.');
    return database.documents.update({
      TableName,
      Key,
      UpdateExpression: `SET ${names.map((_, index) => `#n${index}`).join('.')} = :value`,
      ExpressionAttributeNames: Object.fromEntries(names.map((name, index) => [`#n${index}`, name])),
      ExpressionAttributeValues: { ':value': value },
    });
  };
  const eventually = (check: () => Promise<void>): Promise<void> =>
    waitFor(
      async () => {
        try {
          await check();
        } catch (error) {
          await world.watch();
          throw error;
        }
      },
      { interval: 100 },
    );

  it.each(laterEntries)(
    'keeps unknown entries waiting and lets the others continue (%s)',
    async (_, change, shown) => {
      const told = vi.spyOn(logger, 'warn').mockReturnValue();
      const { address: contract } = await world.deploy();
      await world.untilFinal();
      const [before, unknown, after] = [
        await world.mint({ contract }),
        await world.mint({ contract }),
        await world.mint({ contract }),
      ];
      const original = await itemOf(unknown.nonce);
      for (const [path, value] of Object.entries({ ...change, laterAttribute: 'kept' })) {
        await set(world.tables.Transactions, keyOf(unknown.nonce), path, value);
      }

      const statusOf = async ({ applicationId, tokenId }: typeof before) =>
        (await world.ports.nfts.find({ applicationId, contract, tokenId }))?.status;
      await eventually(async () => {
        expect([await statusOf(before), await statusOf(after)]).toEqual(['confirmed', 'confirmed']);
      });
      const entry = await world.ports.transactionLog.find({ signer: world.signerId, nonce: unknown.nonce });
      const [attempt] = entry?.attempts ?? [];
      if (attempt === undefined) throw new Error('No attempt');
      const receipt = (await world.ports.chain.receipts([attempt.hash])).get(attempt.hash);
      const state = await world.ports.signers.find(world.signerId);

      expect(entry).toMatchObject(shown);
      expect(receipt).toMatchObject({ status: 'success' });
      expect(await statusOf(unknown)).toBe('pending');
      expect([state?.finalizedCount, state?.nextNonce]).toEqual([unknown.nonce, after.nonce + 1]);
      expect(world.raised).toEqual([]);
      expect(world.lines.filter(({ message }) => message.startsWith('A round failed'))).toEqual([]);
      expect(
        told.mock.calls.filter(([, fields]) => JSON.stringify(fields).includes('LATER_DATA')),
      ).toHaveLength(1);

      await set(world.tables.Transactions, keyOf(unknown.nonce), 'purpose', original.purpose);
      await set(world.tables.Transactions, keyOf(unknown.nonce), 'status', 'pending');
      await world.untilFinal();
      expect(await statusOf(unknown)).toBe('confirmed');
      expect(await itemOf(unknown.nonce)).toMatchObject({ laterAttribute: 'kept', status: 'confirmed' });
    },
  );

  it('shows contracts and tokens with an unknown status or kind as not confirmed', async () => {
    const contract = await world.deploy();
    await world.untilFinal();
    const { address, applicationId } = contract;
    const token = await world.mint({ contract: address });
    await world.untilFinal();
    const { Contracts, Nfts } = world.tables;
    const contractKey = { pk: applicationId, sk: address };
    const tokenKey = { pk: `${applicationId}#${address}`, sk: token.tokenId.padStart(16, '0') };
    const change = { nonce: 1, transactionHash: token.transactionHash, status: 'withdrawn', more: 1 };
    const changes = { status: 'frozen', metadataChange: change, laterAttribute: 'kept' };
    for (const [path, value] of Object.entries({ ...changes, media: [{ type: 'hologram', value: 'x' }] })) {
      await set(Contracts, contractKey, path, value);
    }
    for (const [path, value] of Object.entries({ ...changes, revocation: change }))
      await set(Nfts, tokenKey, path, value);

    const contracts = await world.ports.contracts.list({ applicationId, limit: 100 });
    const tokens = await world.ports.nfts.list({ applicationId, contract: address, limit: 10 });

    expect(contracts.items.find((each) => each.address === address)).toMatchObject({
      status: 'pending',
      media: [],
      metadataChange: { status: 'pending' },
    });
    expect(tokens.items).toMatchObject([{ status: 'pending', revocation: { status: 'pending' } }]);
  });

  it('does not stop its stream: waiters start, and unpublishable records are put aside and logged once', async () => {
    const told = vi.spyOn(logger, 'warn').mockReturnValue();
    const { address: contract } = await world.deploy();
    const mints = [
      await world.mint({ contract }),
      await world.mint({ contract }),
      await world.mint({ contract }),
    ];
    await world.untilFinal();
    const [ofKind, ofField, ofStatus] = mints.map(({ nonce }) => nonce);
    const { Transactions } = world.tables;
    await set(Transactions, keyOf(ofKind ?? 0), 'purpose', later);
    await set(Transactions, keyOf(ofField ?? 0), 'purpose.soulbound', true);
    await set(Transactions, keyOf(ofStatus ?? 0), 'status', 'withdrawn');
    const { Table } = await database.client.send(new DescribeTableCommand({ TableName: Transactions }));
    const streamArn = Table?.LatestStreamArn ?? '';
    const stream = await database.engine.readStream({ streamArn, limit: 1_000 });
    const nonces = new Set(mints.map(({ nonce }) => String(nonce).padStart(16, '0')));
    const nonceOf = ({ dynamodb }: StreamRecord) => (dynamodb.Keys.sk as { S: string }).S;
    const isFinal = ({ dynamodb }: StreamRecord) =>
      (dynamodb.NewImage?.status as { S: string } | undefined)?.S !== 'pending';
    const records = stream.filter((record) => nonces.has(nonceOf(record)) && isFinal(record));
    const kept: unknown[] = [];
    const published: Notification[] = [];

    const waiting = await publishChanges(
      {
        applications: { list: async () => [world.application] },
        endpoints: {
          ofApplication: async (applicationId) => [
            anEndpoint({ applicationId, operationTypes: ['token_update'] }),
          ],
        },
        topic: {
          publish: async (notifications) => {
            published.push(...notifications);
            return notifications.map(() => ({ isPublished: true, messageId: 'm' }) as const);
          },
        },
        failedChanges: { keep: async ({ record }) => void kept.push(record) },
        changeIn: changeInRecord({
          subs: { ofRegistration: vi.fn(), ensureMany: vi.fn(), endAll: vi.fn() },
        }),
        isOutage: () => false,
        pause: async () => {},
        logger: { error: () => {}, warn: () => {} },
      },
      { records: [...records, ...records] },
    );
    await world.watch(world.executions, world.ports, stream);

    expect(waiting).toEqual([]);
    // Each entry was final before it was changed, and is published as it was before the change.
    expect(published.length).toBe(2 * 3);
    expect(kept.map((record) => Number(nonceOf(record as StreamRecord)))).toEqual([
      ofKind,
      ofField,
      ofStatus,
      ofKind,
      ofField,
      ofStatus,
    ]);
    const unknown = [['purpose'], ['purpose'], ['status']];
    expect(told.mock.calls.map(([, fields]) => fields)).toEqual(
      [ofKind, ofField, ofStatus].map((nonce, index) => ({
        code: 'LATER_DATA',
        kind: 'transaction',
        id: `${world.signerId} ${nonce}`,
        unknown: unknown[index],
      })),
    );
  });

  // The last test, because anvil sets intervals between blocks in whole seconds only.
  it('replaces an unknown entry like any other while it has the lowest nonce', async () => {
    vi.spyOn(logger, 'warn').mockReturnValue();
    const { address: contract } = await world.deploy();
    await world.untilFinal();
    await world.anvil.rpc('evm_setIntervalMining', 0);
    const { nonce } = await world.mint({ contract });
    const { purpose } = await itemOf(nonce);
    await set(world.tables.Transactions, keyOf(nonce), 'purpose', later);

    await eventually(async () => {
      const entry = await world.ports.transactionLog.find({ signer: world.signerId, nonce });
      expect(entry?.attempts.length).toBeGreaterThan(1);
    });

    await world.anvil.rpc('evm_setIntervalMining', 1);
    expect((await itemOf(nonce)).purpose).toEqual(later);
    await set(world.tables.Transactions, keyOf(nonce), 'purpose', purpose);
    await world.untilFinal();
  });
});
