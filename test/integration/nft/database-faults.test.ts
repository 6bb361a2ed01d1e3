import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mintTokenHandler } from '../../../functions/nft/mint-token/handler.ts';
import { documentClientOf } from '../../../shared/adapters/dynamodb/client.ts';
import { operationFunction } from '../../../shared/http/operation.ts';
import type { Contract } from '../../../shared/nft/collection/contract.ts';
import { mintTokenOperation } from '../../../shared/nft/http/operations.ts';
import { aContext, anApiEvent } from '../../support/api-event.ts';
import { startDatabase, type TestDatabase } from '../../support/dynamodb.ts';
import { type DatabaseFaultProxy, startDatabaseFaultProxy } from '../../support/dynamodb-fault-proxy.ts';
import { expectInvariants, type Promised } from '../../support/nft/invariants.ts';
import { receiver, startWorld, type World } from '../../support/nft/world.ts';

let database: TestDatabase;
let proxy: DatabaseFaultProxy;
let world: World;
let contract: Contract;

beforeAll(async () => {
  database = await startDatabase();
  proxy = await startDatabaseFaultProxy({ target: database.endpoint });
  world = await startWorld({
    database,
    documents: documentClientOf({
      endpoint: proxy.url,
      region: 'us-east-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    }),
    anvil: { blockTimeSeconds: 0.25 },
    passMilliseconds: 1_000,
  });
  contract = await world.deploy();
  await world.settle();
}, 60_000);

afterAll(async () => {
  await world.stop();
  await proxy.stop();
  await database.stop();
});

interface Answer {
  readonly status: number;
  readonly retryAfter: unknown;
  readonly tokenId: string;
}

/** The function as API Gateway calls it. */
const call = async (key: string): Promise<Answer> => {
  const { contracts, nfts } = world.ports;
  const handler = operationFunction(
    mintTokenOperation,
    mintTokenHandler({
      ...world.submitDependencies(),
      contracts,
      nfts,
      applications: { findByApiKeyId: async () => world.application },
    }),
  );
  const { statusCode, headers, body } = await handler(
    anApiEvent({
      method: 'POST',
      resource: mintTokenOperation.route,
      path: { contract_address: contract.address },
      headers: { 'idempotency-key': key },
      apiKeyId: 'key-one',
      body: { destination: receiver, metadata: { name: 'Ticket' } },
    }),
    aContext(),
  );
  return { status: statusCode, retryAfter: headers?.['retry-after'], tokenId: JSON.parse(body).id };
};

/** Recording writes that arrived, by the nonce's entry and by the key's claim: one request has one claim. */
const recordingsByClaim = (): number[] => {
  const counts = new Map<string, number>();
  for (const { operation, body } of proxy.calls) {
    if (operation !== 'TransactWriteItems') continue;
    const claim = /KEY#[^"]+/.exec(body)?.[0];
    if (claim !== undefined) counts.set(claim, (counts.get(claim) ?? 0) + 1);
  }
  return [...counts.values()];
};

describe('mints while the database throttles and conflicts', () => {
  it('are nearly all taken at the first try, few writes each, and none is lost or made twice', async () => {
    proxy.calls.length = 0;
    proxy.setFaults({ throttled: 0.1, conflicting: 0.1, delayMilliseconds: 50 });
    const keys = Array.from({ length: 150 }, (_, index) => `faulty-${index}`);
    const queue = keys.values();
    const first = new Map<string, number>();
    const tokenIds: string[] = [];
    const refusals: Answer[] = [];
    const caller = async (): Promise<void> => {
      for (const key of queue) {
        for (let answer = await call(key); ; answer = await call(key)) {
          if (!first.has(key)) first.set(key, answer.status);
          if (answer.status !== 201) {
            refusals.push(answer);
            continue;
          }
          tokenIds.push(answer.tokenId);
          break;
        }
      }
    };

    await Promise.all(Array.from({ length: 16 }, caller));
    proxy.setFaults({});
    await world.settle(60_000);

    const taken = [...first.values()].filter((status) => status === 201).length;
    console.info(
      `${taken} of ${keys.length} at the first try, at most ${Math.max(...recordingsByClaim())} recording writes`,
    );
    expect(taken / keys.length).toBeGreaterThanOrEqual(0.95);
    // 409 while the key of an earlier try could not be let go.
    expect(refusals.filter(({ status }) => status !== 503 && status !== 409)).toEqual([]);
    expect(refusals.filter(({ retryAfter }) => retryAfter === undefined)).toEqual([]);
    expect(Math.max(...recordingsByClaim())).toBeLessThanOrEqual(5);
    const promised: Promised[] = [];
    for (const tokenId of tokenIds) {
      const nft = await world.ports.nfts.find({ ...contract, contract: contract.address, tokenId });
      if (nft !== undefined) promised.push({ nft });
    }
    expect(promised).toHaveLength(keys.length);
    await expectInvariants(world, { contract, promised });
  }, 120_000);
});
