import { expect, it } from 'vitest';
import { type Message, subjectOf } from '../../../shared/notifications/messages/message.ts';
import { wireMessage } from '../../../shared/notifications/messages/wire-message.ts';
import type { UndeliveredRow } from '../../../shared/notifications/redeliver/undelivered-row.ts';
import { toLook } from '../../../shared/notifications/store/endpoint-items.ts';
import { dynamoDbEndpoints } from '../../../shared/notifications/store/endpoints.ts';
import { dynamoDbNotificationRecords } from '../../../shared/notifications/store/notification-records.ts';
import { dynamoDbRedeliveries } from '../../../shared/notifications/store/redeliveries.ts';
import { dynamoDbReplays } from '../../../shared/notifications/store/replays.ts';
import { dynamoDbTestCounts } from '../../../shared/notifications/store/test-counts.ts';
import { dynamoDbUndelivered } from '../../../shared/notifications/store/undelivered.ts';
import type { DocumentClient } from '../../../shared/platform/store/client.ts';
import { changesOf, type RefusedWrite, tableName } from '../../support/platform/refused-writes.ts';

const key = { applicationId: 'one', id: 'endpoint' };
const endpoint = {
  application_id: 'one',
  endpoint_id: 'endpoint',
  destination: 'https://one.example.com',
  is_enveloped: false,
  operation_types: ['data_update'],
  created_at: 1,
};
const due = { undelivered_since: 1, redelivery: 'due', next_look_at: toLook(100), next_at: 100, attempt: 1 };
const read = {
  ...key,
  redelivery: {
    since: 1,
    attempt: 1,
    nextAt: 100,
    isPaused: false,
    probeId: undefined,
    rowsChangedAt: 0,
    failureNotedAt: 0,
    failures: 2,
  },
};
const recovered = { failing_since: 5, last_success_at: 10 };
const over = (client: DocumentClient) => ({ client, tableName });
const endpoints = (client: DocumentClient) => dynamoDbEndpoints(over(client));
const redeliveries = (client: DocumentClient) => dynamoDbRedeliveries(over(client));
const replays = (client: DocumentClient) => dynamoDbReplays(over(client));
const undelivered = (client: DocumentClient) => dynamoDbUndelivered(over(client));
const at = { ...key, at: 7 };
const next = { lookAt: 90, nextAt: 90 };

const ofEndpoints: readonly (readonly [string, RefusedWrite])[] = [
  [
    'the end of an outage that began after the last success',
    {
      items: [{ ...endpoint, ...due, failing_since: 11, last_success_at: 10 }],
      write: (client) => endpoints(client).endOutage({ ...key, now: 8 }),
    },
  ],
  [
    'the end of an outage after a later failure',
    {
      items: [{ ...endpoint, ...recovered, ...due, last_failure_at: 11 }],
      write: (client) => endpoints(client).endOutage({ ...key, now: 8 }),
    },
  ],
  [
    'the end of an outage that is over',
    {
      items: [{ ...endpoint, ...due, last_success_at: 10 }],
      write: (client) => endpoints(client).endOutage({ ...key, now: 8 }),
    },
  ],
  [
    'the removal of an endpoint that is forgotten',
    { items: [], write: (client) => endpoints(client).remove(at) },
  ],
  [
    'a success of an endpoint that is forgotten',
    { items: [], write: (client) => endpoints(client).noteSuccess({ ...at, publishedAt: 6 }) },
  ],
  [
    'a success before the last one',
    {
      items: [{ ...endpoint, last_success_at: 8 }],
      write: (client) => endpoints(client).noteSuccess({ ...at, publishedAt: 6 }),
    },
  ],
  [
    'a failure before the last one',
    {
      items: [{ ...endpoint, last_failure_at: 8, last_failure_reason: 'later' }],
      write: (client) => endpoints(client).noteFailure({ ...at, reason: 'earlier' }),
    },
  ],
  [
    'a failure of an endpoint that has unsubscribed',
    {
      items: [{ ...endpoint, removed_at: 6 }],
      write: (client) => endpoints(client).countFailure({ ...key, since: 1, notedAt: 7, nextAt: 8 }),
    },
  ],
  [
    'a beginning of what is undelivered that is later than the one that is stored by now',
    {
      items: [{ ...endpoint, ...due, undelivered_since: 10 }],
      write: (client) => endpoints(client).countFailure({ ...key, since: 5, notedAt: 7, nextAt: 8 }),
      meanwhile: [{ ...endpoint, ...due, undelivered_since: 3 }],
    },
  ],
  [
    'the beginning of an outage that has begun already',
    {
      items: [{ ...endpoint, failing_since: 5 }],
      write: (client) => endpoints(client).beginOutage({ ...at, nextAt: 8 }),
    },
  ],
  [
    'the beginning of an outage before the last success',
    {
      items: [{ ...endpoint, last_success_at: 8 }],
      write: (client) => endpoints(client).beginOutage({ ...at, nextAt: 8 }),
    },
  ],
  [
    'the beginning of an outage of an endpoint that has unsubscribed',
    {
      items: [{ ...endpoint, removed_at: 6 }],
      write: (client) => endpoints(client).beginOutage({ ...at, nextAt: 8 }),
    },
  ],
  [
    'the next look at an endpoint that has accepted everything',
    { items: [endpoint], write: (client) => redeliveries(client).lookAgain(key, { at: 90 }) },
  ],
  [
    'the end of a look after a new failure',
    {
      items: [{ ...endpoint, ...due, failures: 3 }],
      write: (client) => redeliveries(client).looked(read, next),
    },
  ],
  [
    'the end of a look after the endpoint has worked again',
    {
      items: [{ ...endpoint, ...due, failures: 2, next_at: 70 }],
      write: (client) => redeliveries(client).looked(read, next),
    },
  ],
  [
    'the end of a look at a paused endpoint after it has worked again',
    {
      items: [{ ...endpoint, ...due, failures: 2 }],
      write: (client) =>
        redeliveries(client).looked(
          { ...key, redelivery: { ...read.redelivery, nextAt: undefined, isPaused: true } },
          next,
        ),
    },
  ],
  [
    'the probe of a ladder that has moved',
    {
      items: [{ ...endpoint, ...due, next_at: 70 }],
      write: (client) => redeliveries(client).probed(read, { probeId: 'ours', nextAt: 90 }),
    },
  ],
  [
    'the refusal of a probe that is not the last one',
    {
      items: [{ ...endpoint, ...due, probe_id: 'theirs' }],
      write: (client) => redeliveries(client).probeRefused({ ...key, probeId: 'ours', nextAt: 90 }),
    },
  ],
  [
    'the end of a redelivery after a new failure',
    { items: [{ ...endpoint, ...due, failures: 3 }], write: (client) => redeliveries(client).end(read) },
  ],
];

it.each(ofEndpoints)('the table of endpoints refuses %s', async (_, write) => {
  expect(await changesOf(write, ['application_id', 'endpoint_id'])).toEqual([]);
});

const replay = {
  applicationId: 'one',
  id: 'replay',
  from: 1,
  to: 2,
  status: undefined,
  endpointId: undefined,
  startedAt: 3,
  looked: 0,
  published: 0,
};
const replayItem = {
  pk: 'REPLAY#one#replay',
  sk: 'REPLAY',
  expires_at: 9,
  application_id: 'one',
  replay_id: 'replay',
  from: 1,
  to: 2,
  started_at: 2,
  looked: 5,
  published: 5,
};
const lease = { pk: 'REPLAYS#one', sk: 'LEASE', holder: 'theirs', lease_until: 50 };

const message: Message = {
  operationType: 'data_update',
  applicationUserSub: 'ana',
  dateTime: '2026-11-01T00:00:00.000002',
};
const rowItem = {
  pk: 'UNDELIVERED#one/endpoint',
  sk: `SUBJECT#${subjectOf(message)}`,
  newest: message.dateTime,
  message: JSON.stringify(wireMessage(message)),
  published_at: 1,
  expires_at: 9,
  next_at: toLook(50),
  undelivered_to: 'one/endpoint',
  attempt: 0,
  is_given_up: false,
};
const row: UndeliveredRow = { message, publishedAt: 1, nextAt: 50, attempt: 0, isGivenUp: false };

const ofNotifications: readonly (readonly [string, RefusedWrite])[] = [
  [
    'an older failed message of a row',
    {
      items: [{ ...rowItem, newest: '2026-11-01T00:00:00.000003' }],
      write: (client) => undelivered(client).fold(key, { message, publishedAt: 1, nextAt: 70 }),
    },
  ],
  [
    'the taking of a row that somebody else has taken',
    {
      items: [{ ...rowItem, next_at: toLook(60) }],
      write: (client) => undelivered(client).take(key, row, { until: 90 }),
    },
  ],
  [
    'a change of a row that somebody else has taken',
    {
      items: [{ ...rowItem, next_at: toLook(60) }],
      write: (client) => undelivered(client).change(key, row, { ...row, nextAt: 90 }),
    },
  ],
  [
    'the end of a row that somebody else has taken',
    {
      items: [{ ...rowItem, next_at: toLook(60) }],
      write: (client) => undelivered(client).remove(key, row),
    },
  ],
  [
    'the end of a row that has a newer message',
    {
      items: [{ ...rowItem, newest: '2026-11-01T00:00:00.000003' }],
      write: (client) => undelivered(client).remove(key, row),
    },
  ],
  [
    'a copy of a subject that was accepted',
    {
      items: [],
      write: (client) =>
        undelivered(client).noteCopy(key, {
          message,
          copy: { id: 'copy', publishedAt: 5 },
          nextAt: 9,
          isMade: false,
        }),
    },
  ],
  [
    'a replay whose id another one has',
    { items: [replayItem], write: (client) => replays(client).keep(replay) },
  ],
  [
    'the first page of a replay that is further',
    {
      items: [{ ...replayItem, next: 'page 3' }],
      write: (client) => replays(client).advance({ ...replay, next: 'page 2' }, { next: undefined }),
    },
  ],
  [
    'the first page of a replay that has ended',
    {
      items: [{ ...replayItem, ended_at: 8 }],
      write: (client) => replays(client).advance({ ...replay, next: 'page 2' }, { next: undefined }),
    },
  ],
  [
    'a page of a replay that is further',
    {
      items: [{ ...replayItem, next: 'page 3' }],
      write: (client) => replays(client).advance({ ...replay, next: 'page 3' }, { next: 'page 2' }),
    },
  ],
  [
    'one replay more than the application may have',
    {
      items: [{ pk: 'REPLAYS#one', sk: 'OPEN', places: new Set(['1#a', '2#b']) }],
      write: (client) => replays(client).open(replay, 2),
    },
  ],
  [
    'the lease of another worker',
    {
      items: [lease],
      write: (client) => replays(client).hold({ applicationId: 'one', holder: 'ours', now: 40, until: 90 }),
    },
  ],
  [
    'the end of a lease of another worker',
    { items: [lease], write: (client) => replays(client).release({ applicationId: 'one', holder: 'ours' }) },
  ],
  [
    'a mark of a delivery that is forgotten',
    {
      items: [],
      write: (client) =>
        dynamoDbNotificationRecords(over(client)).markRedriven({
          messageId: 'message',
          destination: endpoint.destination,
          at: 7,
        }),
    },
  ],
  [
    'one test more than the application may send in a minute',
    {
      items: [{ pk: 'TESTS#one#5', sk: 'COUNT', sent: 2 }],
      write: (client) =>
        dynamoDbTestCounts(over(client)).count({ applicationId: 'one', minute: 5, atMost: 2 }),
    },
  ],
];

it.each(ofNotifications)('the table of notifications refuses %s', async (_, write) => {
  expect(await changesOf(write, ['pk', 'sk'])).toEqual([]);
});
