import { describe, expect, it } from 'vitest';
import {
  isSeenChange,
  notificationsOfAny,
  notificationsOfEvent,
  notificationsOfMany,
} from '../../../shared/notifications/publish/event-notifications.ts';
import type { Event } from '../../../shared/ott/events/event.ts';
import type { CustomerRule } from '../../../shared/ott/viewers/rules.ts';
import { anEvent, anOttApplication } from '../../support/ott/builders.ts';

const dateTime = '2026-11-20T20:00:04.000007';
const rule = (fields: Partial<CustomerRule>): CustomerRule => ({ id: 'one', enabled: true, ...fields });
const application = (id: string, ...rules: CustomerRule[]) => anOttApplication({ rules }, id);

const everything = application('everything', rule({}));
const live = application('live', rule({ statuses: ['LIVE'] }));
const paidTennis = application('paid-tennis', rule({ access: 'paid', categories: ['tennis'] }));
const nothing = application('nothing', rule({ enabled: false }));
const all = [everything, live, paidTennis, nothing];

const heard = (before: readonly (Event | undefined)[], now: Event | undefined) =>
  notificationsOfEvent({ id: 'final', before, now, dateTime }, all).map(({ applicationId, message }) => {
    expect(message).toMatchObject({ operationType: 'event_update', eventId: 'final', dateTime });
    const { change, status } = message as { readonly change: string; readonly status?: string };
    return [applicationId, change, status];
  });

const upcoming = anEvent({ status: 'UPCOMING' });
const isLive = anEvent({ status: 'LIVE' });
const finished = anEvent({ status: 'FINISHED' });
const tennis = anEvent({ access: 'paid', categories: ['tennis'], status: 'FINISHED' });

describe('the applications that are notified of a changed event', () => {
  it.each<[string, readonly (Event | undefined)[], Event | undefined, unknown]>([
    ['is new', [undefined], upcoming, [['everything', 'created', 'UPCOMING']]],
    [
      'goes live',
      [upcoming],
      isLive,
      [
        ['everything', 'status', 'LIVE'],
        ['live', 'created', 'LIVE'],
      ],
    ],
    [
      'has another title while it is live',
      [isLive],
      anEvent({ title: 'Another' }),
      [
        ['everything', 'changed', 'LIVE'],
        ['live', 'changed', 'LIVE'],
      ],
    ],
    [
      'is over',
      [isLive],
      finished,
      [
        ['everything', 'status', 'FINISHED'],
        ['live', 'removed', undefined],
      ],
    ],
    [
      'is deleted',
      [tennis],
      undefined,
      [
        ['everything', 'removed', undefined],
        ['paid-tennis', 'removed', undefined],
      ],
    ],
    [
      'moves to another category and becomes paid',
      [finished],
      tennis,
      [
        ['everything', 'changed', 'FINISHED'],
        ['paid-tennis', 'created', 'FINISHED'],
      ],
    ],
    [
      'was live for a moment',
      [upcoming, isLive],
      finished,
      [
        ['everything', 'status', 'FINISHED'],
        ['live', 'removed', undefined],
      ],
    ],
    [
      'was created and deleted at once',
      [undefined, finished],
      undefined,
      [['everything', 'removed', undefined]],
    ],
  ])('are those that can see it before or after, if it %s', (_, before, now, expected) => {
    expect(heard(before, now)).toEqual(expected);
  });

  it('do not include one whose rules only a later release knows', () => {
    const later = { ...everything, ott: { rules: [rule({})], regions: ['EU'] } };

    expect(
      notificationsOfEvent({ id: 'final', before: [undefined], now: isLive, dateTime }, [later]),
    ).toEqual([]);
  });

  it('get one message that many events have changed, if they can see one of them', () => {
    const changed = [
      { before: [upcoming], now: isLive, dateTime: '2026-11-20T20:00:04.000002' },
      { before: [undefined], now: upcoming, dateTime },
    ];

    expect(
      notificationsOfMany(changed, all).map(({ applicationId, message }) => [applicationId, message]),
    ).toEqual(
      ['everything', 'live'].map((id) => [id, { operationType: 'event_update', change: 'many', dateTime }]),
    );
    expect(notificationsOfAny(dateTime, all).map(({ applicationId }) => applicationId)).toEqual([
      'everything',
      'live',
      'paid-tennis',
    ]);
  });
});

describe('a write of an event', () => {
  it.each<[string, Partial<Event>]>([
    ['the status that the file has', { statusInFile: 'UPCOMING' }],
    ['the end that the file has', { endsAtInFile: '2026-05-01T19:00:00.000Z' }],
    [
      'the schedule that the file has',
      { scheduleInFile: [{ at: '2026-05-01T19:00:00.000Z', status: 'FINISHED' }] },
    ],
    [
      'the end of the window that the file has',
      {
        stream: {
          type: 'hls',
          url: 'https://streams.example.com/final/index.m3u8',
          availableUntilInFile: '2026-05-01T19:00:00.000Z',
        },
      },
    ],
  ])('is no change for callers if it only notes %s', (_, fields) => {
    expect(isSeenChange(isLive, { ...isLive, ...fields })).toBe(false);
  });

  it.each<[string, Event | undefined]>([
    ['another status', finished],
    ['another title', anEvent({ title: 'Another' })],
    ['another stream', anEvent({ stream: undefined })],
    ['a field of a later release', { ...isLive, later: [{ path: ['score'], value: 1 }] }],
    ['no event any more', undefined],
  ])('is a change for callers if there is %s', (_, after) => {
    expect(isSeenChange(isLive, after)).toBe(true);
    expect(isSeenChange(after, isLive)).toBe(true);
  });
});
