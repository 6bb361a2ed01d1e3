import assert from 'node:assert/strict';
import { createClient, createConfig } from './hey-api/client/index.js';
import {
  createContract,
  getApplicationUserSub,
  getContract,
  listContracts,
  listEvents,
  listTokens,
  mintBatch,
  mintToken,
  putUserData,
  readUserData,
} from './hey-api/index.js';

const { BASE: baseUrl = '', B2B = '', PROFILE = '', KEY = '', TOKEN = '' } = process.env;
const base = createClient(createConfig({ baseUrl, auth: KEY }));
const b2b = createClient(createConfig({ baseUrl: B2B, auth: KEY }));
const profile = createClient(createConfig({ baseUrl: PROFILE, auth: TOKEN }));

const contract = await createContract({
  client: base,
  body: { name: 'Generated', symbol: 'GEN', chain: 'MATIC' },
  headers: { 'Idempotency-Key': crypto.randomUUID() },
});
assert.equal(contract.response?.status, 201);
const path = { contract_address: contract.data?.address ?? '' };

const token = await mintToken({
  client: base,
  path,
  body: {
    destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    metadata: { name: 'Seat 1', attributes: [{ trait_type: 'row', value: '1' }] },
  },
});
assert.equal(token.data?.metadata.attributes[0]?.value, '1');

const batch = await mintBatch({
  client: base,
  path,
  body: {
    tokens: [
      { destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', metadata: { name: 'Seat 2' } },
      { destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', metadata: { name: 'Seat 3' } },
    ],
  },
});
assert.deepEqual(
  batch.data?.tokens.map(({ metadata }) => metadata.name),
  ['Seat 2', 'Seat 3'],
);

const tokens = await listTokens({ client: base, path, query: { limit: 1 } });
assert.deepEqual(
  tokens.data?.map(({ id }) => id),
  [batch.data?.tokens[1]?.id],
);

const read = await getContract({ client: base, path });
assert.equal(read.data?.name, 'Generated');

const events = await listEvents({
  client: createClient(createConfig({ baseUrl })),
  query: { status: 'LIVE' },
});
assert.ok(events.data?.some(({ event_id }) => event_id === 'training-session'));

const page = await listEvents({ client: createClient(createConfig({ baseUrl })) });
assert.equal(page.response?.headers.get('content-encoding'), 'gzip');
assert.ok((page.data?.length ?? 0) > 3);

const wrong = await createContract({ client: base, body: { name: '', symbol: 'GEN', chain: 'MATIC' } });
assert.equal(wrong.error && 'errors' in wrong.error && wrong.error.errors[0]?.path, 'name');

await putUserData({ client: profile, body: { user_data: { email: 'hey-api@example.com' } } });
const { data: mine } = await getApplicationUserSub({ client: profile });
assert.ok(mine);
const user = await readUserData({ client: b2b, body: mine });
assert.equal(user.data?.user_data.email, 'hey-api@example.com');

const missing = await readUserData({ client: b2b, body: { application_user_sub: 'nobody' } });
assert.equal(
  missing.error && 'error_fields' in missing.error && missing.error.error_fields,
  'USER_NOT_FOUND',
);

const refused = await listContracts({ client: createClient(createConfig({ baseUrl, auth: 'wrong' })) });
assert.deepEqual(refused.error, { message: 'Forbidden' });
