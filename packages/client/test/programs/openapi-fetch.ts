import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { paths } from './schema.ts';

const { BASE: baseUrl = '', B2B = '', PROFILE = '', KEY = '', TOKEN = '' } = process.env;
const base = createClient<paths>({ baseUrl, headers: { 'x-api-key': KEY } });
const b2b = createClient<paths>({ baseUrl: B2B, headers: { 'x-api-key': KEY } });
const profile = createClient<paths>({ baseUrl: PROFILE, headers: { authorization: `Bearer ${TOKEN}` } });

const contract = await base.POST('/api/v1/nft/contracts/', {
  body: { name: 'Generated', symbol: 'GEN', chain: 'MATIC' },
  params: { header: { 'Idempotency-Key': crypto.randomUUID() } },
});
assert.equal(contract.response.status, 201);
const address = contract.data?.address ?? '';
const path = { contract_address: address };

const token = await base.POST('/api/v1/nft/contracts/{contract_address}/mint', {
  params: { path },
  body: {
    destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    metadata: { name: 'Seat 1', attributes: [{ trait_type: 'row', value: '1' }] },
  },
});
assert.equal(token.data?.metadata.attributes[0]?.value, '1');

const batch = await base.POST('/api/v1/nft/contracts/{contract_address}/mint/batch', {
  params: { path },
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

const tokens = await base.GET('/api/v1/nft/contracts/{contract_address}/tokens/', {
  params: { path, query: { limit: 1 } },
});
assert.deepEqual(
  tokens.data?.map(({ id }) => id),
  [batch.data?.tokens[1]?.id],
);

const read = await base.GET('/api/v1/nft/contracts/{contract_address}', { params: { path } });
assert.equal(read.data?.name, 'Generated');

const events = await base.GET('/api/v3/ott/events/', { params: { query: { status: 'LIVE' } } });
assert.ok(events.data?.some(({ event_id }) => event_id === 'training-session'));

const page = await base.GET('/api/v3/ott/events/', {});
assert.equal(page.response.headers.get('content-encoding'), 'gzip');
assert.ok((page.data?.length ?? 0) > 3);

const wrong = await base.POST('/api/v1/nft/contracts/', {
  body: { name: '', symbol: 'GEN', chain: 'MATIC' },
});
assert.equal(wrong.error && 'errors' in wrong.error && wrong.error.errors[0]?.path, 'name');

await profile.PUT('/user/data', { body: { user_data: { email: 'openapi-fetch@example.com' } } });
const { data: mine } = await profile.GET('/user/reporter/application-user-sub');
assert.ok(mine);
const user = await b2b.POST('/user-data/read', { body: mine });
assert.equal(user.data?.user_data.email, 'openapi-fetch@example.com');

const missing = await b2b.POST('/user-data/read', { body: { application_user_sub: 'nobody' } });
assert.equal(
  missing.error && 'error_fields' in missing.error && missing.error.error_fields,
  'USER_NOT_FOUND',
);

const foreign = createClient<paths>({ baseUrl, headers: { 'x-api-key': 'wrong' } });
const refused = await foreign.GET('/api/v1/nft/contracts/');
assert.deepEqual(refused.error, { message: 'Forbidden' });
