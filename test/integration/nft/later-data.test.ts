import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { logger } from '../../../shared/platform/logger.ts';
import { startWorld, type World } from '../../support/nft/world.ts';
import { startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

const later = { kind: 'burn-all', whole: true };

/** What a later release could store in an entry of a mint, and how the entry then looks here. */
const laterEntries = [
  ['another kind of purpose', { purpose: later }, { purpose: { kind: 'later', stored: 'burn-all' } }],
  ['a field of its purpose', { 'purpose.soulbound': true }, { purpose: { kind: 'later', stored: 'mint' } }],
  ['another status', { status: 'withdrawn' }, { status: 'later' }],
] as const;

describe('the log of a later release', () => {
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
  const eventually = async (check: () => Promise<void>): Promise<void> => {
    for (const giveUpAt = Date.now() + 60_000; ; await setTimeout(100)) {
      try {
        return await check();
      } catch (error) {
        if (Date.now() > giveUpAt) throw error;
        await world.watch();
      }
    }
  };

  it.each(laterEntries)('keeps its entries waiting, and the others going (%s)', async (_, change, shown) => {
    const told = vi.spyOn(logger, 'warn').mockReturnValue();
    const { address: contract } = await world.deploy();
    await world.settle();
    const [before, unknown, after] = [
      await world.mint({ contract }),
      await world.mint({ contract }),
      await world.mint({ contract }),
    ];
    const original = await itemOf(unknown.nonce);
    for (const [path, value] of Object.entries({ ...change, laterAttribute: 'kept' })) {
      await set(world.tables.Transactions, keyOf(unknown.nonce), path, value);
    }

    const statusOf = async ({ application, tokenId }: typeof before) =>
      (await world.ports.nfts.find({ application, contract, tokenId }))?.status;
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
    await world.settle();
    expect(await statusOf(unknown)).toBe('confirmed');
    expect(await itemOf(unknown.nonce)).toMatchObject({ laterAttribute: 'kept', status: 'confirmed' });
  });

  it('is replaced like any other while it is the lowest', async () => {
    vi.spyOn(logger, 'warn').mockReturnValue();
    const { address: contract } = await world.deploy();
    await world.settle();
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
    await world.settle();
  });

  it('shows contracts and tokens whose status or kinds it does not know as not confirmed', async () => {
    const contract = await world.deploy();
    await world.settle();
    const { address, application } = contract;
    const token = await world.mint({ contract: address });
    await world.settle();
    const { Contracts, Nfts } = world.tables;
    const contractKey = { pk: application, sk: address };
    const tokenKey = { pk: `${application}#${address}`, sk: token.tokenId.padStart(16, '0') };
    const change = { nonce: 1, transactionHash: token.transactionHash, status: 'withdrawn', more: 1 };
    const changes = { status: 'frozen', metadataChange: change, laterAttribute: 'kept' };
    for (const [path, value] of Object.entries({ ...changes, media: [{ type: 'hologram', value: 'x' }] })) {
      await set(Contracts, contractKey, path, value);
    }
    for (const [path, value] of Object.entries({ ...changes, revocation: change }))
      await set(Nfts, tokenKey, path, value);

    const contracts = await world.ports.contracts.list({ application, limit: 100 });
    const tokens = await world.ports.nfts.list({ application, contract: address, limit: 10 });

    expect(contracts.items.find((each) => each.address === address)).toMatchObject({
      status: 'pending',
      media: [],
      metadataChange: { status: 'pending' },
    });
    expect(tokens.items).toMatchObject([{ status: 'pending', revocation: { status: 'pending' } }]);
  });
});
