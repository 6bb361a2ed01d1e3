/** Each call that takes an idempotency key keeps one result for it for ever, also if the call changed nothing. */
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createContractHandler } from '../../../functions/nft/create-contract/handler.ts';
import { mintBatchHandler } from '../../../functions/nft/mint-batch/handler.ts';
import { mintTokenHandler } from '../../../functions/nft/mint-token/handler.ts';
import { setTokenDestinationHandler } from '../../../functions/nft/mint-token/set-destination-handler.ts';
import { revokeTokenHandler } from '../../../functions/nft/revoke-token/handler.ts';
import { setRoyaltyHandler } from '../../../functions/nft/set-royalty/handler.ts';
import { updateContractMetadataHandler } from '../../../functions/nft/update-contract-metadata/handler.ts';
import { updateMetadataBatchHandler } from '../../../functions/nft/update-metadata-batch/handler.ts';
import { updateTokenMetadataHandler } from '../../../functions/nft/update-token-metadata/handler.ts';
import { startReplayHandler } from '../../../functions/notifications/send-notifications/start-replay-handler.ts';
import type { Address } from '../../../shared/chain/hex.ts';
import * as nft from '../../../shared/nft/http/operations.ts';
import { revokeToken } from '../../../shared/nft/submit/update.ts';
import { startReplayOperation } from '../../../shared/notifications/http/operations.ts';
import { dynamoDbEndpoints } from '../../../shared/notifications/store/endpoints.ts';
import { dynamoDbReplays } from '../../../shared/notifications/store/replays.ts';
import type { Operation } from '../../../shared/platform/http/operation.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { operations } from '../../../tools/openapi/operations.ts';
import { receiver, receivers, startWorld, type World } from '../../support/nft/world.ts';
import { aContext, anApiEvent } from '../../support/ott/api-event.ts';
import { createTables, startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

let database: TestDatabase;
let world: World;
let tables: readonly string[];
/** The application's identifiers of two users. */
let ana: string;
let ben: string;

interface Question {
  readonly path?: Record<string, string>;
  readonly body?: object;
}
interface Answer {
  readonly status: number;
  readonly isRepeated: boolean;
  readonly body: Record<string, unknown>;
}
type Ask = (question: Question & { readonly key: string }) => Promise<Answer>;

const caller =
  <Path, Query, Body>(
    operation: Operation<Path, Query, Body>,
    handler: Parameters<typeof operationFunction<Path, Query, Body>>[1],
  ): Ask =>
  async ({ key, ...question }) => {
    const headers = { 'Idempotency-Key': key };
    const { method, route: resource } = operation;
    const event = anApiEvent({ method, resource, apiKeyId: 'key-one', headers, ...question });
    const answer = await operationFunction(operation, handler)(event, aContext());
    return {
      status: answer.statusCode,
      isRepeated: answer.headers?.['idempotent-replayed'] === 'true',
      body: JSON.parse(answer.body),
    };
  };

let calls: Readonly<Record<string, Ask>>;
beforeAll(async () => {
  database = await startDatabase();
  world = await startWorld({ database });
  const notifications = await createTables(database, ['Notifications', 'Endpoints']);
  tables = [...Object.values(world.tables), ...Object.values(notifications)];
  const submitting = world.submitDependencies();
  const findByApiKeyId = async () => world.application;
  const write = { ...submitting, applications: { ...submitting.applications, findByApiKeyId } };
  const client = database.documents;
  const replaying = {
    applications: { findByApiKeyId },
    endpoints: dynamoDbEndpoints({ client, tableName: notifications.Endpoints }),
    replays: dynamoDbReplays({ client, tableName: notifications.Notifications }),
    enqueue: async () => {},
    clock: world.clock,
    randomId: write.randomId,
  };
  calls = {
    createContract: caller(nft.createContractOperation, createContractHandler(write)),
    mintToken: caller(nft.mintTokenOperation, mintTokenHandler(write)),
    mintBatch: caller(nft.mintBatchOperation, mintBatchHandler(write)),
    updateTokenMetadata: caller(nft.updateTokenMetadataOperation, updateTokenMetadataHandler(write)),
    updateMetadataBatch: caller(nft.updateMetadataBatchOperation, updateMetadataBatchHandler(write)),
    updateContractMetadata: caller(nft.updateContractMetadataOperation, updateContractMetadataHandler(write)),
    revokeToken: caller(nft.revokeTokenOperation, revokeTokenHandler(write)),
    setTokenDestination: caller(nft.setDestinationOperation, setTokenDestinationHandler(write)),
    setRoyalty: caller(nft.setRoyaltyOperation, setRoyaltyHandler(write)),
    startReplay: caller(startReplayOperation, startReplayHandler(replaying)),
  };
  ana = (await world.register()).applicationUserSub;
  ben = (await world.register()).applicationUserSub;
});
afterAll(async () => {
  await world.stop();
  await database.stop();
});

let keys = 0;
const aKey = (): string => `key ${++keys}`;
const ask = (operationId: string, question: Question, key = aKey()): Promise<Answer> => {
  const call = calls[operationId];
  if (call === undefined) throw new Error(`${operationId} takes an idempotency key, and has no case here`);
  return call({ ...question, key });
};
/** Asks for a change, which must be made. */
const make = async (operationId: string, question: Question): Promise<void> => {
  expect((await ask(operationId, question)).status).toBe(200);
};

const aContract = async (): Promise<Address> =>
  (await world.deploy({ options: { revocable: true } })).address;
const aReserved = async (user = ana) => {
  const contract = await aContract();
  const [token] = await world.reserve({ contract, users: [user] });
  return { contract, path: { contract_address: contract, id: token?.tokenId ?? '' } };
};
const aMinted = async () => {
  const contract = await aContract();
  const { tokenId } = await world.mint({ contract });
  return { contract, path: { contract_address: contract, id: tokenId } };
};

/** The transaction of this nonce ends without its effect. */
const fail = async (nonce: number | undefined): Promise<void> => {
  const entry = await world.ports.transactionLog.find({ signer: world.signerId, nonce: nonce ?? -1 });
  if (entry?.purpose === undefined) throw new Error(`Nonce ${nonce} has no entry`);
  const hash = entry.attempts[0]?.hash ?? '0x';
  const verdict = { status: 'failed', hash, reason: 'REVERTED' } as const;
  const failed = await world.ports.transactionLog.finalize([{ entry: entry as never, verdict, at: 0 }]);
  expect(failed).toHaveLength(1);
};
const tokenAt = async ({ contract, path }: Awaited<ReturnType<typeof aMinted>>) =>
  world.ports.nfts.find({ applicationId: world.application.id, contract, tokenId: path.id });

interface Case {
  readonly question: Question;
  /** Another body, which the key refuses. */
  readonly another?: object;
  /** Another change, after which the same request would act if it were a new one. */
  readonly meanwhile: () => Promise<unknown>;
  /** Whether the first call finds nothing to do. */
  readonly isIdle?: true;
}

const metadata = { name: 'Ticket', description: 'Row 1' };
const other = { name: 'Ticket', description: 'Row 2' };
const royalty = { receiver, basis_points: 250 };
const [wallet = receiver] = receivers(1);
const hours = (ago: number): string => new Date(Date.now() - ago * 3_600_000).toISOString();

const batchOf = async (path: Record<string, string>): Promise<Case> => {
  const body = { from: '1', to: '2', metadata: [metadata, metadata] };
  const another = { ...body, metadata: [other, other] };
  await make('updateMetadataBatch', { path, body });
  return {
    question: { path, body },
    another,
    meanwhile: () => make('updateMetadataBatch', { path, body: another }),
  };
};

/** For each operation: what changes nothing or, where each call makes something, what makes it. */
const cases: Readonly<Record<string, Readonly<Record<string, () => Promise<Case>>>>> = {
  createContract: {
    'a contract': async () => ({
      question: { body: { name: 'Fan Club', symbol: 'FAN', chain: 'MATIC' } },
      another: { name: 'Other Club', symbol: 'FAN', chain: 'MATIC' },
      meanwhile: aContract,
    }),
  },
  mintToken: {
    'a token for an address': async () => {
      const contract = await aContract();
      return {
        question: { path: { contract_address: contract }, body: { destination: receiver, metadata } },
        another: { destination: receiver, metadata: other },
        meanwhile: () => world.mint({ contract }),
      };
    },
    'a token for a user': async () => {
      const contract = await aContract();
      const path = { contract_address: contract };
      return {
        question: { path, body: { destination: ana, metadata } },
        another: { destination: ben, metadata },
        meanwhile: () =>
          make('setTokenDestination', { path: { ...path, id: '1' }, body: { destination: ben } }),
      };
    },
  },
  mintBatch: {
    'tokens for users': async () => {
      const contract = await aContract();
      const path = { contract_address: contract };
      const tokens = [ana, ben].map((destination) => ({ destination, metadata }));
      return {
        question: { path, body: { tokens } },
        another: { tokens: tokens.slice(1) },
        meanwhile: () => make('revokeToken', { path: { ...path, id: '1' } }),
      };
    },
    'tokens for addresses': async () => {
      const contract = await aContract();
      const tokens = receivers(2).map((destination) => ({ destination, metadata }));
      return {
        question: { path: { contract_address: contract }, body: { tokens } },
        another: { tokens: tokens.slice(1) },
        meanwhile: () => world.mint({ contract }),
      };
    },
  },
  updateTokenMetadata: {
    'the metadata that a minted token has': async () => {
      const { path } = await aMinted();
      await make('updateTokenMetadata', { path, body: metadata });
      return {
        question: { path, body: metadata },
        another: other,
        meanwhile: () => make('updateTokenMetadata', { path, body: other }),
      };
    },
    'the metadata that a reserved token has': async () => {
      const { path } = await aReserved();
      await make('updateTokenMetadata', { path, body: metadata });
      return {
        question: { path, body: metadata },
        another: other,
        meanwhile: () => make('updateTokenMetadata', { path, body: other }),
      };
    },
  },
  updateMetadataBatch: {
    'the metadata that reserved tokens have': async () => {
      const contract = await aContract();
      await world.reserve({ contract, users: [ana, ben] });
      return batchOf({ contract_address: contract });
    },
    'the metadata that minted tokens have': async () => {
      const contract = await aContract();
      await world.mintBatch({ contract, destinations: receivers(2) });
      return batchOf({ contract_address: contract });
    },
  },
  updateContractMetadata: {
    'the metadata that the contract has': async () => {
      const path = { contract_address: await aContract() };
      await make('updateContractMetadata', { path, body: { description: 'All of us' } });
      return {
        question: { path, body: { description: 'All of us' } },
        another: { description: 'Nobody' },
        meanwhile: () => make('updateContractMetadata', { path, body: { description: 'Some of us' } }),
      };
    },
  },
  revokeToken: {
    'a token whose revocation is pending, and then fails': async () => {
      const token = await aMinted();
      await make('revokeToken', token);
      return {
        question: { path: token.path },
        isIdle: true,
        meanwhile: async () => fail((await tokenAt(token))?.revocation?.nonce),
      };
    },
    'a reserved token that is revoked': async () => {
      const token = await aReserved();
      await make('revokeToken', token);
      return { question: { path: token.path }, isIdle: true, meanwhile: aContract };
    },
  },
  setTokenDestination: {
    'the user who has the token': async () => {
      const { path } = await aReserved(ana);
      return {
        question: { path, body: { destination: ana } },
        another: { destination: wallet },
        isIdle: true,
        meanwhile: () => make('setTokenDestination', { path, body: { destination: ben } }),
      };
    },
    'the address that the token is on its way to, which it never reaches': async () => {
      const token = await aReserved();
      const question = { path: token.path, body: { destination: wallet } };
      await make('setTokenDestination', question);
      return {
        question,
        another: { destination: ben },
        isIdle: true,
        meanwhile: async () => fail((await tokenAt(token))?.nonce),
      };
    },
  },
  setRoyalty: {
    'the royalty that the contract has': async () => {
      const path = { contract_address: await aContract() };
      await make('setRoyalty', { path, body: royalty });
      return {
        question: { path, body: royalty },
        another: { receiver: null },
        meanwhile: () => make('setRoyalty', { path, body: { ...royalty, basis_points: 300 } }),
      };
    },
  },
  startReplay: {
    'a replay': async () => ({
      question: { body: { from: hours(3), to: hours(2) } },
      another: { from: hours(3), to: hours(1) },
      meanwhile: () => ask('startReplay', { body: { from: hours(2), to: hours(1) } }),
    }),
  },
};

/** Everything that is stored, as text. */
const stored = async (): Promise<ReadonlySet<string>> => {
  const items = new Set<string>();
  for (const TableName of tables) {
    const { Items = [] } = await database.documents.scan({ TableName, ConsistentRead: true });
    for (const item of Items) items.add(`${TableName} ${inspect(item, { sorted: true, depth: null })}`);
  }
  return items;
};
/** What was written since, except what was deleted. */
const writtenSince = async (before: ReadonlySet<string>): Promise<string[]> =>
  [...(await stored())].filter((item) => !before.has(item));

const keyed = operations.filter(({ requestHeaders = {} }) => 'Idempotency-Key' in requestHeaders);
const rows = keyed.flatMap((operation) => {
  const named = Object.entries(cases[operation.operationId] ?? { 'no case of this test': undefined });
  return named.map(([name, prepare]) => ({ ...operation, name, prepare }));
});

describe('an idempotency key', () => {
  it.each(rows)(
    'keeps the result of $operationId ($name), whatever is changed before it is sent again',
    async ({ operationId, prepare, success, body: bodySchema }) => {
      if (prepare === undefined)
        throw new Error(`${operationId} takes an idempotency key, and has no case here`);
      const { question, another, meanwhile, isIdle } = await prepare();
      const key = aKey();
      const before = await stored();

      const first = await ask(operationId, question, key);
      const written = await writtenSince(before);
      await meanwhile();
      const between = await stored();
      const again = await ask(operationId, question, key);
      const refused = another && (await ask(operationId, { ...question, body: another }, key));

      expect(first).toMatchObject({ status: success.status, isRepeated: false });
      if (isIdle) expect(written).toEqual([expect.stringMatching(/Requests.* state: 'done'/s)]);
      expect(again).toMatchObject({ status: success.status, isRepeated: true });
      expect(again.body.id).toBe(first.body.id);
      expect(refused === undefined).toBe(bodySchema === undefined);
      if (refused !== undefined)
        expect(refused).toMatchObject({ status: 422, body: { message: 'IDEMPOTENCY_KEY_REUSED' } });
      expect(await writtenSince(between)).toEqual([]);
    },
  );

  it('keeps the result of a revocation that another request recorded first', async () => {
    const token = await aMinted();
    const dependencies = world.submitDependencies();
    const key = aKey();
    const revoke = (holds: typeof dependencies.holds) =>
      revokeToken(
        { ...dependencies, holds },
        {
          application: world.application,
          idempotency: { scope: 'revoke', key, body: {} },
          contract: token.contract,
          tokenId: token.path.id,
        },
      );
    await revoke({
      ...dependencies.holds,
      take: async (taking) => {
        await make('revokeToken', token);
        return dependencies.holds.take(taking);
      },
    });
    await fail((await tokenAt(token))?.revocation?.nonce);
    const before = await stored();

    await revoke(dependencies.holds);

    expect(await writtenSince(before)).toEqual([]);
  });
});
