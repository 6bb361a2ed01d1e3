import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { mintTokenHandler } from '../../../functions/nft/mint-token/handler.ts';
import type { Contract } from '../../../shared/nft/collections/contract.ts';
import { mintTokenOperation } from '../../../shared/nft/http/operations.ts';
import { requestLeaseMilliseconds } from '../../../shared/nft/submit/deadlines.ts';
import { gapPatienceMilliseconds } from '../../../shared/nft/transactions/gaps.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { documentClientOf } from '../../../shared/platform/store/client.ts';
import { aContext, anApiEvent } from '../ott/api-event.ts';
import { startDatabase, type TestDatabase } from '../platform/dynamodb.ts';
import {
  type DatabaseFaultProxy,
  type DatabaseFaults,
  type DatabaseProxyCall,
  startDatabaseFaultProxy,
} from '../platform/dynamodb-fault-proxy.ts';
import { mintedIds } from './minted-ids.ts';
import { receiver, startWorld, type World } from './world.ts';

interface Answer {
  readonly status: number;
  readonly retryAfter: unknown;
  readonly tokenId: string;
}

export interface MintsUnderFaults {
  readonly firstAnswers: readonly Answer[];
  /** All responses other than 201, of all attempts. */
  readonly refusals: readonly Answer[];
  /** The token ids from the 201 responses, one for each mint. */
  readonly tokenIds: readonly string[];
  /** Those of `tokenIds` that are confirmed in the end. */
  readonly confirmed: readonly string[];
  /** The token ids on the chain. A token that was minted twice appears twice. */
  readonly minted: readonly string[];
  /**
   * For each request, the number of writes to the transaction log that the database received, including repeated writes
   * and writes that fill a nonce. A request that is repeated with its idempotency key counts as a new request.
   */
  readonly recordingWrites: readonly number[];
}

export interface FaultyWorld extends AsyncDisposable {
  readonly world: World;
  readonly contract: Contract;
  readonly proxy: DatabaseFaultProxy;
  /**
   * Starts the minting function in a new environment. The returned function sends it a request with an idempotency key.
   */
  environment(): (key: string) => Promise<Answer>;
  /** As in `MintsUnderFaults`, for the requests since `proxy.calls` was last emptied. */
  recordingWrites(): number[];
  mint(order: {
    readonly mints: number;
    readonly clients: number;
    readonly faults: DatabaseFaults;
  }): Promise<MintsUnderFaults>;
}

const transaction = z.object({
  TransactItems: z.array(
    z.object({
      Put: z.object({ TableName: z.string(), Item: z.looseObject({}) }).optional(),
      Update: z.object({ ExpressionAttributeValues: z.looseObject({}) }).optional(),
    }),
  ),
});
const text = z.object({ S: z.string() });

/**
 * The nonce of the entry that a call writes, and the owner of the idempotency key that the same transaction completes.
 */
const recordingOf = ({ operation, body }: DatabaseProxyCall, transactions: string) => {
  if (operation !== 'TransactWriteItems') return undefined;
  const { TransactItems } = transaction.parse(JSON.parse(body));
  const entry = TransactItems.find(({ Put }) => Put?.TableName === transactions)?.Put?.Item;
  if (entry === undefined) return undefined;
  const owners = TransactItems.map(({ Update }) =>
    text.safeParse(Update?.ExpressionAttributeValues[':owner']),
  );
  return { nonce: text.parse(entry.sk).S, owner: owners.find(({ success }) => success)?.data?.S };
};

const writesOfRequests = (calls: readonly DatabaseProxyCall[], transactions: string): number[] => {
  const recordings = calls
    .map((call) => recordingOf(call, transactions))
    .filter((each) => each !== undefined);
  const owners = new Map(
    recordings.flatMap(({ nonce, owner }) => (owner === undefined ? [] : [[nonce, owner]])),
  );
  const counts = new Map<string, number>();
  for (const { nonce, owner } of recordings) {
    const request = owner ?? owners.get(nonce) ?? nonce;
    counts.set(request, (counts.get(request) ?? 0) + 1);
  }
  return [...counts.values()];
};

/**
 * A world whose database can throttle calls, report conflicts and be slow. Its handlers call the database as the
 * functions do.
 */
export const startFaultyWorld = async (): Promise<FaultyWorld> => {
  await using cleanup = new AsyncDisposableStack();
  const database: TestDatabase = await startDatabase();
  cleanup.defer(() => database.stop());
  const proxy = await startDatabaseFaultProxy({ target: database.endpoint });
  cleanup.defer(() => proxy.stop());
  const clientOf = (accessKeyId: string) =>
    documentClientOf({
      endpoint: proxy.url,
      region: 'us-east-1',
      credentials: { accessKeyId, secretAccessKey: 'test' },
    });
  const world = await startWorld({
    database,
    documents: clientOf('waiter'),
    passMilliseconds: 1_000,
  });
  cleanup.defer(() => world.stop());
  const contract = await world.deploy();
  await world.untilFinal();
  const ports = world.portsOver(clientOf('handler'));

  const environment: FaultyWorld['environment'] = () => {
    // A request takes no time, so that on a busy machine none is refused because it took too long.
    let startedAt = 0;
    const handler = operationFunction(
      mintTokenOperation,
      mintTokenHandler({
        ...world.submitDependencies(ports),
        clock: () => startedAt,
        applications: { findByApiKeyId: async () => world.application },
      }),
    );
    return async (key: string): Promise<Answer> => {
      startedAt = world.clock();
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
  };

  const recordingWrites = () =>
    writesOfRequests(
      proxy.calls.filter(({ caller }) => caller === 'handler'),
      world.tables.Transactions,
    );

  const mint: FaultyWorld['mint'] = async ({ mints, clients, faults }) => {
    proxy.calls.length = 0;
    proxy.setFaults(faults);
    const refusals: Answer[] = [];
    const tokenIds: string[] = [];
    /** Calls until each key has its token, or is held by an earlier try. Returns those that are held. */
    const callAll = async (keys: readonly string[]) => {
      const uncalled = keys.values();
      const firstAnswers: Answer[] = [];
      const held: string[] = [];
      const client = async (): Promise<void> => {
        const call = environment();
        for (const key of uncalled) {
          let answer = await call(key);
          firstAnswers.push(answer);
          while (answer.status !== 201) {
            refusals.push(answer);
            if (answer.status === 409) break;
            answer = await call(key);
          }
          if (answer.status === 201) tokenIds.push(answer.tokenId);
          else held.push(key);
        }
      };
      await Promise.all(Array.from({ length: clients }, client));
      return { firstAnswers, held };
    };

    const keys = Array.from({ length: mints }, () => randomUUID());
    const { firstAnswers, held } = await callAll(keys);
    for (let left: readonly string[] = held; left.length > 0; ) {
      world.skip(requestLeaseMilliseconds);
      ({ held: left } = await callAll(left));
    }
    proxy.setFaults({});
    // No handler runs any more. The waiter fills the nonces that none of them could fill.
    world.skip(gapPatienceMilliseconds);
    await world.untilFinal();

    const found = await Promise.all(
      tokenIds.map((tokenId) => ports.nfts.find({ ...contract, contract: contract.address, tokenId })),
    );
    return {
      firstAnswers,
      refusals,
      tokenIds,
      confirmed: found.filter((nft) => nft?.status === 'confirmed').map((nft) => nft?.tokenId ?? ''),
      minted: await mintedIds(world, contract.address),
      recordingWrites: recordingWrites(),
    };
  };

  const owned = cleanup.move();
  return {
    world,
    contract,
    proxy,
    environment,
    recordingWrites,
    mint,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
