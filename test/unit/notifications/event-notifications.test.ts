import { describe, expect, it } from 'vitest';
import {
  isSeenChange,
  notificationsOfAny,
  notificationsOfEvent,
  notificationsOfMany,
} from '../../../shared/notifications/publish/event-notifications.ts';
import { effective } from '../../../shared/ott/events/effective.ts';
import type { Event, PresentEvent } from '../../../shared/ott/events/event.ts';
import type { CustomerRule } from '../../../shared/ott/viewers/rules.ts';
import { anEvent, anOttApplication, present } from '../../support/ott/builders.ts';

const dateTime = '2026-11-20T20:00:04.000007';
const rule = (fields: Partial<CustomerRule>): CustomerRule => ({ id: 'one', enabled: true, ...fields });
const application = (id: string, ...rules: CustomerRule[]) => anOttApplication({ rules }, id);

const everything = application('everything', rule({}));
const live = application('live', rule({ statuses: ['LIVE'] }));
const paidTennis = application('paid-tennis', rule({ access: 'paid', categories: ['tennis'] }));
const nothing = application('nothing', rule({ enabled: false }));
const presentEvent = (fields: Partial<Event>) => present(anEvent(fields));
const all = [everything, live, paidTennis, nothing];

const heard = (before: readonly (PresentEvent | undefined)[], now: PresentEvent | undefined) =>
  notificationsOfEvent({ id: 'final', before, now, dateTime }, all).map(({ applicationId, message }) => {
    expect(message).toMatchObject({ operationType: 'event_update', eventId: 'final', dateTime });
    const { change, status } = message as { readonly change: string; readonly status?: string };
    return [applicationId, change, status];
  });

const upcoming = presentEvent({ status: 'UPCOMING' });
const isLive = presentEvent({ status: 'LIVE' });
const finished = presentEvent({ status: 'FINISHED' });
const tennis = presentEvent({ access: 'paid', categories: ['tennis'], status: 'FINISHED' });

describe('the applications that are notified of a changed event', () => {
  it.each<[string, readonly (PresentEvent | undefined)[], PresentEvent | undefined, unknown]>([
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
      presentEvent({ title: 'Another' }),
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
  const at = '2026-05-01T19:00:00.000Z';
  const stream = { type: 'hls', url: 'https://streams.example.com/final/index.m3u8' } as const;
  const schedule = [{ at, status: 'FINISHED' }] as const;
  it.each<[string, Partial<Event>, Partial<Event>]>([
    ['the status', { status: 'LIVE' }, { status: 'UPCOMING', hand: { status: { value: 'LIVE', at } } }],
    ['the end', { endsAt: at }, { endsAt: '2026-05-01T18:30:00.000Z', hand: { endsAt: at } }],
    ['the schedule', { schedule }, { schedule: [{ at, status: 'VOD' }], hand: { schedule } }],
    [
      'the end of the window',
      { stream: { ...stream, availableUntil: at } },
      { stream: { ...stream, availableUntil: '2026-05-01T18:30:00.000Z' }, hand: { availableUntil: at } },
    ],
  ])('is no change for callers if %s is the same by hand', (_, given, byHand) => {
    const [one, other] = [given, byHand].map((fields) => effective(anEvent(fields), Date.parse(at) - 1_000));
    expect(isSeenChange(one, other)).toBe(false);
  });

  it.each<[string, PresentEvent | undefined]>([
    ['another status', finished],
    ['another title', presentEvent({ title: 'Another' })],
    ['another stream', presentEvent({ stream: undefined })],
    ['a field of a later release', { ...isLive, later: [{ path: ['score'], value: 1 }] }],
    ['no event any more', undefined],
  ])('is a change for callers if there is %s', (_, after) => {
    expect(isSeenChange(isLive, after)).toBe(true);
    expect(isSeenChange(after, isLive)).toBe(true);
  });
});
