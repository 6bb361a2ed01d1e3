import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Contract } from '../../../shared/nft/collections/contract.ts';
import type { Nft } from '../../../shared/nft/tokens/nft.ts';
import { documentClientOf } from '../../../shared/platform/store/client.ts';
import { withFault } from '../../support/nft/faults.ts';
import { mintedIds } from '../../support/nft/minted-ids.ts';
import { type Ports, receivers, startWorld, type World } from '../../support/nft/world.ts';
import { startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';
import {
  type DatabaseFaultProxy,
  startDatabaseFaultProxy,
} from '../../support/platform/dynamodb-fault-proxy.ts';

let database: TestDatabase;
let proxy: DatabaseFaultProxy;
let world: World;

beforeAll(async () => {
  database = await startDatabase();
  proxy = await startDatabaseFaultProxy({ target: database.endpoint });
  world = await startWorld({ database, passMilliseconds: 1_000 });
});

afterAll(async () => {
  await world.stop();
  await proxy.stop();
  await database.stop();
});

describe('a supply of 100', () => {
  it('is used exactly under 300 concurrent mints and batches with kills and database errors', async () => {
    const maxSupply = 100;
    const { address } = await world.deploy({ options: { maxSupply } });
    await world.untilFinal();
    const documents = documentClientOf({
      endpoint: proxy.url,
      region: 'us-east-1',
      credentials: { accessKeyId: 'racing', secretAccessKey: 'test' },
    });
    const racing = world.portsOver(documents);
    const killedAt = [
      'supplies.take',
      'signers.reserveNonce',
      'signer.sign',
      'transactionLog.record',
      'supplies.keep',
      'chain.broadcast',
    ];
    const portsOf = (index: number): Ports =>
      index % 3 === 0
        ? withFault(racing, {
            at: killedAt[(index / 3) % killedAt.length] ?? '',
            when: index % 2 === 0 ? 'before' : 'after',
            mode: 'crash',
          }).ports
        : racing;
    const orders = Array.from({ length: 300 }, (_, index) => ({
      key: `race-${index}`,
      size: index % 10 === 0 ? 5 : index % 7 === 0 ? 2 : 1,
      index,
    }));
    type Order = (typeof orders)[number];
    const promised = new Map<string, readonly Nft[]>();
    const mint = async ({ key, size }: Order, ports: Ports): Promise<void> => {
      const order = { contract: address, key, ports };
      try {
        const nfts =
          size === 1
            ? [await world.mint(order)]
            : await world.mintBatch({ ...order, destinations: receivers(size) });
        promised.set(key, nfts);
      } catch {
        // The mint is tried again below, as a caller would.
      }
    };
    const promisedTokens = () => [...promised.values()].flat();

    proxy.setFaults({ throttled: 0.1, conflicting: 0.1, failing: 0.05, delayMilliseconds: 5 });
    const queue = orders.values();
    const client = async (): Promise<void> => {
      for (const order of queue) await mint(order, portsOf(order.index));
    };
    await Promise.all(Array.from({ length: 32 }, client));
    expect(promisedTokens().length).toBeLessThanOrEqual(maxSupply);

    // For two minutes, the callers try again every twenty seconds.
    for (let elapsed = 0; elapsed < 120 && promisedTokens().length < maxSupply; elapsed += 20) {
      world.skip(20_000);
      const refused = orders.filter(({ key }) => !promised.has(key)).values();
      const again = async (): Promise<void> => {
        for (const order of refused) {
          if (promisedTokens().length < maxSupply) await mint(order, racing);
        }
      };
      await Promise.all(Array.from({ length: 16 }, again));
    }
    proxy.setFaults({});
    // The nonces of requests that died are given up at once.
    world.skip(20_000);
    await world.untilFinal();

    expect(promisedTokens()).toHaveLength(maxSupply);
    const minted = await mintedIds(world, address);
    expect(new Set(minted).size).toBe(maxSupply);
    expect(minted).toHaveLength(maxSupply);
    expect(new Set(promisedTokens().map(({ tokenId }) => tokenId))).toEqual(new Set(minted));
    // No token failed: the chain minted every token that the service promised.
    const page = await world.ports.nfts.list({
      applicationId: world.application.id,
      contract: address,
      limit: 200,
    });
    expect(page.items.filter(({ status }) => status !== 'confirmed')).toEqual([]);
    await expect(world.mint({ contract: address })).rejects.toMatchObject({ details: { left: 0 } });
  }, 180_000);
});

describe('a burst of 150 mints', () => {
  it('gets no more rejections with a limited supply than with an unlimited one', async () => {
    const mints = 150;
    const refusals = async (contract: Contract): Promise<unknown[]> => {
      const refused: unknown[] = [];
      const queue = Array.from({ length: mints }).values();
      const client = async (): Promise<void> => {
        for (const _ of queue) {
          await world.mint({ contract: contract.address }).catch((error: unknown) => refused.push(error));
        }
      };
      await Promise.all(Array.from({ length: 50 }, client));
      return refused;
    };

    const ofUnlimited = await refusals(await world.deploy());
    const ofLimited = await refusals(await world.deploy({ options: { maxSupply: mints } }));

    expect(ofLimited.length).toBeLessThanOrEqual(ofUnlimited.length);
  });
});
