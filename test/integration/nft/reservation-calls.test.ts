import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimTokenHandler } from '../../../functions/nft/claim-token/handler.ts';
import { getTokenOwnerHandler } from '../../../functions/nft/get-token-owner/handler.ts';
import { listUserTokensHandler } from '../../../functions/nft/list-user-tokens/handler.ts';
import { mintBatchHandler } from '../../../functions/nft/mint-batch/handler.ts';
import { mintTokenHandler } from '../../../functions/nft/mint-token/handler.ts';
import { setTokenDestinationHandler } from '../../../functions/nft/mint-token/set-destination-handler.ts';
import { revokeTokenHandler } from '../../../functions/nft/revoke-token/handler.ts';
import { listTokensHandler } from '../../../functions/nft/show-collections/list-tokens-handler.ts';
import { getTokenMetadataHandler } from '../../../functions/nft/show-metadata/get-token-metadata-handler.ts';
import { type Address, checksummed } from '../../../shared/chain/hex.ts';
import * as operations from '../../../shared/nft/http/operations.ts';
import * as reads from '../../../shared/nft/http/read-operations.ts';
import * as own from '../../../shared/nft/http/user-operations.ts';
import { dynamoDbUserTokens } from '../../../shared/nft/store/user-tokens.ts';
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
const [wallet, newWallet] = receivers(2) as [Address, Address];

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
  readonly query?: Record<string, string>;
  readonly body?: unknown;
  /** An application, whose API key is sent. */
  readonly as?: string;
  /** `<user's sub> <client id>`, in place of a signed token. */
  readonly token?: string;
}

/** Calls an operation as API Gateway does. */
const ask = async <Path, Query, Body>(
  operation: Operation<Path, Query, Body>,
  handler: Parameters<typeof operationFunction<Path, Query, Body>>[1],
  { as, token, ...question }: Question,
) => {
  const event = anApiEvent({
    method: operation.method,
    resource: operation.route,
    headers: token === undefined ? {} : { authorization: token },
    ...(as !== undefined && { apiKeyId: `key-${as}` }),
    ...question,
  });
  const { statusCode, body, headers } = await operationFunction(operation, handler)(event, aContext());
  const { request_id: _, ...fields } = JSON.parse(body) as Record<string, unknown>;
  return { status: statusCode, headers, body: Array.isArray(JSON.parse(body)) ? JSON.parse(body) : fields };
};

const serve = () => {
  const submitting = world.submitDependencies();
  const dependencies = { ...submitting, applications: { ...submitting.applications, ...applications } };
  const { contracts, nfts } = world.ports;
  const userTokens = dynamoDbUserTokens({ client: database.documents, tableName: world.tables.Nfts });
  const readCursorSecret = async () => 'a secret of thirty-two characters';
  const verifyAccessToken = async (header: string | undefined) => {
    const [sub = '', clientId] = (header ?? '').split(' ');
    return { sub, clientId, email: undefined, expiresAt: 0 } as never;
  };
  const user = { ...dependencies, verifyAccessToken };
  const wallets = {
    find: async () => ({
      userSub: '',
      registrationId: registrations.at(-1) ?? '',
      version: 1,
      wallets: [
        { address: wallet, linkedAt: 0, opensFrom: 0, proof: '' },
        { address: newWallet, linkedAt: world.clock() - 60_000, opensFrom: 0, proof: '' },
      ],
    }),
  };
  return {
    mint: (question: Question) =>
      ask(operations.mintTokenOperation, mintTokenHandler(dependencies), question),
    batch: (question: Question) =>
      ask(operations.mintBatchOperation, mintBatchHandler(dependencies), question),
    assign: (question: Question) =>
      ask(operations.setDestinationOperation, setTokenDestinationHandler(dependencies), question),
    revoke: (question: Question) =>
      ask(operations.revokeTokenOperation, revokeTokenHandler(dependencies), question),
    list: (question: Question) =>
      ask(
        reads.listTokensOperation,
        listTokensHandler({ applications, contracts, nfts, readCursorSecret }),
        question,
      ),
    owner: (question: Question) =>
      ask(
        reads.getTokenOwnerOperation,
        getTokenOwnerHandler({
          applications,
          contracts,
          nfts,
          owners: { now: () => Promise.reject(new Error('the chain is not asked')) },
        }),
        question,
      ),
    metadata: (question: Question) =>
      ask(reads.getTokenMetadataOperation, getTokenMetadataHandler({ contracts, nfts }), question),
    claim: (question: Question) =>
      ask(
        own.claimTokenOperation,
        claimTokenHandler({ ...user, wallets, claimAfterSeconds: 86_400, claimsPerDay: 100 }),
        question,
      ),
    own: (question: Question) =>
      ask(
        own.listUserTokensOperation,
        listUserTokensHandler({ ...user, userTokens, readCursorSecret }),
        question,
      ),
  };
};

/** The registrations of the users of this test, the newest last. */
const registrations: string[] = [];

const register = async (application: Pick<typeof one, 'id'> = one) => {
  const user = await world.register(undefined, application);
  registrations.push(user.registrationId);
  return user;
};

const metadata = { name: 'Seat 7' };

describe('the calls for reserved tokens', () => {
  it("work as documented from the sale in the shop to the user's wallet", async () => {
    const calls = serve();
    const { address } = await world.deploy({ application: one });
    const path = { contract_address: address };
    const fan = await register();
    const destination = fan.applicationUserSub;
    const token = `${fan.userSub} client-one`;

    const sold = await calls.mint({ as: 'one', path, body: { destination, metadata } });
    const { id } = sold.body;
    const theirs = { as: 'one', path: { ...path, id } };
    const listed = await calls.list({ as: 'one', path, query: { destination } });
    const reserved = await calls.list({ as: 'one', path, query: { status: 'reserved' } });
    const [owner, document] = [await calls.owner(theirs), await calls.metadata(theirs)];
    const mine = await calls.own({ token });
    const claimed = await calls.claim({ token, path, body: { address: wallet, id } });
    const after = await calls.own({ token });

    expect(sold).toMatchObject({
      status: 201,
      body: {
        destinationn: destination,
        status: 'reserved',
        is_confirmed: false,
        transaction_hash: '',
      },
    });
    expect(listed.body).toEqual([sold.body]);
    expect(reserved.body).toEqual([sold.body]);
    expect([owner.status, document.status]).toEqual([404, 404]);
    // Users get the application's identifier only from the call that is for it.
    expect(mine.body).toMatchObject([
      { id, status: 'reserved', destinationn: '', contract_address: expect.any(String) },
    ]);
    expect(claimed).toMatchObject({ status: 200, body: { id, status: 'pending' } });
    expect(after.body).toEqual([claimed.body]);
    expect((await calls.metadata(theirs)).status).toBe(200);
  });

  it("answer for other users' ids and tokens as for those that do not exist", async () => {
    const calls = serve();
    const { address } = await world.deploy({ application: one });
    const path = { contract_address: address };
    const stranger = await register(two);
    const fan = await register();
    const { body } = await calls.mint({
      as: 'one',
      path,
      body: { destination: fan.applicationUserSub, metadata },
    });
    const token = { as: 'one', path: { ...path, id: String(body.id) } };

    const identifiers = [stranger.applicationUserSub, '0123456789abcdef0123456789abcdef'];
    const minted = await Promise.all(
      identifiers.map((destination) => calls.mint({ as: 'one', path, body: { destination, metadata } })),
    );
    const given = await Promise.all(
      identifiers.map((destination) => calls.assign({ ...token, body: { destination } })),
    );
    const claims = await Promise.all(
      [
        { token: `${stranger.userSub} client-one`, id: String(body.id) },
        { token: `${fan.userSub} client-two`, id: String(body.id) },
        { token: `${fan.userSub} client-one`, id: '99' },
      ].map(({ token: by, id }) => calls.claim({ token: by, path, body: { address: wallet, id } })),
    );

    for (const { status, body: refused } of [...minted, ...given]) {
      expect([status, refused]).toEqual([404, { status: 404, error_fields: 'USER_NOT_FOUND' }]);
    }
    for (const { status, body: refused } of claims) {
      expect([status, refused]).toEqual([404, { status: 404, message: 'NFT_NOT_FOUND' }]);
    }
    expect((await calls.assign({ ...token, as: 'two', body: { destination: wallet } })).status).toBe(404);
    expect((await calls.revoke({ ...token, as: 'two' })).status).toBe(404);
    expect(
      await world.ports.nfts.find({ applicationId: 'one', contract: address, tokenId: '1' }),
    ).toMatchObject({
      status: 'reserved',
      version: 0,
    });
  });

  it('refuse the address that stands for a user, whose key nobody has, and mint to others of its form', async () => {
    const calls = serve();
    const { address } = await world.deploy({ application: one });
    const path = { contract_address: address };
    const fan = await register();
    const destination: Address = `0x00000000${fan.applicationUserSub}`;
    const { body } = await calls.mint({
      as: 'one',
      path,
      body: { destination: fan.applicationUserSub, metadata },
    });
    const token = { as: 'one', path: { ...path, id: String(body.id) } };
    const others = ['0x000000000000000000000000000000000000dEaD', `0x00000000${'5a'.repeat(16)}`];

    const refused = [
      await calls.mint({ as: 'one', path, body: { destination, metadata } }),
      await calls.mint({ as: 'one', path, body: { destination: checksummed(destination), metadata } }),
      await calls.assign({ ...token, body: { destination } }),
    ];
    const batch = await calls.batch({
      as: 'one',
      path,
      body: { tokens: [wallet, destination, ...others].map((each) => ({ destination: each, metadata })) },
    });
    const minted = await calls.batch({
      as: 'one',
      path,
      body: { tokens: others.map((each) => ({ destination: each, metadata })) },
    });

    for (const { status, body: answer } of refused) {
      expect([status, answer.errors]).toMatchObject([400, [{ path: 'destination' }]]);
    }
    expect([batch.status, batch.body.errors]).toMatchObject([400, [{ path: 'tokens[1].destination' }]]);
    expect(batch.body.errors).toHaveLength(1);
    expect(minted).toMatchObject({ status: 201, body: { tokens: [{ id: '2' }, { id: '3' }] } });
    expect(
      await world.ports.nfts.find({ applicationId: 'one', contract: address, tokenId: '1' }),
    ).toMatchObject({ status: 'reserved', version: 0 });
  });

  it('refuse the address that stands for a user of the past, whose identifier is still kept', async () => {
    const calls = serve();
    const { address } = await world.deploy({ application: one });
    const fan = await register();
    await world.ports.subs.endAll({
      registrationId: fan.registrationId,
      endsAt: world.clock() + 3_600_000,
    });

    const { status } = await calls.mint({
      as: 'one',
      path: { contract_address: address },
      body: { destination: `0x00000000${fan.applicationUserSub}`, metadata },
    });

    expect(status).toBe(400);
  });

  it('reject a batch of users and addresses, a recently linked wallet, and an invalid receiver', async () => {
    const calls = serve();
    const { address } = await world.deploy({ application: one });
    const path = { contract_address: address };
    const fan = await register();
    const destination = fan.applicationUserSub;
    const tokens = [destination, destination, wallet].map((each) => ({ destination: each, metadata }));

    const mixed = await calls.batch({ as: 'one', path, body: { tokens } });
    const odd = await Promise.all(
      ['0x12', destination.toUpperCase(), `${destination}0`, ''].map((each) =>
        calls.mint({ as: 'one', path, body: { destination: each, metadata } }),
      ),
    );
    const sold = await calls.batch({ as: 'one', path, body: { tokens: tokens.slice(0, 2) } });
    const early = await calls.claim({
      token: `${fan.userSub} client-one`,
      path,
      body: { address: newWallet, id: '1' },
    });

    expect(mixed).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'tokens[2].destination' }] },
    });
    for (const { status, body } of odd) {
      expect([status, body.errors]).toMatchObject([400, [{ path: 'destination' }]]);
    }
    expect(odd[0]?.body.errors).toEqual([
      { path: 'destination', message: 'Must be an address: 0x and 40 hexadecimal digits' },
    ]);
    expect(sold).toMatchObject({
      status: 201,
      body: { transaction_hash: '', tokens: [{ id: '1' }, { id: '2' }] },
    });
    expect(early).toMatchObject({
      status: 403,
      body: { message: 'WALLET_TOO_NEW', available_at: expect.any(String) },
    });
    expect(Number(early.headers?.['retry-after'])).toBeGreaterThan(86_000);
  });
});
