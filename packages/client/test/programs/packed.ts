import assert from 'node:assert/strict';
import { BadRequestError, ConflictError, createClient, ForbiddenError, NotFoundError } from '@marquee/client';
import { createWebhooks, UntrustedMessageError } from '@marquee/client/notifications';

const {
  BASE: baseUrl = '',
  B2B: apiUrlB2b = '',
  PROFILE: apiUrlProfile = '',
  KEY = '',
  TOKEN = '',
} = process.env;
const marquee = createClient({ baseUrl, apiUrlB2b, apiUrlProfile, apiKey: () => KEY, accessToken: TOKEN });

const contract = await marquee.createContract({ name: 'Packed', symbol: 'PACK', chain: 'MATIC' });
const destination = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
for (const name of ['Seat 1', 'Seat 2', 'Seat 3']) {
  await marquee.mintToken(contract.address, { destination, metadata: { name } }, { idempotencyKey: name });
}
const names: string[] = [];
for await (const { metadata } of marquee.listTokens(contract.address, { limit: 2 }))
  names.push(metadata.name);
assert.deepEqual(names, ['Seat 3', 'Seat 2', 'Seat 1']);

const { user_data } = await marquee.putUserData({ user_data: { email: 'packed@example.com' } });
assert.equal(user_data.email, 'packed@example.com');
const sub = await marquee.getApplicationUserSub();
assert.equal((await marquee.readUserData(sub)).user_data.email, 'packed@example.com');
assert.deepEqual(
  (await marquee.exchangeUserSubs(['nobody'])).map(({ application_user_sub }) => application_user_sub),
  [null],
);

const { userData, etag } = await marquee.getUserDataVersion();
assert.equal(userData.user_data.email, 'packed@example.com');
await marquee.putUserData({ user_data: { club_id: '1' } }, { ifMatch: etag });
await assert.rejects(
  () => marquee.putUserData({ user_data: { club_id: '2' } }, { ifMatch: etag }),
  (error) => error instanceof ConflictError && error.code === 'PRECONDITION_FAILED',
);
const batch = [4, 5].map((number) => ({ destination, metadata: { name: `Seat ${number}` } }));
const made = await marquee.mintBatch(contract.address, batch, { idempotencyKey: 'batch' });
const repeated = await marquee.mintBatch(contract.address, batch, { idempotencyKey: 'batch' });
assert.deepEqual(
  repeated.map(({ id }) => id),
  made.map(({ id }) => id),
);

assert.ok(Array.isArray(await marquee.listNotificationEndpoints()));
const test = await marquee.sendTestNotification();
assert.equal(test.operation_type, 'test');
for await (const { id } of marquee.listNotifications({ limit: 1 })) {
  assert.ok(id);
  break;
}
const hour = { from: new Date(Date.now() - 3_600_000).toISOString(), to: new Date().toISOString() };
const replay = await marquee.startReplay(hour, { idempotencyKey: 'again' });
assert.equal((await marquee.startReplay(hour, { idempotencyKey: 'again' })).id, replay.id);
assert.equal((await marquee.getReplay(replay.id)).id, replay.id);

const refusals = [
  [NotFoundError, 'USER_NOT_FOUND', () => marquee.readUserData('nobody')],
  [ForbiddenError, 'PURCHASE_REQUIRED', () => marquee.getStream('cup-final')],
  [
    ForbiddenError,
    'Forbidden',
    () => createClient({ baseUrl, apiKey: 'wrong' }).getContract(contract.address),
  ],
] as const;
for (const [Class, code, call] of refusals) {
  await assert.rejects(call, (error) => error instanceof Class && error.code === code);
}
await assert.rejects(
  () => marquee.createContract({ name: '', symbol: 'PACK', chain: 'MATIC' }),
  (error) => error instanceof BadRequestError && error.fields[0]?.path === 'name',
);

const webhooks = createWebhooks({
  topicArn: 'arn:aws:sns:us-east-1:123456789012:changes',
  form: 'enveloped',
});
await assert.rejects(() => webhooks.unwrap({ headers: {}, body: '{}' }), UntrustedMessageError);
