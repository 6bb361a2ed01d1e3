import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  historyDependencies,
  publicMetadataDependencies,
  receiversDependencies,
} from '../../../functions/nft/dependencies.ts';
import { getOwnTokenHistoryHandler } from '../../../functions/nft/list-user-tokens/get-own-token-history.ts';
import { mintTokenHandler } from '../../../functions/nft/mint-token/handler.ts';
import { setTokenDestinationHandler } from '../../../functions/nft/mint-token/set-destination.ts';
import { revokeTokenHandler } from '../../../functions/nft/revoke-token/handler.ts';
import { getTokenHistoryHandler } from '../../../functions/nft/show-collections/get-token-history.ts';
import { type Address, checksummed } from '../../../shared/chain/hex.ts';
import * as operations from '../../../shared/nft/http/operations.ts';
import * as reads from '../../../shared/nft/http/read-operations.ts';
import * as own from '../../../shared/nft/http/user-operations.ts';
import type { Operation } from '../../../shared/platform/http/operation.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { receivers, startWorld, type World } from '../../support/nft/world.ts';
import { aContext, anApiEvent } from '../../support/ott/api-event.ts';
import { anApplication } from '../../support/platform/applications.ts';
import { startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

let database: TestDatabase;
let world: World;

const limits = { contractsPerDay: 1_000, mintsPerDay: 1_000 };
const [one, two] = ['one', 'two'].map((id) =>
  anApplication({ id, apiKeyIds: [`key-${id}`], clientIds: [`client-${id}`], limits }),
) as [ReturnType<typeof anApplication>, ReturnType<typeof anApplication>];
const find = async (has: (application: typeof one) => boolean) => [one, two].find(has);
const applications = {
  findByApiKeyId: (id: string) => find(({ apiKeyIds }) => apiKeyIds.includes(id)),
  findByClientId: (id: string) => find(({ clientIds }) => clientIds.includes(id)),
};
const [wallet] = receivers(1) as [Address];

beforeAll(async () => {
  database = await startDatabase();
  world = await startWorld({ database, passMilliseconds: 1_000 });
});
afterAll(async () => {
  await world.stop();
  await database.stop();
});

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
  const { request_id: _, ...fields } = JSON.parse(body) as Record<string, unknown>;
  return { status: statusCode, body: fields };
};

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
  return {
    mint: (question: Question) =>
      ask(operations.mintTokenOperation, mintTokenHandler(dependencies), question),
    assign: (question: Question) =>
      ask(operations.setDestinationOperation, setTokenDestinationHandler(dependencies), question),
    revoke: (question: Question) =>
      ask(operations.revokeTokenOperation, revokeTokenHandler(dependencies), question),
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

const metadata = { name: 'Seat 7' };

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

type Told = { readonly at: string; readonly what: string };
const toldIn = (body: Record<string, unknown>) => body.history as Told[];

/** The answer without its times, which must ascend. */
const untimed = (body: Record<string, unknown>) => {
  const told = toldIn(body);
  expect(told.map(({ at }) => at)).toEqual(told.map(({ at }) => at).toSorted());
  return told.map(({ at, ...rest }) => rest);
};

describe('the history of a token that nobody has claimed', () => {
  it('tells the customer for whom it was reserved, and to whom it was given', async () => {
    const { address } = await world.deploy({ application: one });
    const { calls, path, ana, bruno, clara, createdAt } = await givenTwice(address);

    const { status, body } = await calls.history({ path });

    expect(status).toBe(200);
    expect(body.known_from).toBe(createdAt);
    expect(untimed(body)).toEqual([
      { what: 'reserved', to: ana.applicationUserSub },
      { what: 'given', from: ana.applicationUserSub, to: bruno.applicationUserSub },
      { what: 'given', from: bruno.applicationUserSub, to: clara.applicationUserSub },
    ]);
  });

  it('has no gift twice if its request is repeated, with its key or without', async () => {
    const { address } = await world.deploy({ application: one });
    const { calls, path, bruno, clara, give } = await givenTwice(address);

    await give(bruno, 'to-bruno-0123456789');
    await give(clara, 'to-clara-0123456789');
    await give(clara);

    expect(untimed((await calls.history({ path })).body).map(({ what }) => what)).toEqual([
      'reserved',
      'given',
      'given',
    ]);
  });

  it('tells each user only the part in which the token was the user’s, and names nobody else', async () => {
    const { address } = await world.deploy({ application: one });
    const { calls, path, ana, bruno, clara } = await givenTwice(address);
    const stranger = await world.register(undefined, one);

    const partOf = async ({ userSub }: typeof ana) => calls.ownHistory({ path, user: userSub });

    expect(untimed((await partOf(ana)).body)).toEqual([
      { what: 'reserved', to: ana.applicationUserSub },
      { what: 'given', from: ana.applicationUserSub, to: null },
    ]);
    expect(untimed((await partOf(bruno)).body)).toEqual([
      { what: 'given', from: null, to: bruno.applicationUserSub },
      { what: 'given', from: bruno.applicationUserSub, to: null },
    ]);
    const last = (await partOf(clara)).body;
    expect(untimed(last)).toEqual([{ what: 'given', from: null, to: clara.applicationUserSub }]);
    expect(last.known_from).toBe(toldIn(last)[0]?.at);
    expect(await partOf(stranger)).toMatchObject({ status: 404, body: { message: 'NFT_NOT_FOUND' } });
  });

  it('is not found by another application and its users, nor of a token that does not exist', async () => {
    const { address } = await world.deploy({ application: one });
    const { calls, path, clara } = await givenTwice(address);

    expect(await calls.history({ path, as: 'two' })).toMatchObject({
      status: 404,
      body: { message: 'CONTRACT_NOT_FOUND' },
    });
    expect(await calls.history({ path: { ...path, id: '99' } })).toMatchObject({
      status: 404,
      body: { message: 'NFT_NOT_FOUND' },
    });
    expect(await calls.ownHistory({ path, user: clara.userSub, as: 'two' })).toMatchObject({
      status: 404,
      body: { message: 'NFT_NOT_FOUND' },
    });
  });

  it('names no user who is not registered any more', async () => {
    const { address } = await world.deploy({ application: one });
    const { calls, path, ana, clara, bruno } = await givenTwice(address);
    const trace = await world.ports.users.trace(bruno.userSub);
    if (trace === undefined) throw new Error('Bruno is not registered');
    await database.documents.delete({ TableName: world.tables.Users, Key: { user_sub: bruno.userSub } });

    expect(untimed((await calls.history({ path })).body)).toEqual([
      { what: 'reserved', to: ana.applicationUserSub },
      { what: 'given', from: ana.applicationUserSub, to: null },
      { what: 'given', from: null, to: clara.applicationUserSub },
    ]);
  });
});

describe('the history of a token that was claimed', () => {
  it('tells the claim, the mint and the revocation, with their transactions', async () => {
    const { address } = await world.deploy({ application: one, options: { revocable: true } });
    const { calls, path, ana, bruno, clara } = await givenTwice(address);
    await calls.assign({ path, body: { destination: checksummed(wallet) } });
    const pending = await calls.history({ path });
    await world.untilFinal();
    await calls.revoke({ path });
    await world.untilFinal();

    const { body } = await calls.history({ path });

    expect(untimed(pending.body).slice(-2)).toMatchObject([
      { what: 'claimed', from: clara.applicationUserSub, to: checksummed(wallet) },
      { what: 'minted', status: 'pending', to: checksummed(wallet) },
    ]);
    const hash = expect.stringMatching(/^0x[0-9a-f]{64}$/);
    expect(untimed(body)).toEqual([
      { what: 'reserved', to: ana.applicationUserSub },
      { what: 'given', from: ana.applicationUserSub, to: bruno.applicationUserSub },
      { what: 'given', from: bruno.applicationUserSub, to: clara.applicationUserSub },
      { what: 'claimed', from: clara.applicationUserSub, to: checksummed(wallet) },
      { what: 'minted', to: checksummed(wallet), transaction_hash: hash, status: 'confirmed' },
      { what: 'revoked', transaction_hash: hash, status: 'confirmed' },
    ]);
    const part = await calls.ownHistory({ path, user: clara.userSub });
    expect(untimed(part.body)).toEqual([
      { what: 'given', from: null, to: clara.applicationUserSub },
      { what: 'claimed', from: clara.applicationUserSub, to: checksummed(wallet) },
      { what: 'minted', to: checksummed(wallet), transaction_hash: hash, status: 'confirmed' },
      { what: 'revoked', transaction_hash: hash, status: 'confirmed' },
    ]);
  });
});
