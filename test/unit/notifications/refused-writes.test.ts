import { expect, it } from 'vitest';
import type { Redelivery } from '../../../shared/notifications/redeliver/redelivery.ts';
import { toLook } from '../../../shared/notifications/store/endpoint-items.ts';
import { dynamoDbEndpoints } from '../../../shared/notifications/store/endpoints.ts';
import { dynamoDbNotificationRecords } from '../../../shared/notifications/store/notification-records.ts';
import { dynamoDbRedeliveries } from '../../../shared/notifications/store/redeliveries.ts';
import { dynamoDbReplays } from '../../../shared/notifications/store/replays.ts';
import { dynamoDbTestCounts } from '../../../shared/notifications/store/test-counts.ts';
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
const due = { undelivered_since: 1, redelivery: 'due', next_look_at: toLook(100), attempt: 1 };
const waiting: Redelivery = {
  state: 'waiting',
  since: 1,
  attempt: 1,
  nextAt: 100,
  broughtForwardAt: undefined,
  probeId: undefined,
  probeNext: undefined,
  sweep: undefined,
  failureNotedAt: 0,
  failures: 2,
  isAccepted: false,
};
const sweepOf = (id: string) => ({
  id,
  at: 0,
  next: undefined,
  leftAt: undefined,
  gaveUp: false,
  failures: 2,
});
const recovered = { failing_since: 5, last_success_at: 10 };
const over = (client: DocumentClient) => ({ client, tableName });
const endpoints = (client: DocumentClient) => dynamoDbEndpoints(over(client));
const redeliveries = (client: DocumentClient) => dynamoDbRedeliveries(over(client));
const replays = (client: DocumentClient) => dynamoDbReplays(over(client));
const swept = { ...endpoint, ...due, walk: 'theirs', failures: 2, walk_failures: 2 };
const failedSince = { ...endpoint, ...due, walk: 'ours', failures: 3, walk_failures: 2 };
const ours = { ...key, sweep: 'ours' };
const at = { ...key, at: 7 };
const end = { ...at, lookAt: 8 };
const ofDue = { ...key, dueAt: 50 };

const ofEndpoints: readonly (readonly [string, RefusedWrite])[] = [
  [
    'the end of an outage after a redelivery has begun',
    {
      items: [{ ...endpoint, ...recovered, ...due }],
      write: (client) => endpoints(client).endOutage({ ...end, redelivery: undefined }),
    },
  ],
  [
    'the end of an outage after another sweep has begun',
    {
      items: [{ ...endpoint, ...recovered, ...due, walk: 'theirs' }],
      write: (client) =>
        endpoints(client).endOutage({ ...end, redelivery: { ...waiting, sweep: sweepOf('ours') } }),
    },
  ],
  [
    'the end of an outage after a sweep has begun',
    {
      items: [{ ...endpoint, ...recovered, ...due, walk: 'theirs' }],
      write: (client) => endpoints(client).endOutage({ ...end, redelivery: waiting }),
    },
  ],
  [
    'the end of an outage after another look was planned',
    {
      items: [{ ...endpoint, ...recovered, ...due, next_look_at: toLook(101) }],
      write: (client) => endpoints(client).endOutage({ ...end, redelivery: waiting }),
    },
  ],
  [
    'the end of an outage that began after the last success',
    {
      items: [{ ...endpoint, ...due, failing_since: 11, last_success_at: 10 }],
      write: (client) => endpoints(client).endOutage({ ...end, redelivery: waiting }),
    },
  ],
  [
    'the end of an outage after a later failure',
    {
      items: [{ ...endpoint, ...recovered, ...due, last_failure_at: 11 }],
      write: (client) => endpoints(client).endOutage({ ...end, redelivery: waiting }),
    },
  ],
  [
    'an earlier look at an endpoint that is not paused any more',
    {
      items: [{ ...endpoint, ...due }],
      write: (client) =>
        endpoints(client).bringForward({ ...key, lookAt: 8, redelivery: { ...waiting, nextAt: undefined } }),
    },
  ],
  [
    'an earlier look at an endpoint that fails',
    {
      items: [{ ...endpoint, ...due, failing_since: 5 }],
      write: (client) => endpoints(client).bringForward({ ...key, lookAt: 8, redelivery: waiting }),
    },
  ],
  [
    'the removal of an endpoint that is forgotten',
    { items: [], write: (client) => endpoints(client).remove(at) },
  ],
  [
    'a success of an endpoint that is forgotten',
    { items: [], write: (client) => endpoints(client).noteSuccess(at) },
  ],
  [
    'a success before the last one',
    {
      items: [{ ...endpoint, last_success_at: 8 }],
      write: (client) => endpoints(client).noteSuccess(at),
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
    'an accepted probe that is not the last one',
    {
      items: [{ ...endpoint, ...due, probe_id: 'theirs' }],
      write: (client) => endpoints(client).acceptProbe({ ...key, probeId: 'ours', lookAt: 8 }),
    },
  ],
  [
    'an accepted probe while a sweep goes on',
    {
      items: [{ ...endpoint, ...due, probe_id: 'ours', walk: 'theirs' }],
      write: (client) => endpoints(client).acceptProbe({ ...key, probeId: 'ours', lookAt: 8 }),
    },
  ],
  [
    'a failure of an endpoint that has unsubscribed',
    {
      items: [{ ...endpoint, removed_at: 6 }],
      write: (client) => endpoints(client).countFailure({ ...key, since: 1, notedAt: 7, lookAt: 8 }),
    },
  ],
  [
    'a beginning of what is undelivered that is later than the one that is stored by now',
    {
      items: [{ ...endpoint, ...due, undelivered_since: 10 }],
      write: (client) => endpoints(client).countFailure({ ...key, since: 5, notedAt: 7, lookAt: 8 }),
      meanwhile: [{ ...endpoint, ...due, undelivered_since: 3 }],
    },
  ],
  [
    'the beginning of an outage that has begun already',
    {
      items: [{ ...endpoint, failing_since: 5 }],
      write: (client) => endpoints(client).beginOutage({ ...end, redelivery: undefined }),
    },
  ],
  [
    'the beginning of an outage before the last success',
    {
      items: [{ ...endpoint, last_success_at: 8 }],
      write: (client) => endpoints(client).beginOutage({ ...end, redelivery: undefined }),
    },
  ],
  [
    'the beginning of an outage after another look was planned',
    {
      items: [{ ...endpoint, ...due, next_look_at: toLook(101) }],
      write: (client) => endpoints(client).beginOutage({ ...end, redelivery: waiting }),
    },
  ],
  [
    'a step of an endpoint that is due at another time',
    {
      items: [{ ...endpoint, ...due }],
      write: (client) => redeliveries(client).step(ofDue, { attempt: 2, nextAt: 200, probeId: undefined }),
    },
  ],
  [
    'a step without a probe after one was sent',
    {
      items: [{ ...endpoint, ...due, probe_id: 'theirs' }],
      write: (client) =>
        redeliveries(client).step({ ...key, dueAt: 100 }, { attempt: 2, nextAt: 200, probeId: undefined }),
    },
  ],
  [
    'a pause of an endpoint that is due at another time',
    { items: [{ ...endpoint, ...due }], write: (client) => redeliveries(client).pause(ofDue) },
  ],
  [
    'a sweep of an endpoint that is due at another time',
    {
      items: [{ ...endpoint, ...due, failures: 1 }],
      write: (client) => redeliveries(client).begin({ ...ours, now: 60, dueAt: 50, until: 90 }),
    },
  ],
  [
    'the progress of a sweep that another one has replaced',
    {
      items: [swept],
      write: (client) =>
        redeliveries(client).advance(ours, { next: 'next', leftAt: undefined, gaveUp: false, until: 90 }),
    },
  ],
  [
    'the probe of a sweep that another one has replaced',
    {
      items: [swept],
      write: (client) =>
        redeliveries(client).probed(ours, { probeId: 'probe', next: undefined, attempt: 1, nextAt: 90 }),
    },
  ],
  [
    'the end of a sweep that another one has replaced',
    { items: [swept], write: (client) => redeliveries(client).clear(ours) },
  ],
  [
    'the end of a redelivery after a new failure',
    { items: [failedSince], write: (client) => redeliveries(client).clear(ours) },
  ],
  ...[true, false].flatMap((isComplete): typeof ofEndpoints => [
    [
      `that nothing is undelivered after a new failure, ${isComplete ? 'at the end of' : 'during'} a redelivery`,
      {
        items: [{ ...endpoint, ...due, failures: 3 }],
        write: (client) => redeliveries(client).accept(key, { dueAt: 100, failures: 2, isComplete }),
      },
    ],
    [
      `that nothing is undelivered after another sweep, ${isComplete ? 'at the end of' : 'during'} a redelivery`,
      {
        items: [{ ...endpoint, ...due, failures: 2 }],
        write: (client) => redeliveries(client).accept(key, { dueAt: 50, failures: 2, isComplete }),
      },
    ],
  ]),
  [
    'the pause of a sweep after a new failure',
    {
      items: [failedSince],
      write: (client) => redeliveries(client).putOff(ours, { nextAt: 90, isUnlessFailed: true }),
    },
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

const ofNotifications: readonly (readonly [string, RefusedWrite])[] = [
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
