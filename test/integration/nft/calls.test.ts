import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { waitFor } from 'template-runtime/testing/wait.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createContractHandler } from '../../../functions/nft/create-contract/handler.ts';
import { getTokenOwnerHandler } from '../../../functions/nft/get-token-owner/handler.ts';
import { mintBatchHandler } from '../../../functions/nft/mint-batch/handler.ts';
import { mintTokenHandler } from '../../../functions/nft/mint-token/handler.ts';
import { revokeTokenHandler } from '../../../functions/nft/revoke-token/handler.ts';
import { setRoyaltyHandler } from '../../../functions/nft/set-royalty/handler.ts';
import { getContractHandler } from '../../../functions/nft/show-collections/get-contract-handler.ts';
import { getTokenHandler } from '../../../functions/nft/show-collections/get-token-handler.ts';
import { listContractsHandler } from '../../../functions/nft/show-collections/list-contracts-handler.ts';
import { listTokensHandler } from '../../../functions/nft/show-collections/list-tokens-handler.ts';
import { getContractMetadataHandler } from '../../../functions/nft/show-metadata/get-contract-metadata-handler.ts';
import { getTokenMetadataHandler } from '../../../functions/nft/show-metadata/get-token-metadata-handler.ts';
import { updateContractMetadataHandler } from '../../../functions/nft/update-contract-metadata/handler.ts';
import { updateMetadataBatchHandler } from '../../../functions/nft/update-metadata-batch/handler.ts';
import { updateTokenMetadataHandler } from '../../../functions/nft/update-token-metadata/handler.ts';
import { type Address, lowerCase } from '../../../shared/chain/hex.ts';
import { createRpcEndpoints } from '../../../shared/chain/rpc/rpc-endpoints.ts';
import * as operations from '../../../shared/nft/http/operations.ts';
import * as reads from '../../../shared/nft/http/read-operations.ts';
import type { TokenOwners } from '../../../shared/nft/ports/token-owners.ts';
import { chainTokenOwners } from '../../../shared/nft/rpc/token-owners.ts';
import type { Applications } from '../../../shared/platform/applications/ports/applications.ts';
import type { Operation } from '../../../shared/platform/http/operation.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import { withFault } from '../../support/nft/faults.ts';
import { fixedUrls } from '../../support/nft/rpc-urls.ts';
import { transferToken } from '../../support/nft/transfer-token.ts';
import { publicBaseUrl, startWorld, type World } from '../../support/nft/world.ts';
import { aContext, anApiEvent } from '../../support/ott/api-event.ts';
import { anApplication } from '../../support/platform/applications.ts';
import { startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';
import { refusal } from '../../support/platform/refusal.ts';

let database: TestDatabase;
let world: World;
let call: Caller;

const limits = { contractsPerDay: 1_000, mintsPerDay: 1_000 };
const known = [
  anApplication({ limits }),
  anApplication({ id: 'two', apiKeyIds: ['key-two'], limits }),
  anApplication({ id: 'few', apiKeyIds: ['key-few'], limits: { contractsPerDay: 1, mintsPerDay: 2 } }),
];
const applications: Pick<Applications, 'findByApiKeyId'> = {
  findByApiKeyId: async (id) => known.find(({ apiKeyIds }) => apiKeyIds.includes(id)),
};

interface CallOptions {
  readonly as?: string;
  readonly path?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly key?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

/** The fields of any answer that a test looks at. */
interface Fields {
  readonly id: string;
  readonly address: string;
  readonly transaction_hash: string;
  readonly tokens: readonly Fields[];
}
type Body = Fields & readonly Fields[];

interface Answer {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly body: Body;
}

type Caller = (name: keyof ReturnType<typeof handlersOf>, options?: CallOptions) => Promise<Answer>;

/** Asks for owners as the deployed function does. */
const ownersAt = (url: string) => () =>
  chainTokenOwners(
    createRpcEndpoints({
      chainId: 31_337,
      urls: fixedUrls(url),
      clock: systemClock,
      questionTimeoutMilliseconds: 1_000,
    }),
  );

const handlersOf = (
  { submitDependencies, ports: { contracts, nfts } }: World,
  owners: () => TokenOwners = ownersAt(world.anvil.url),
) => {
  const readCursorSecret = async () => 'a secret of thirty-two characters';
  const dependencies = submitDependencies();
  const write = {
    ...dependencies,
    applications: { ...applications, ...dependencies.applications },
    contracts,
    nfts,
  };
  const bind = <Path, Query, Body>(
    operation: Operation<Path, Query, Body>,
    handler: Parameters<typeof operationFunction<Path, Query, Body>>[1],
  ) => ({
    operation: operation as Operation,
    run: operationFunction(operation, handler) as (
      event: APIGatewayProxyEvent,
      context: Context,
    ) => Promise<APIGatewayProxyResult>,
  });
  return {
    create: bind(operations.createContractOperation, createContractHandler(write)),
    list: bind(
      reads.listContractsOperation,
      listContractsHandler({ applications, contracts, readCursorSecret }),
    ),
    get: bind(reads.getContractOperation, getContractHandler({ applications, contracts })),
    mint: bind(operations.mintTokenOperation, mintTokenHandler(write)),
    updateToken: bind(operations.updateTokenMetadataOperation, updateTokenMetadataHandler(write)),
    updateTokens: bind(operations.updateMetadataBatchOperation, updateMetadataBatchHandler(write)),
    updateContract: bind(operations.updateContractMetadataOperation, updateContractMetadataHandler(write)),
    setRoyalty: bind(operations.setRoyaltyOperation, setRoyaltyHandler(write)),
    mintBatch: bind(operations.mintBatchOperation, mintBatchHandler(write)),
    revoke: bind(operations.revokeTokenOperation, revokeTokenHandler(write)),
    tokens: bind(
      reads.listTokensOperation,
      listTokensHandler({ applications, contracts, nfts, readCursorSecret }),
    ),
    token: bind(reads.getTokenOperation, getTokenHandler({ applications, contracts, nfts })),
    owner: bind(
      reads.getTokenOwnerOperation,
      getTokenOwnerHandler({ applications, contracts, nfts, owners: owners() }),
    ),
    contractMetadata: bind(reads.getContractMetadataOperation, getContractMetadataHandler({ contracts })),
    tokenMetadata: bind(reads.getTokenMetadataOperation, getTokenMetadataHandler({ contracts, nfts })),
  };
};

const callerOf =
  (handlers: ReturnType<typeof handlersOf>): Caller =>
  async (name, options = {}) => {
    const { operation, run } = handlers[name];
    const result = await run(
      anApiEvent({
        method: operation.method,
        resource: operation.route,
        apiKeyId: options.as ?? 'key-one',
        headers: {
          ...options.headers,
          ...(options.key !== undefined && { 'IDEMPOTENCY-KEY': options.key }),
        },
        ...(options.path !== undefined && { path: options.path }),
        ...(options.query !== undefined && { query: options.query }),
        ...(options.body !== undefined && { body: options.body }),
      }),
      aContext(),
    );
    return {
      status: result.statusCode,
      headers: result.headers ?? {},
      body: result.body === '' ? undefined : JSON.parse(result.body),
    };
  };

const destination = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const aContractBody = (changes: object = {}) => ({
  name: 'Fan Club',
  symbol: 'FAN',
  chain: 'MATIC',
  ...changes,
});
const aMintBody = (changes: object = {}) => ({ destination, metadata: { name: 'Ticket', ...changes } });

beforeAll(async () => {
  database = await startDatabase();
  world = await startWorld({ database, passMilliseconds: 1_000 });
  call = callerOf(handlersOf(world));
});

afterAll(async () => {
  await world.stop();
  await database.stop();
});

const aContract = async (as = 'key-one'): Promise<string> => {
  const { status, body } = await call('create', { as, body: aContractBody() });
  expect(status).toBe(201);
  return body.address;
};

describe('the call that creates a contract', () => {
  it('answers 201 with the contract and its location', async () => {
    const media = [{ type: 'audio', value: 'ipfs://bafy/song.mp3' }];
    const { status, body, headers } = await call('create', {
      body: aContractBody({ description: 'All of us', image: 'https://example.com/a.png', media }),
    });

    expect(status).toBe(201);
    expect(body).toEqual({
      address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
      name: 'Fan Club',
      symbol: 'FAN',
      description: 'All of us',
      chain: 'MATIC',
      image: 'https://example.com/a.png',
      media,
      royalty: null,
      is_confirmed: false,
      transaction_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      status: 'pending',
      created_at: expect.stringMatching(/Z$/),
    });
    expect(headers.location).toBe(`${publicBaseUrl}/api/v1/nft/contracts/${body.address}`);
    const got = await call('get', { path: { contract_address: body.address } });
    expect(got).toMatchObject({ status: 200, body });
  });

  it('returns the creation options that were given, and rejects later changes of them', async () => {
    const options = { max_supply: 2, transferable: false, revocable: true };
    const limited = await call('create', { body: aContractBody(options) });
    const said = await call('create', { body: aContractBody({ transferable: true, revocable: false }) });
    const path = { contract_address: limited.body.address };

    expect(limited).toMatchObject({ status: 201, body: options });
    expect(said.body).toMatchObject({ transferable: true, revocable: false });
    expect(said.body).not.toHaveProperty('max_supply');
    expect((await call('get', { path })).body).toMatchObject(options);
    expect((await call('list')).body.filter((each) => 'max_supply' in each)).toMatchObject([options]);
    for (const [field, value] of Object.entries(options)) {
      const change = await call('updateContract', { path, body: { description: 'New', [field]: value } });
      expect(change).toMatchObject({ status: 400, body: { errors: [{ path: field }] } });
    }
  });

  it('sets a maximum supply, above which a mint gets 409 with the number of tokens left', async () => {
    const { body } = await call('create', { body: aContractBody({ max_supply: 2 }) });
    const path = { contract_address: body.address };
    const batch = { tokens: [aMintBody(), aMintBody()] };
    const exhausted = (left: number) => ({
      status: 409,
      body: { status: 409, message: 'SUPPLY_EXHAUSTED', left },
    });

    expect((await call('mint', { path, body: aMintBody() })).status).toBe(201);
    expect(await call('mintBatch', { path, body: batch })).toMatchObject(exhausted(1));
    expect((await call('mint', { path, body: aMintBody() })).body.id).toBe('2');
    expect(await call('mint', { path, body: aMintBody() })).toMatchObject(exhausted(0));
    expect((await call('tokens', { path })).body).toHaveLength(2);
  });

  it('stores and sends nothing when a field is wrong', async () => {
    const before = await world.ports.signers.find(world.signerId);

    const { status, body } = await call('create', { body: aContractBody({ symbol: 1, colour: 'red' }) });

    expect({ status, body }).toMatchObject({
      status: 400,
      body: { status: 400, message: 'BAD_REQUEST', errors: [{ path: 'symbol' }, { path: 'colour' }] },
    });
    expect((await world.ports.signers.find(world.signerId))?.nextNonce).toBe(before?.nextNonce);
  });

  it('answers 429 when the application has reached its daily limit', async () => {
    await aContract('key-few');

    const { status, body, headers } = await call('create', { as: 'key-few', body: aContractBody() });

    expect({ status, body }).toEqual({
      status: 429,
      body: refusal({ status: 429, message: 'DAILY_LIMIT_REACHED' }),
    });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  });

  it('allows a batch up to the daily limit, and a larger batch gets 422 naming the limit', async () => {
    const applicationOfBatch = anApplication({
      id: 'little',
      apiKeyIds: ['key-little'],
      limits: { contractsPerDay: 1, mintsPerDay: 2 },
    });
    known.push(applicationOfBatch);
    const contract_address = await aContract('key-little');
    const tokens = [aMintBody(), aMintBody(), aMintBody()];

    const refused = await call('mintBatch', {
      as: 'key-little',
      path: { contract_address },
      body: { tokens },
    });

    expect(refused.body).toEqual(refusal({ status: 422, message: 'LIMIT_TOO_SMALL', limit: 2 }));
    expect(refused.headers['retry-after']).toBeUndefined();
    const two = { tokens: tokens.slice(1) };
    expect(
      await call('mintBatch', { as: 'key-little', path: { contract_address }, body: two }),
    ).toMatchObject({
      status: 201,
    });
  });
});

describe('the call that mints a token', () => {
  it('answers 201 with the token and the checksummed address of its receiver', async () => {
    const contract_address = await aContract();

    const { status, body, headers } = await call('mint', {
      path: { contract_address: contract_address.toLowerCase() },
      body: aMintBody({ background_color: '#00FF00', attributes: [{ trait_type: 'Seat', value: 'A1' }] }),
    });

    expect(status).toBe(201);
    expect(body).toMatchObject({
      id: '1',
      is_confirmed: false,
      destinationn: destination,
      metadata: { name: 'Ticket', attributes: [{ trait_type: 'Seat', value: 'A1', display_type: null }] },
      status: 'pending',
    });
    expect(headers.location).toBe(`${publicBaseUrl}/api/v1/nft/contracts/${contract_address}/tokens/1`);
    const got = await call('token', { path: { contract_address, id: '1' } });
    expect(got).toMatchObject({ status: 200, body });
  });

  it('answers 404 for an unknown contract, and 400 for an address with a wrong checksum', async () => {
    const unknown = await call('mint', {
      path: { contract_address: `0x${'1'.repeat(40)}` },
      body: aMintBody(),
    });
    expect(unknown).toMatchObject({ status: 404, body: { message: 'CONTRACT_NOT_FOUND' } });

    const typo = destination.replace('5aA', '5aa');
    const wrong = await call('mint', { path: { contract_address: typo }, body: aMintBody() });
    expect(wrong).toMatchObject({ status: 400, body: { errors: [{ path: 'contract_address' }] } });
  });
});

describe('a mint whose receiver is the collection itself', () => {
  it('gets 400 naming the destination, in a batch with the index of the token', async () => {
    const contract_address = await aContract();
    const path = { contract_address };
    const own = { ...aMintBody(), destination: contract_address };

    const one = await call('mint', { path, body: own });
    const batch = await call('mintBatch', { path, body: { tokens: [aMintBody(), own] } });

    expect(one).toMatchObject({ status: 400, body: { errors: [{ path: 'destination' }] } });
    expect(batch).toMatchObject({ status: 400, body: { errors: [{ path: 'tokens[1].destination' }] } });
    expect((await call('tokens', { path })).body).toEqual([]);
  });
});

describe('the call that mints a batch', () => {
  it('answers 201 with the tokens in order, and the list contains them', async () => {
    const path = { contract_address: await aContract() };
    const tokens = ['One', 'Two', 'Three'].map((name) => aMintBody({ name }));

    const made = await call('mintBatch', { path, body: { tokens }, key: 'batch' });

    const { transaction_hash } = made.body;
    expect(made).toMatchObject({
      status: 201,
      body: {
        transaction_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        tokens: ['One', 'Two', 'Three'].map((name, index) => ({
          id: String(index + 1),
          destinationn: destination,
          is_confirmed: false,
          transaction_hash,
          metadata: { name },
        })),
      },
    });
    const listed = await call('tokens', { path });
    expect(listed.body.map(({ id }) => id)).toEqual(['3', '2', '1']);
    const again = await call('mintBatch', { path, body: { tokens }, key: 'batch' });
    expect(again.body.tokens.map(({ id }) => id)).toEqual(['1', '2', '3']);
  });

  const longText = 'v'.repeat(1_000);
  it.each<[string, unknown, readonly string[]]>([
    ['a wrong address', { ...aMintBody(), destination: '0x12' }, ['tokens[1].destination']],
    ['the zero address', { ...aMintBody(), destination: `0x${'0'.repeat(40)}` }, ['tokens[1].destination']],
    [
      'a wrong checksum',
      { ...aMintBody(), destination: destination.replace('5aA', '5aa') },
      ['tokens[1].destination'],
    ],
    ['no destination', { metadata: { name: 'x' } }, ['tokens[1].destination']],
    ['no metadata', { destination }, ['tokens[1].metadata']],
    ['no name', { destination, metadata: {} }, ['tokens[1].metadata.name']],
    ['a name that turns its direction', aMintBody({ name: 'a\u202Eb' }), ['tokens[1].metadata.name']],
    ['an image over http', aMintBody({ image: 'http://a.example/' }), ['tokens[1].metadata.image']],
    [
      'a wrong attribute',
      aMintBody({ attributes: [{ value: '1' }, { value: true }] }),
      ['tokens[1].metadata.attributes[1].value'],
    ],
    [
      'metadata over 16 KB',
      aMintBody({ attributes: Array(20).fill({ value: longText }) }),
      ['tokens[1].metadata'],
    ],
    ['an unknown field of its metadata', aMintBody({ colour: 'red' }), ['tokens[1].metadata.colour']],
    ['an unknown field', { ...aMintBody(), amount: 2 }, ['tokens[1].amount']],
    [
      'several',
      { destination: '0x12', metadata: { name: '' } },
      ['tokens[1].destination', 'tokens[1].metadata.name'],
    ],
    ['a text in its place', 'Ticket', ['tokens[1]']],
    ['nothing in its place', null, ['tokens[1]']],
    ['a list in its place', [], ['tokens[1]']],
  ])('answers 400 naming the element with %s, and mints nothing', async (_, wrong, paths) => {
    const contract_address = await aContract();
    const tokens = [aMintBody(), wrong, aMintBody()];

    const answer = await call('mintBatch', { path: { contract_address }, body: { tokens } });

    expect(answer).toMatchObject({ status: 400, body: { errors: paths.map((path) => ({ path })) } });
    expect((await call('tokens', { path: { contract_address } })).body).toEqual([]);
  });

  it.each([1, 2, 95])(
    'with %i tokens mints once for five simultaneous calls with one idempotency key',
    async (count) => {
      const path = { contract_address: await aContract() };
      const tokens = Array.from({ length: count }, (_, index) => aMintBody({ name: `Seat ${index}` }));
      const ask = () => call('mintBatch', { path, body: { tokens }, key: 'rush' });

      const answers = await Promise.all([ask(), ask(), ask(), ask(), ask()]);

      const made = answers.filter(({ status }) => status === 201);
      const refused = answers.filter(({ status }) => status !== 201);
      expect(new Set(made.map(({ body }) => body.transaction_hash)).size).toBe(1);
      for (const answer of refused) {
        expect(answer).toMatchObject({ status: 409, body: { message: 'IDEMPOTENCY_KEY_IN_USE' } });
      }
      const ids = Array.from({ length: count }, (_, index) => String(index + 1));
      for (const { body } of made) expect(body.tokens.map(({ id }) => id)).toEqual(ids);
      const listed = await call('tokens', { path, query: { limit: '100' } });
      expect(listed.body.map(({ id }) => id)).toEqual(ids.toReversed());
    },
  );

  it('accepts at most 95 tokens and at most 256 KB', async () => {
    const path = { contract_address: await aContract() };
    const ofBytes = (bytes: number): string => {
      const text = JSON.stringify({ tokens: Array(95).fill(aMintBody()) });
      return `${text}${' '.repeat(bytes - text.length)}`;
    };

    const [fits, tooLarge, tooMany, none] = [
      await call('mintBatch', { path, body: ofBytes(256 * 1024) }),
      await call('mintBatch', { path, body: ofBytes(256 * 1024 + 1) }),
      await call('mintBatch', { path, body: { tokens: Array(96).fill(aMintBody()) } }),
      await call('mintBatch', { path, body: { tokens: [] } }),
    ];

    expect(fits.body.tokens).toHaveLength(95);
    expect(tooLarge.status).toBe(413);
    for (const refused of [tooMany, none]) {
      expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'tokens' }] } });
    }
  });
});

describe('a call that changes a contract or token', () => {
  it('is visible in every read call as soon as it has answered', async () => {
    const royalty = { receiver: destination, basis_points: 250 };
    const created = await call('create', { body: aContractBody({ royalty }) });
    expect(created.body).toMatchObject({ royalty: { ...royalty, is_confirmed: false, status: 'pending' } });
    const path = { contract_address: created.body.address };
    await call('mintBatch', { path, body: { tokens: [aMintBody(), aMintBody()] } });
    const token = { path: { ...path, id: '1' } };
    const { etag } = (await call('tokenMetadata', token)).headers as Record<string, string>;

    const one = await call('updateToken', { ...token, body: { name: 'Used' } });
    const both = await call('updateTokens', {
      path,
      body: { from: '1', to: '2', metadata: [{ name: 'A' }, { name: 'B' }] },
    });
    const contract = await call('updateContract', { path, body: { description: 'Over' } });
    const without = await call('setRoyalty', { path, body: { receiver: null } });

    expect(one).toMatchObject({ status: 200, body: { id: '1', metadata: { name: 'Used', image: null } } });
    expect(both).toMatchObject({
      status: 200,
      body: { tokens: [{ metadata: { name: 'A' } }, { metadata: { name: 'B' } }] },
    });
    expect(contract).toMatchObject({ status: 200, body: { description: 'Over', media: [], royalty } });
    const pending = {
      is_confirmed: false,
      status: 'pending',
      transaction_hash: expect.stringMatching(/^0x/),
    };
    for (const changed of [one.body, ...both.body.tokens, contract.body]) {
      expect(changed).toMatchObject({ metadata_update: pending });
    }
    const none = { receiver: null, basis_points: 0, is_confirmed: false };
    expect(without).toMatchObject({ status: 200, body: { royalty: none } });
    const shown = await call('tokenMetadata', { ...token, headers: { 'If-None-Match': etag ?? '' } });
    expect(shown).toMatchObject({ status: 200, body: { name: 'A' } });
    expect(await call('contractMetadata', { path })).toMatchObject({ body: { description: 'Over' } });
    await world.untilFinal();
    expect((await call('get', { path })).body).toMatchObject({
      royalty: { ...none, is_confirmed: true },
      metadata_update: { is_confirmed: true, status: 'confirmed' },
    });
    expect((await call('token', token)).body).toMatchObject({
      metadata_update: { is_confirmed: true, status: 'confirmed' },
    });
  });

  it.each([
    ['updateTokens', { from: '1', to: '3', metadata: [{ name: 'A' }] }, 'metadata'],
    ['updateTokens', { from: '1', to: '1', metadata: [{}] }, 'metadata[0].name'],
    ['updateContract', { name: 'Other' }, 'name'],
    ['setRoyalty', { receiver: destination }, 'basis_points'],
    ['setRoyalty', { receiver: destination, basis_points: 1_001 }, 'basis_points'],
    ['setRoyalty', { receiver: null, basis_points: 1 }, 'basis_points'],
    ['setRoyalty', { receiver: `0x${'0'.repeat(40)}`, basis_points: 1 }, 'receiver'],
  ] as const)('%s answers 400 to %j and names %s', async (name, body, field) => {
    const contract_address = await aContract();

    const answer = await call(name, { path: { contract_address }, body });

    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: field }] } });
  });

  it('answers 404 to another application', async () => {
    const path = { contract_address: await aContract(), id: '1' };
    const as = 'key-two';

    const answers = await Promise.all([
      call('updateToken', { as, path, body: { name: 'A' } }),
      call('updateTokens', { as, path, body: { from: '1', to: '1', metadata: [{ name: 'A' }] } }),
      call('updateContract', { as, path, body: {} }),
      call('setRoyalty', { as, path, body: { receiver: null } }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });
});

describe('an idempotency key', () => {
  it('returns the same token in its present state, whatever the order of fields in the body', async () => {
    const contract_address = await aContract();
    const order = { path: { contract_address }, key: '"same"' };
    const first = await call('mint', { ...order, body: aMintBody({ description: 'x' }) });
    await world.untilFinal();

    const second = await call('mint', {
      ...order,
      key: 'same',
      body: { metadata: { description: 'x', name: 'Ticket' }, destination: destination.toLowerCase() },
    });

    expect(second.status).toBe(201);
    expect(second.body).toEqual({ ...first.body, is_confirmed: true, status: 'confirmed' });
    expect(second.headers.location).toBe(first.headers.location);
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    expect(second.headers).toHaveProperty('idempotent-replayed', 'true');
  });

  it('marks the response to a repeated call with Idempotent-Replayed, and no other response', async () => {
    const options = aContractBody({ revocable: true });
    const made = await call('create', { body: options, key: 'said' });
    const path = { contract_address: made.body.address };
    await call('mint', { path, body: aMintBody() });
    await world.untilFinal();
    const calls: [Parameters<Caller>[0], CallOptions][] = [
      ['mintBatch', { path, body: { tokens: [aMintBody()] } }],
      ['updateToken', { path: { ...path, id: '1' }, body: { name: 'New' } }],
      ['updateTokens', { path, body: { from: '1', to: '1', metadata: [{ name: 'Newer' }] } }],
      ['updateContract', { path, body: { description: 'New' } }],
      ['setRoyalty', { path, body: { receiver: null } }],
      ['revoke', { path: { ...path, id: '1' } }],
    ];
    const said = ({ status, headers }: Answer) => [status < 300, headers['idempotent-replayed']];

    expect(said(made)).toEqual([true, undefined]);
    expect(said(await call('create', { body: options, key: 'said' }))).toEqual([true, 'true']);
    for (const [name, options] of calls) {
      const ask = async (key?: string) => [
        name,
        ...said(await call(name, { ...options, ...(key && { key }) })),
      ];
      expect(await ask('said')).toEqual([name, true, undefined]);
      expect(await ask('said')).toEqual([name, true, 'true']);
    }
    const revokedAgain = await call('revoke', { path: { ...path, id: '1' }, key: 'another' });
    expect(said(revokedAgain)).toEqual([true, undefined]);
    const reused = await call('create', { body: aContractBody(), key: 'said' });
    expect([reused.status, reused.headers]).toEqual([
      422,
      expect.not.objectContaining({ 'idempotent-replayed': 'true' }),
    ]);
  });

  it('causes a 422 for another body, but is independent on another path and for another application', async () => {
    const [contract_address, other] = [await aContract(), await aContract()];
    const foreign = await aContract('key-two');
    const first = await call('mint', { path: { contract_address }, key: 'scoped', body: aMintBody() });

    const reused = await call('mint', {
      path: { contract_address },
      key: 'scoped',
      body: aMintBody({ name: 'B' }),
    });
    expect(reused).toMatchObject({ status: 422, body: { message: 'IDEMPOTENCY_KEY_REUSED' } });
    const elsewhere = await call('mint', {
      path: { contract_address: other },
      key: 'scoped',
      body: aMintBody(),
    });
    const theirs = await call('mint', {
      as: 'key-two',
      path: { contract_address: foreign },
      key: 'scoped',
      body: aMintBody({ name: 'B' }),
    });
    expect([first.status, elsewhere.status, theirs.status]).toEqual([201, 201, 201]);
    expect(elsewhere.body.transaction_hash).not.toBe(first.body.transaction_hash);
  });

  it('causes a 422 if a number comes as a string, which the public metadata would show in another way', async () => {
    const path = { contract_address: await aContract() };
    const mintWith = (value: unknown) =>
      call('mint', { path, key: 'number', body: aMintBody({ attributes: [{ value }] }) });
    const { body } = await mintWith(5);

    expect(await mintWith('5')).toMatchObject({ status: 422 });
    expect(await mintWith(5)).toMatchObject({ status: 201, body: { id: body.id } });
  });

  it('finds the result of an earlier release, whose metadata had fewer fields', async () => {
    const path = { contract_address: await aContract() };
    const { body } = await call('mint', { path, key: 'earlier', body: aMintBody({ external_url: null }) });

    const repeated = await call('mint', { path, key: 'earlier', body: aMintBody() });

    expect(repeated).toMatchObject({ status: 201, body: { id: body.id } });
  });

  it('lets one of eight simultaneous calls succeed; the others get 409 or the same token', async () => {
    const contract_address = await aContract();

    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        call('mint', { path: { contract_address }, key: 'rush', body: aMintBody() }),
      ),
    );

    const made = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
    expect(made.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    for (const answer of refused) {
      expect(answer).toMatchObject({ status: 409, body: { message: 'IDEMPOTENCY_KEY_IN_USE' } });
    }
    const { body: tokens } = await call('tokens', { path: { contract_address } });
    expect(tokens).toHaveLength(1);
  });

  it('causes a 400 naming Idempotency-Key if it is too long', async () => {
    const { status, body } = await call('create', { key: 'k'.repeat(256), body: aContractBody() });
    expect({ status, body }).toMatchObject({ status: 400, body: { errors: [{ path: 'Idempotency-Key' }] } });
  });
});

describe('the lists of contracts and tokens', () => {
  it('show every created item, newest first, page by page', async () => {
    const contract_address = await aContract();
    for (let minted = 0; minted < 5; minted += 1) {
      await call('mint', { path: { contract_address }, body: aMintBody() });
    }

    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const { body, headers } = await call('tokens', {
        path: { contract_address },
        query: { limit: '2', ...(cursor !== undefined && { cursor }) },
      });
      ids.push(...body.map(({ id }) => id));
      const link = /<([^>]+)>; rel="next"/.exec(String(headers.link))?.[1];
      cursor = link === undefined ? undefined : (new URL(link).searchParams.get('cursor') ?? undefined);
    } while (cursor !== undefined);

    expect(ids).toEqual(['5', '4', '3', '2', '1']);
    const whole = await call('tokens', { path: { contract_address }, query: { limit: '5' } });
    expect(whole.body).toHaveLength(5);
    expect(whole.headers.link).toBeUndefined();
    const { body: contracts } = await call('list', { query: { limit: '1' } });
    expect(contracts).toMatchObject([{ address: contract_address }]);
  });

  it.each<Record<string, string>>([
    { limit: '0' },
    { limit: '101' },
    { limit: 'x' },
    { cursor: 'x' },
    { page: '2' },
  ])('answer 400 for %o', async (query) => {
    const { status, body } = await call('list', { query });
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { errors: [{ path: Object.keys(query)[0] }] },
    });
  });

  it('of tokens can be filtered by receiver or status, with a Link that keeps the filter', async () => {
    const contract_address = await aContract();
    const path = { contract_address };
    const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
    const destinations = [other, destination, other, destination];
    await call('mintBatch', {
      path,
      body: { tokens: destinations.map((each) => ({ ...aMintBody(), destination: each })) },
    });
    const ids = async (query: Record<string, string>) =>
      (await call('tokens', { path, query })).body.map(({ id }) => id);

    expect(await ids({ destination: other })).toEqual(['3', '1']);
    expect(await ids({ destination: other.toLowerCase(), status: 'pending' })).toEqual(['3', '1']);
    expect(await ids({ destination: other, status: 'confirmed' })).toEqual([]);
    await world.untilFinal();
    expect(await ids({ status: 'confirmed', destination: other })).toEqual(['3', '1']);
    expect(await ids({ status: 'failed' })).toEqual([]);
    const { headers } = await call('tokens', { path, query: { destination: other, limit: '1' } });
    const link = new URL(/<([^>]+)>/.exec(String(headers.link))?.[1] ?? '').searchParams;
    expect(await ids(Object.fromEntries(link))).toEqual(['1']);
    const cursor = link.get('cursor') ?? '';
    expect(await call('tokens', { path, query: { destination, cursor } })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'cursor' }] },
    });
    for (const query of [{ destination: '0x1' }, { status: 'revoked' }] as Record<string, string>[]) {
      expect(await call('tokens', { path, query })).toMatchObject({
        status: 400,
        body: { errors: [{ path: Object.keys(query)[0] }] },
      });
    }
    expect((await call('tokens', { path, as: 'key-two', query: { destination: other } })).status).toBe(404);
  });

  it("reject a cursor of another application's list", async () => {
    await aContract();
    await aContract();
    const { headers } = await call('list', { query: { limit: '1' } });
    const cursor =
      new URL(/<([^>]+)>/.exec(String(headers.link))?.[1] ?? '').searchParams.get('cursor') ?? '';

    const foreign = await call('list', { as: 'key-two', query: { cursor } });
    expect(foreign).toMatchObject({ status: 400, body: { errors: [{ path: 'cursor' }] } });
  });
});

describe('the call that revokes a token', () => {
  it('answers 200, the revocation becomes final with the burn, and then the metadata is 404', async () => {
    const { body } = await call('create', { body: aContractBody({ revocable: true }) });
    const contract_address = body.address;
    await call('mint', { path: { contract_address }, body: aMintBody() });
    await world.untilFinal();
    const path = { contract_address, id: '1' };

    const revoked = await call('revoke', { path, key: 'revoke' });
    expect(revoked).toMatchObject({
      status: 200,
      body: { id: '1', status: 'confirmed', revocation: { is_confirmed: false, status: 'pending' } },
    });
    expect((await call('tokenMetadata', { path })).status).toBe(200);
    await world.untilFinal();

    const { body: token } = await call('token', { path });
    expect(token).toMatchObject({
      is_confirmed: true,
      status: 'confirmed',
      revocation: { is_confirmed: true, transaction_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
    });
    expect((await call('revoke', { path, key: 'revoke' })).body).toEqual(token);
    expect((await call('revoke', { path })).body).toEqual(token);
    expect((await call('tokens', { path })).body).toEqual([token]);
    expect(await call('tokenMetadata', { path })).toMatchObject({
      status: 404,
      body: { message: 'NFT_NOT_FOUND' },
    });
    expect((await call('owner', { path })).status).toBe(404);
  });

  it('answers 409 NOT_REVOCABLE for a contract without revocations, 400 for a wrong id, 404 for a missing token', async () => {
    const contract_address = await aContract();
    await call('mint', { path: { contract_address }, body: aMintBody() });
    const path = { contract_address, id: '1' };

    expect(await call('revoke', { path })).toMatchObject({
      status: 409,
      body: { status: 409, message: 'NOT_REVOCABLE' },
    });
    expect((await call('token', { path })).body).not.toHaveProperty('revocation');
    expect(await call('revoke', { path: { ...path, id: 'one' } })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'id' }] },
    });
    expect((await call('revoke', { path: { ...path, id: '2' } })).status).toBe(404);
  });
});

describe('the call for the owner of a token', () => {
  it('answers with the owner at the newest block: none before the mint, then the receiver, then a buyer', async () => {
    const contract_address = await aContract();
    const minted = await call('mint', { path: { contract_address }, body: aMintBody() });
    const path = { contract_address, id: minted.body.id };
    const owner = () => call('owner', { path });
    // The transaction was broadcast, so it is mined without the waiter.
    const seen = await waitFor(async () => {
      const answer = await owner();
      expect(answer.status).toBe(200);
      return answer;
    });
    expect(seen.body).toEqual({
      owner: destination,
      block_number: expect.any(Number),
      as_of: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });

    const buyer = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
    const token = { contract: contract_address, tokenId: path.id };
    await transferToken(world.anvil.rpc, { ...token, from: destination, to: buyer });
    await waitFor(async () => expect((await owner()).body).toMatchObject({ owner: buyer }));
  });

  it('answers 404 for a token that is not on the chain, 400 for a wrong id, 503 without any RPC endpoint', async () => {
    const contract_address = await aContract();
    const dying = withFault(world.ports, { at: 'transactionLog.record', when: 'after', mode: 'crash' });
    await expect(
      world.mint({ contract: lowerCase(contract_address as Address), ports: dying.ports }),
    ).rejects.toThrow();
    const path = { contract_address, id: '1' };

    expect(await call('token', { path })).toMatchObject({ status: 200, body: { status: 'pending' } });
    expect(await call('owner', { path })).toMatchObject({ status: 404, body: { message: 'NFT_NOT_FOUND' } });
    expect((await call('owner', { path: { ...path, id: '2' } })).status).toBe(404);
    expect((await call('owner', { path: { ...path, id: '0x1' } })).status).toBe(400);
    const unreachable = callerOf(handlersOf(world, ownersAt('http://127.0.0.1:9')));
    expect(await unreachable('owner', { path })).toMatchObject({
      status: 503,
      body: { message: 'CHAIN_UNAVAILABLE' },
    });
    expect((await unreachable('owner', { path, as: 'key-two' })).status).toBe(404);
  });
});

describe('a call by another application', () => {
  it('gets the 404 of a contract that does not exist, on every path', async () => {
    const contract_address = await aContract();
    const minted = await call('mint', { path: { contract_address }, body: aMintBody() });
    expect(minted.status).toBe(201);
    const path = { contract_address, id: '1' };

    const answers = await Promise.all([
      call('get', { as: 'key-two', path }),
      call('mint', { as: 'key-two', path, body: aMintBody() }),
      call('mintBatch', { as: 'key-two', path, body: { tokens: [aMintBody()] } }),
      call('tokens', { as: 'key-two', path }),
      call('token', { as: 'key-two', path }),
      call('owner', { as: 'key-two', path }),
      call('revoke', { as: 'key-two', path }),
    ]);

    const missing = await call('get', { path: { contract_address: `0x${'1'.repeat(40)}` } });
    for (const { status, body } of [...answers, missing]) {
      expect({ status, body }).toEqual({
        status: 404,
        body: { status: 404, message: 'CONTRACT_NOT_FOUND', request_id: expect.any(String) },
      });
    }
    const { body: listed } = await call('list', { as: 'key-two' });
    expect(listed.map(({ address }) => address)).not.toContain(contract_address);
  });

  it('gets 403 if its key belongs to no application', async () => {
    expect(await call('list', { as: 'key-none' })).toMatchObject({ status: 403 });
  });
});

describe('the public metadata', () => {
  it('contains a numeric trait as a number, while the API returns the text that was sent', async () => {
    const contract_address = await aContract();
    const attributes = [
      ['number', '7'],
      ['boost_number', '-1.50'],
      ['boost_percentage', '0.1'],
      ['date', '1767225600'],
      ['number', '9007199254740993'],
      ['number', '0x10'],
      ['number', ''],
      ['string', '7'],
      [null, '7'],
    ].map(([display_type, value]) => ({ trait_type: 't', display_type, value }));
    await call('mint', { path: { contract_address }, body: aMintBody({ attributes }) });
    const path = { contract_address, id: '1' };

    const shown = await call('tokenMetadata', { path });
    const token = await call('token', { path });

    const valuesOf = (of: unknown) =>
      (of as { attributes: { value: unknown }[] }).attributes.map(({ value }) => value);
    expect(valuesOf(shown.body)).toEqual([
      7,
      -1.5,
      0.1,
      1_767_225_600,
      '9007199254740993',
      '0x10',
      '',
      '7',
      '7',
    ]);
    expect(valuesOf((token.body as unknown as { metadata: unknown }).metadata)).toEqual(
      attributes.map(({ value }) => value),
    );
  });

  /** The values as JSON writes numbers, how responses have them, and what the public document has. */
  const numbers: readonly (readonly [sent: string, answered: string, shown: number])[] = [
    ['7', '7', 7],
    ['-1.50', '-1.5', -1.5],
    ['0.1', '0.1', 0.1],
    ['1e3', '1000', 1_000],
    ['1e21', '1000000000000000000000', 1e21],
    ['2.5E-7', '0.00000025', 2.5e-7],
    ['1.00000000000000000000', '1', 1],
    ['-0', '0', 0],
    ['9007199254740992', '9007199254740992', 9_007_199_254_740_992],
    ['18446744073709551616', '18446744073709551616', 2 ** 64],
  ];
  const textOfMetadata = async (path: Record<string, string>): Promise<string> => {
    const { run } = handlersOf(world).tokenMetadata;
    return (await run(anApiEvent({ path }), aContext())).body;
  };
  const numberedAttributes = numbers.map(([sent]) => `{"trait_type":"t","value":${sent}}`).join();
  const numbered = `{"name":"Numbers","attributes":[${numberedAttributes},{"value":"7"}]}`;

  it('contains a value that was sent as a number as a number; other answers have its decimal string', async () => {
    const contract_address = await aContract();
    const mint = `{"destination":"${destination}","metadata":${numbered}}`;
    const plain = aMintBody();
    const at = (id: string) => ({ contract_address, id });

    await call('mint', { path: { contract_address }, body: mint });
    await call('mintBatch', { path: { contract_address }, body: `{"tokens":[${mint}]}` });
    await call('mintBatch', { path: { contract_address }, body: { tokens: [plain, plain] } });
    await call('updateToken', { path: at('3'), body: numbered });
    await call('updateTokens', {
      path: { contract_address },
      body: `{"from":"4","to":"4","metadata":[${numbered}]}`,
    });

    const listed = await call('tokens', { path: { contract_address } });
    expect(listed.body).toHaveLength(4);
    for (const token of listed.body) {
      expect(token).toMatchObject({
        metadata: {
          attributes: [
            ...numbers.map(([, value]) => ({ trait_type: 't', value, display_type: null })),
            { trait_type: null, value: '7', display_type: null },
          ],
        },
      });
      expect((await call('token', { path: at(token.id) })).body).toEqual(token);
      expect((await call('tokenMetadata', { path: at(token.id) })).body).toEqual({
        name: 'Numbers',
        attributes: [...numbers.map(([, , value]) => ({ trait_type: 't', value })), { value: '7' }],
      });
      expect(await textOfMetadata(at(token.id))).toContain('"value":18446744073709551616');
    }
  });

  it('has the external URL of a token, which other answers have only if it is set', async () => {
    const contract_address = await aContract();
    const external_url = 'https://club.example.com/seats/7';

    const minted = await call('mint', { path: { contract_address }, body: aMintBody({ external_url }) });
    const empty = await call('mint', { path: { contract_address }, body: aMintBody({ external_url: '' }) });

    expect(minted.body).toMatchObject({ metadata: { external_url } });
    expect(empty.body).not.toHaveProperty('metadata.external_url');
    expect((await call('tokenMetadata', { path: { contract_address, id: '1' } })).body).toEqual({
      name: 'Ticket',
      external_url,
      attributes: [],
    });
    expect((await call('tokenMetadata', { path: { contract_address, id: '2' } })).body).toEqual({
      name: 'Ticket',
      attributes: [],
    });
  });

  it('is served at the token and contract URIs on the chain, for every browser and cache', async () => {
    const contract_address = await aContract();
    await call('mint', {
      path: { contract_address },
      body: aMintBody({
        image: 'ipfs://bafy/1.png',
        background_color: '#00FF00',
        attributes: [{ value: 'A1' }],
      }),
    });
    await world.untilFinal();

    const contract = await call('contractMetadata', { path: { contract_address } });
    expect(contract).toMatchObject({
      status: 200,
      body: { name: 'Fan Club', symbol: 'FAN' },
      headers: { 'access-control-allow-origin': '*', 'cache-control': 'public, no-cache' },
    });
    const token = await call('tokenMetadata', { path: { contract_address, id: '1' } });
    expect(token).toMatchObject({ status: 200, headers: { 'cache-control': 'public, no-cache' } });
    expect(token.body).toEqual({
      name: 'Ticket',
      image: 'ipfs://bafy/1.png',
      background_color: '00FF00',
      attributes: [{ value: 'A1' }],
    });
  });

  it("is answered with 304 without a body if the caller's ETag is current", async () => {
    const contract_address = await aContract();
    const path = { contract_address };
    const { etag } = (await call('contractMetadata', { path })).headers as Record<string, string>;

    const same = await call('contractMetadata', { path, headers: { 'If-None-Match': `"x", W/${etag}` } });
    const other = await call('contractMetadata', { path, headers: { 'If-None-Match': '"x"' } });

    expect(same).toMatchObject({ status: 304, headers: { etag, 'cache-control': 'public, no-cache' } });
    expect(same.body).toBeUndefined();
    expect(other).toMatchObject({ status: 200, headers: { etag } });
  });

  it('is 404 for an unknown contract or token', async () => {
    const contract_address = await aContract();
    const none = await call('contractMetadata', { path: { contract_address: `0x${'1'.repeat(40)}` } });
    expect(none).toMatchObject({ status: 404, body: { message: 'CONTRACT_NOT_FOUND' } });
    const noToken = await call('tokenMetadata', { path: { contract_address, id: '9' } });
    expect(noToken).toMatchObject({ status: 404, body: { message: 'NFT_NOT_FOUND' } });
  });
});
