import { expect, it } from 'vitest';
import { dynamoDbCatalogue } from '../../../shared/ott/store/catalogue.ts';
import { itemsOf } from '../../../shared/ott/store/event-items.ts';
import { dynamoDbGrants } from '../../../shared/ott/store/grants.ts';
import { recentPathsWrite } from '../../../shared/ott/store/recent-paths.ts';
import { dynamoDbApplications } from '../../../shared/platform/store/applications.ts';
import type { DocumentClient } from '../../../shared/platform/store/client.ts';
import { dynamoDbOutages } from '../../../shared/platform/store/outages.ts';
import { dynamoDbApplicationUserSubs } from '../../../shared/users/store/application-user-subs.ts';
import { dynamoDbUsers } from '../../../shared/users/store/users.ts';
import { dynamoDbChallenges } from '../../../shared/wallets/store/challenges.ts';
import { dynamoDbWallets } from '../../../shared/wallets/store/wallets.ts';
import { anEvent } from '../../support/ott/builders.ts';
import { voidMarks } from '../../support/ott/void-marks.ts';
import { anApplication } from '../../support/platform/applications.ts';
import {
  changesOf,
  otherTableName,
  type RefusedWrite,
  tableName,
} from '../../support/platform/refused-writes.ts';

const over = (client: DocumentClient) => ({ client, tableName });
const voidTables = { Events: tableName, TokenHistory: otherTableName };
const contract = `0x${'5'.repeat(40)}` as const;

const applications = (client: DocumentClient) => dynamoDbApplications(over(client));
const application = anApplication({ clientIds: [] });
const stored = { pk: 'APPLICATION#one', ...application };
const theirs = { pk: 'API_KEY#key-one', application_id: 'two' };
const ours = { pk: 'API_KEY#key-one', application_id: 'one' };
const signer = 'a signer';

const ofApplications: readonly (readonly [string, RefusedWrite])[] = [
  [
    'a new application whose key another one has',
    { items: [theirs], write: (client) => applications(client).create(application) },
  ],
  [
    'a new application whose id another one has',
    {
      items: [stored],
      write: (client) => applications(client).create({ ...application, apiKeyIds: ['key-other'] }),
    },
  ],
  [
    'a new application whose id belonged to one that was removed',
    {
      items: [{ pk: 'REMOVED#one', version: 3 }],
      write: (client) => applications(client).create(application),
    },
  ],
  [
    'a new application if one with its id is removed once more meanwhile, after a removal by the release before',
    {
      items: [{ pk: 'REMOVED#one' }],
      write: (client) =>
        applications({
          ...client,
          transactWrite: async (input) => {
            await client.put({ TableName: tableName, Item: { pk: 'REMOVED#one', version: 1 } });
            return client.transactWrite(input);
          },
        }).create(application, { again: true }),
    },
  ],
  [
    'a change of an application that was changed since',
    {
      items: [{ ...stored, version: 2 }, ours],
      write: (client) => applications(client).save({ ...application, name: 'Other' }),
    },
  ],
  [
    'a change of an application whose former key another one has by now',
    {
      items: [stored, theirs],
      write: (client) => applications(client).save({ ...application, apiKeyIds: [] }),
    },
  ],
  [
    'a signer of an application that does not exist',
    {
      items: [],
      write: (client) =>
        applications(client).assignSigner({ applicationId: 'one', from: undefined, to: signer }),
    },
  ],
  [
    'a first signer of an application that has one',
    {
      items: [{ ...stored, signer: 'another' }],
      write: (client) =>
        applications(client).assignSigner({ applicationId: 'one', from: undefined, to: signer }),
    },
  ],
  [
    'a signer in place of another one than the application has',
    {
      items: [{ ...stored, signer: 'another' }],
      write: (client) =>
        applications(client).assignSigner({ applicationId: 'one', from: 'a third', to: signer }),
    },
  ],
  [
    'the removal of an application whose key another one has by now',
    { items: [stored, theirs], write: (client) => applications(client).remove('one') },
  ],
  [
    'the removal of an application that is changed meanwhile',
    {
      items: [stored, ours],
      write: (client) =>
        applications({
          ...client,
          transactWrite: async (input) => {
            await client.put({ TableName: tableName, Item: { ...stored, version: 2, name: 'Changed' } });
            return client.transactWrite(input);
          },
        }).remove('one'),
    },
  ],
  [
    'the end of an outage that went on',
    {
      items: [{ pk: 'SERVICE#rpc', since: 1, last_at: 2, answered_at: 0, expires_at: 9 }],
      write: (client) =>
        dynamoDbOutages({
          tableName,
          client: {
            ...client,
            update: async (input) => {
              const Item = { pk: 'SERVICE#rpc', since: 1, last_at: 8, answered_at: 0, expires_at: 9 };
              await client.put({ TableName: tableName, Item });
              return client.update(input);
            },
          },
        }).end({ service: 'rpc', at: 5 }),
    },
  ],
];

/** What others write meanwhile. */
const expected: Readonly<Record<string, unknown>> = {
  'a new application if one with its id is removed once more meanwhile, after a removal by the release before':
    { pk: 'REMOVED#one', version: 1 },
  'the removal of an application that is changed meanwhile': { ...stored, version: 2, name: 'Changed' },
  'the end of an outage that went on': {
    pk: 'SERVICE#rpc',
    since: 1,
    last_at: 8,
    answered_at: 0,
    expires_at: 9,
  },
};

it.each(ofApplications)('the tables of the platform refuse %s', async (name, write) => {
  expect(await changesOf(write, ['pk'])).toEqual(name in expected ? [expected[name]] : []);
});

it('a report of an outage begins another one if the last failure is more than a minute ago', async () => {
  const Item = { pk: 'SERVICE#rpc', since: 1, last_at: 2, answered_at: 3, expires_at: 9 };

  const changes = await changesOf(
    {
      items: [Item],
      write: (client) => dynamoDbOutages({ client, tableName }).report({ service: 'rpc', at: 70_000 }),
    },
    ['pk'],
  );

  expect(changes).toMatchObject([{ since: 70_000, last_at: 70_000 }]);
});

const user = {
  user_sub: 'ana',
  registration_id: 'second',
  version: 1,
  changed_at: '2026-11-20T09:15:02.123456',
};

it('the table of users refuses a removal of a user who has registered again since', async () => {
  const users = (client: DocumentClient) =>
    dynamoDbUsers({ ...over(client), walletsTableName: otherTableName });
  const trace = {
    userSub: 'ana',
    registrationId: 'first',
    version: 1,
    changedAt: user.changed_at,
    isRemoved: false,
  };
  const write = (client: DocumentClient) =>
    users(client).bury({ trace, registrationId: 'first', changedAt: user.changed_at, counts: {} });

  expect(await changesOf({ items: [user], write }, ['user_sub'])).toEqual([]);
});

it('the table of identifiers refuses to link an identifier that is forgotten meanwhile', async () => {
  const forward = {
    pk: 'REGISTRATION#first',
    sk: 'APPLICATION#one',
    application_id: 'one',
    application_user_sub: 'sub',
    is_linked: false,
  };
  const { pk, sk } = forward;
  const write = (client: DocumentClient) =>
    dynamoDbApplicationUserSubs({
      tableName,
      client: {
        ...client,
        update: async (input) => {
          await client.delete({ TableName: tableName, Key: { pk, sk } });
          return client.update(input);
        },
      },
    }).ensure({ registrationId: 'first', userSub: 'ana', applicationId: 'one', link: true });

  expect(await changesOf({ items: [forward], write }, ['pk', 'sk'])).toEqual([undefined]);
});

const challenges = (client: DocumentClient) => dynamoDbChallenges(over(client));
const challenge = {
  pk: 'CHALLENGE#one',
  user_sub: 'ana',
  registration_id: 'first',
  address: contract,
  origin: 'https://example.com',
  message: 'message',
  issued_at: 1,
  ends_at: 100,
  attempts: 1,
};
const attempt = { id: 'one', now: 50, attemptsAtMost: 3 };
const linking = { users: [], ownerships: [], challenge: { id: 'one', now: 50 } };

const ofWallets: readonly (readonly [string, RefusedWrite])[] = [
  [
    'one challenge more than a user may have in an hour',
    {
      items: [{ pk: 'HOUR#ana#7', made: 2 }],
      write: (client) => challenges(client).count({ holder: 'ana', hour: 7, atMost: 2 }),
    },
  ],
  [
    'a challenge a second time',
    {
      items: [challenge],
      write: (client) =>
        challenges(client).create({
          id: 'one',
          userSub: 'ana',
          registrationId: 'first',
          address: contract,
          origin: 'https://example.com',
          message: 'message',
          issuedAt: 1,
          endsAt: 100,
          attempts: 0,
        }),
    },
  ],
  [
    'an attempt at a challenge that is forgotten',
    { items: [], write: (client) => challenges(client).takeAttempt(attempt) },
  ],
  [
    'an attempt at a challenge that has ended',
    {
      items: [{ ...challenge, ends_at: 50 }],
      write: (client) => challenges(client).takeAttempt(attempt),
    },
  ],
  [
    'one attempt more than a challenge has',
    {
      items: [{ ...challenge, attempts: 3 }],
      write: (client) => challenges(client).takeAttempt(attempt),
    },
  ],
  [
    'a link by a challenge that is used up',
    {
      items: [{ ...challenge, ends_at: 0 }],
      write: (client) => dynamoDbWallets(over(client)).write(linking),
    },
  ],
  [
    'a link after the registration has ended',
    {
      items: [challenge, { pk: 'ENDED#first' }],
      write: (client) => dynamoDbWallets(over(client)).write({ ...linking, registrationId: 'first' }),
    },
  ],
];

it.each(ofWallets)('the table of wallets refuses %s', async (_, write) => {
  expect(await changesOf(write, ['pk'])).toEqual([]);
});

const event = anEvent();
const [eventItem = { pk: '' }] = itemsOf(event, { version: 1, now: 0 });
const catalogue = (client: DocumentClient) => dynamoDbCatalogue(over(client));
const grants = (client: DocumentClient) => dynamoDbGrants(over(client));
const question = { userSub: 'ana', clientId: 'web', eventId: 'final' };
const grantAt = (askedAt: number, isGrant: boolean) => ({ isGrant, askedAt, forgottenAt: 1_000 });
const emptyPaths = { version: 0, paths: [] };

/** Answers the first call. A write that was refused is followed by another read, which ends the call here. */
const onceThen = (answer: DocumentClient['get']): DocumentClient['get'] => {
  let calls = 0;
  return async (input) => {
    calls += 1;
    if (calls > 1) throw new Error('The write was refused');
    return answer(input);
  };
};

const ofEvents: readonly (readonly [string, RefusedWrite])[] = [
  [
    'an event that exists already',
    {
      items: [{ ...eventItem, life: 'a life' }],
      write: (client) => catalogue(client).write([{ before: undefined, after: event }]),
    },
  ],
  [
    'a change of an event of an earlier release that has got another life',
    {
      items: [{ ...eventItem, life: 'a life' }],
      write: (client) =>
        catalogue(client).write([
          {
            before: { event, presentStatus: event.status, version: 1, life: undefined },
            after: { ...event, title: 'New' },
          },
        ]),
    },
  ],
  [
    'the first paths of a host that has some',
    {
      items: [{ pk: 'PATHS#cdn.example.com', version: 3, recent: '[]' }],
      write: (client) =>
        client.transactWrite({
          TransactItems: [
            recentPathsWrite(tableName, { host: 'cdn.example.com', before: emptyPaths, after: emptyPaths }),
          ],
        }),
    },
  ],
  [
    'the first void ticket of a contract that has some by now',
    {
      items: [{ pk: `VOID#${contract}`, tokens: { 1: 1 } }],
      write: (client) =>
        voidMarks({ ...client, get: onceThen(async () => ({}) as never) }, voidTables).add({
          contract,
          tokenId: '7',
          voidedAt: 2,
        }),
    },
  ],
  [
    'the end of a void ticket that became void again since it was read',
    {
      items: [{ pk: `VOID#${contract}`, tokens: { 7: 2 } }],
      write: (client) =>
        voidMarks(
          {
            ...client,
            get: async () => ({ Item: { pk: `VOID#${contract}`, tokens: { 7: 1 } } }) as never,
          },
          voidTables,
        ).remove({ contract, tokenId: '7' }),
    },
  ],
  [
    'a void ticket before an unvoid that it has not read',
    {
      items: [{ pk: `VOID#${contract}`, tokens: { 1: 1 }, removals: 1 }],
      write: (client) =>
        voidMarks(
          {
            ...client,
            get: onceThen(async () => ({ Item: { pk: `VOID#${contract}`, tokens: { 1: 1 } } }) as never),
          },
          voidTables,
        ).add({ contract, tokenId: '7', voidedAt: 2 }),
    },
  ],
];

it.each(ofEvents)('the table of events refuses %s', async (_, write) => {
  expect(await changesOf(write, ['pk'])).toEqual([]);
});

it.each([
  ['an earlier grant', grantAt(4, true)],
  ['a grant of the same moment', grantAt(5, true)],
])('the memory of decisions refuses %s than a denial', async (_, decision) => {
  const write = async (client: DocumentClient) => {
    await grants(client).record(question, grantAt(5, false));
    await grants(client).record(question, decision);
  };

  expect(await changesOf({ items: [], write }, ['pk'])).toHaveLength(1);
});
