import { expect } from 'vitest';
import { getOwnTokenHistoryHandler } from '../../../functions/nft/list-user-tokens/get-own-token-history-handler.ts';
import { mintTokenHandler } from '../../../functions/nft/mint-token/handler.ts';
import { setTokenDestinationHandler } from '../../../functions/nft/mint-token/set-destination-handler.ts';
import {
  historyDependencies,
  publicMetadataDependencies,
  receiversDependencies,
} from '../../../functions/nft/reading-dependencies.ts';
import { revokeTokenHandler } from '../../../functions/nft/revoke-token/handler.ts';
import { getTokenHistoryHandler } from '../../../functions/nft/show-collections/get-token-history-handler.ts';
import { updateMetadataBatchHandler } from '../../../functions/nft/update-metadata-batch/handler.ts';
import { unvoidTokenHandler, voidTokenHandler } from '../../../functions/ott/void-token/handler.ts';
import { findToken } from '../../../operator/stage/find/collection-timelines.ts';
import type { Address } from '../../../shared/chain/hex.ts';
import * as operations from '../../../shared/nft/http/operations.ts';
import * as reads from '../../../shared/nft/http/read-operations.ts';
import * as own from '../../../shared/nft/http/user-operations.ts';
import { dynamoDbChanges } from '../../../shared/nft/store/changes.ts';
import { dynamoDbHistoryLines } from '../../../shared/nft/store/history-lines.ts';
import { unvoidTokenOperation, voidTokenOperation } from '../../../shared/ott/http/void-operations.ts';
import { dynamoDbVoidChanges } from '../../../shared/ott/store/void-tickets.ts';
import type { Operation } from '../../../shared/platform/http/operation.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { aContext, anApiEvent } from '../ott/api-event.ts';
import { anApplication } from '../platform/applications.ts';
import type { TestDatabase } from '../platform/dynamodb.ts';
import type { World } from './world.ts';

const limits = { contractsPerDay: 1_000, mintsPerDay: 1_000 };
const [one, two] = ['one', 'two'].map((id) =>
  anApplication({ id, apiKeyIds: [`key-${id}`], clientIds: [`client-${id}`], limits }),
) as [ReturnType<typeof anApplication>, ReturnType<typeof anApplication>];
const find = async (has: (application: typeof one) => boolean) => [one, two].find(has);
const applications = {
  findByApiKeyId: (id: string) => find(({ apiKeyIds }) => apiKeyIds.includes(id)),
  findByClientId: (id: string) => find(({ clientIds }) => clientIds.includes(id)),
};
/** The application of the calls, but for those that name `two`. */
export const caller = one;

interface Question {
  readonly path?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  /** An application, whose API key is sent. @default one */
  readonly as?: string;
  /** The user's sub: the user's client is one of the application. */
  readonly user?: string;
}

/** Calls an operation as API Gateway does. */
const ask = async <Path, Query, Body>(
  operation: Operation<Path, Query, Body>,
  handler: Parameters<typeof operationFunction<Path, Query, Body>>[1],
  { as = 'one', user, headers = {}, ...question }: Question,
) => {
  const event = anApiEvent({
    method: operation.method,
    resource: operation.route,
    headers: { ...headers, ...(user !== undefined && { authorization: `${user} client-${as}` }) },
    apiKeyId: `key-${as}`,
    ...question,
  });
  const { statusCode, body } = await operationFunction(operation, handler)(event, aContext());
  const { request_id: _, ...fields } = JSON.parse(body || '{}') as Record<string, unknown>;
  return { status: statusCode, body: fields };
};

type Told = { readonly at: string; readonly what: string };
export const toldIn = (body: Record<string, unknown>) => body.history as Told[];

/** The answer without its times, which must ascend. */
export const untimed = (body: Record<string, unknown>) => {
  const told = toldIn(body);
  expect(told.map(({ at }) => at)).toEqual(told.map(({ at }) => at).toSorted());
  return told.map(({ at, ...rest }) => rest);
};

export const metadata = { name: 'Seat 7' };

/** The calls that change tokens and tell their histories, over a world and a table of void tokens. */
export const histories = (world: World, database: TestDatabase, events: { readonly Events: string }) => {
  const serve = () => {
    const submitting = world.submitDependencies();
    const dependencies = { ...submitting, applications: { ...submitting.applications, ...applications } };
    const tables = {
      CONTRACTS_TABLE: world.tables.Contracts,
      NFTS_TABLE: world.tables.Nfts,
      TRANSACTIONS_TABLE: world.tables.Transactions,
      TOKEN_HISTORY_TABLE: world.tables.TokenHistory,
      USERS_TABLE: world.tables.Users,
      SUBS_TABLE: world.tables.ApplicationUserSubs,
    };
    const client = database.documents;
    const reading = {
      applications,
      ...publicMetadataDependencies(tables, client),
      ...historyDependencies(tables, client),
      ...receiversDependencies(tables, client),
    };
    const verifyAccessToken = async (header: string | undefined) => {
      const [sub = '', clientId] = (header ?? '').split(' ');
      return { sub, clientId, email: undefined, expiresAt: 0 } as never;
    };
    const voids = {
      ...reading,
      voidChanges: dynamoDbVoidChanges({
        client,
        tables: { events: events.Events, history: world.tables.TokenHistory },
      }),
      clock: world.clock,
    };
    return {
      mint: (question: Question) =>
        ask(operations.mintTokenOperation, mintTokenHandler(dependencies), question),
      assign: (question: Question) =>
        ask(operations.setDestinationOperation, setTokenDestinationHandler(dependencies), question),
      revoke: (question: Question) =>
        ask(operations.revokeTokenOperation, revokeTokenHandler(dependencies), question),
      updateBatch: (question: Question) =>
        ask(operations.updateMetadataBatchOperation, updateMetadataBatchHandler(dependencies), question),
      voided: (question: Question) => ask(voidTokenOperation, voidTokenHandler(voids), question),
      unvoided: (question: Question) => ask(unvoidTokenOperation, unvoidTokenHandler(voids), question),
      history: (question: Question) =>
        ask(reads.getTokenHistoryOperation, getTokenHistoryHandler(reading), question),
      ownHistory: (question: Question) =>
        ask(
          own.getOwnTokenHistoryOperation,
          getOwnTokenHistoryHandler({ ...reading, verifyAccessToken }),
          question,
        ),
    };
  };

  /** A token that is reserved for Ana, then given to Bruno, then to Clara. */
  const givenTwice = async (contract: Address) => {
    const [ana, bruno, clara] = [
      await world.register(undefined, one),
      await world.register(undefined, one),
      await world.register(undefined, one),
    ] as const;
    const calls = serve();
    const made = await calls.mint({
      path: { contract_address: contract },
      body: { destination: ana.applicationUserSub, metadata },
    });
    expect(made.status).toBe(201);
    const path = { contract_address: contract, id: String(made.body.id) };
    const give = async (to: typeof ana, key?: string) => {
      const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
      const given = await calls.assign({ path, headers, body: { destination: to.applicationUserSub } });
      expect(given.status).toBe(200);
    };
    await give(bruno, 'to-bruno-0123456789');
    await give(clara, 'to-clara-0123456789');
    return { calls, path, ana, bruno, clara, give, createdAt: made.body.created_at };
  };

  /** What `find` shows of the token, without its times. */
  const lookedUp = async (path: { readonly contract_address: Address; readonly id: string }) => {
    const { documents: client } = database;
    const found = await findToken(
      {
        ...world.ports,
        lines: dynamoDbHistoryLines({ client, tableName: world.tables.TokenHistory }),
        changes: dynamoDbChanges({ client, tableName: world.tables.Transactions }),
        records: { ofSubject: async () => [] },
        endpoints: { ofApplication: async () => [] },
        clock: Date.now,
        blockTimes: async () => new Map<number, number>(),
      },
      { address: path.contract_address, tokenId: path.id },
    );
    return found?.moments.map(({ what }) => what) ?? [];
  };

  return { givenTwice, lookedUp };
};
