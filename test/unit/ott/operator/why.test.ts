import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { viewerKinds } from '../../../../operator/ott/why/viewer-kinds.ts';
import { countriesText, explainStream, ruleText } from '../../../../operator/ott/why/why.ts';
import type { OttConfiguration } from '../../../../shared/ott/configuration.ts';
import { traceStream } from '../../../../shared/ott/decision.ts';
import type { Event, Stream } from '../../../../shared/ott/events/event.ts';
import { eventAccesses, eventStatuses } from '../../../../shared/ott/events/event-kinds.ts';
import type { StreamLimits } from '../../../../shared/ott/sessions/viewer-sessions.ts';
import type { Geoblocking } from '../../../../shared/ott/viewers/geoblocking.ts';
import { anEvent, ticketCollection } from '../../../support/ott/builders.ts';

const now = Date.parse('2026-05-01T18:30:00Z');
const everything: OttConfiguration = { rules: [{ id: 'everything', enabled: true }], geoblocking: undefined };
const noLimits: StreamLimits = new Map();

interface Asked {
  readonly viewer?: string;
  readonly country?: string | undefined;
  readonly configuration?: OttConfiguration;
  readonly ticket?: { readonly isHeld: boolean; readonly because: string } | undefined;
  readonly limits?: StreamLimits;
}

const viewerOf = (name: string) => {
  const viewer = viewerKinds[name];
  if (viewer === undefined) throw new Error(`no viewer ${name}`);
  return viewer;
};

const why = (
  fields: Partial<Event>,
  { viewer = 'anonymous', limits = noLimits, ticket, ...asked }: Asked = {},
) => {
  const { verdict, steps } = explainStream(
    { ...anEvent(), ...fields },
    { configuration: everything, country: 'DE', ...asked, viewer: viewerOf(viewer) },
    { now, limits, ticket },
  );
  return { verdict, steps, refusal: steps.find(({ outcome }) => outcome === 'refuses') };
};

const notInGermany: Geoblocking = { enabled: true, mode: 'block', countries: ['DE'] };
const inNorway: Geoblocking = { enabled: true, mode: 'allow', countries: ['NO'] };

const statuses = fc.option(fc.subarray([...eventStatuses], { minLength: 1 }), { nil: undefined });
const geoblocking: fc.Arbitrary<Geoblocking | undefined> = fc.option(
  fc.oneof(
    fc.record({
      enabled: fc.constant(true as const),
      mode: fc.constantFrom('block' as const, 'allow' as const),
      countries: fc.subarray(['DE', 'FR', 'NO'], { minLength: 1 }),
      statuses,
    }),
    fc.constant({ enabled: false as const }),
  ),
  { nil: undefined },
);
const past = '2026-05-01T18:00:00.000Z';
const future = '2026-05-01T19:00:00.000Z';
const moments = fc.option(fc.constantFrom(past, future), { nil: undefined });

const ofLaterRelease: Partial<Event> = { later: [{ path: ['stream', 'drm'], value: 'widevine' }] };
const tickets = [{ contractAddress: ticketCollection }];
const stream: Stream = { type: 'hls', url: 'https://streams.example.com/final/index.m3u8' };

describe('the explanation why a viewer can play or not', () => {
  it('names a refusing step exactly when the service refuses the viewer', () => {
    const event = fc.record({
      status: fc.constantFrom(...eventStatuses),
      access: fc.constantFrom(...eventAccesses),
      geoblocking,
      stream: fc.option(
        fc.record({
          type: fc.constant('hls' as const),
          url: fc.constant('https://streams.example.com/final/index.m3u8'),
          geoblocking,
          availableFrom: moments,
          availableUntil: moments,
        }),
        { nil: undefined },
      ),
      tickets: fc.option(fc.constant(tickets), { nil: undefined }),
      later: fc.option(fc.constant(ofLaterRelease.later), { nil: undefined }),
    });
    const configuration = fc.record({
      hidesAll: fc.boolean(),
      rules: fc.array(
        fc.record({
          id: fc.constant('rule'),
          enabled: fc.boolean(),
          access: fc.option(fc.constantFrom(...eventAccesses), { nil: undefined }),
          statuses,
        }),
        { maxLength: 2 },
      ),
      geoblocking,
    });
    const viewer = fc.constantFrom(...Object.keys(viewerKinds));
    const country = fc.option(fc.constantFrom('DE', 'FR', 'NO'), { nil: undefined });
    const ticket = fc.option(fc.record({ isHeld: fc.boolean(), because: fc.constant('of the wallets') }), {
      nil: undefined,
    });
    const asked = fc.record({ viewer, configuration, country, ticket });
    fc.assert(
      fc.property(event, asked, (fields, question) => {
        const { verdict, refusal } = why(fields, question);
        expect(refusal === undefined).toBe(verdict === 'playable');
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ["the customer's rules", 'not-found', {}, { configuration: { ...everything, rules: [] } }],
    [
      "the customer's countries",
      'not-found',
      {},
      {
        configuration: { ...everything, geoblocking: notInGermany },
      },
    ],
    ["the event's countries", 'not-found', { geoblocking: inNorway }, {}],
    ['the stream', 'not-found', { stream: undefined }, {}],
    ['what the viewer bought', 'purchase-required', { access: 'paid' } as const, { viewer: 'not-bought' }],
    ['what the viewer bought', 'login-required', { access: 'paid' } as const, {}],
    ['the time', 'not-available', { status: 'FINISHED' } as const, {}],
    ['what a later release has stored', 'not-available', ofLaterRelease, { viewer: 'vip' }],
  ])('names the step "%s" with the verdict %s', (step, verdict, event, context) => {
    expect(why(event, context)).toMatchObject({ verdict, refusal: { step } });
  });

  it('says something about each step of the decision, in the same order', () => {
    const event = { ...anEvent(), ...ofLaterRelease };
    const context = { viewer: viewerOf('vip'), configuration: everything, country: 'DE' };

    const taken = traceStream(event, context, { now, limits: noLimits }).steps;
    const { steps } = explainStream(event, context, { now, limits: noLimits });

    expect(steps.map(({ outcome }) => outcome)).toEqual(taken.map(({ outcome }) => outcome));
    expect(new Set(steps.map(({ step }) => step)).size).toBe(taken.length);
  });

  const scheduled = {
    schedule: [
      { at: past, status: 'LIVE' },
      { at: future, status: 'FINISHED' },
    ],
  } as const;
  const oneRule = (rule: Partial<OttConfiguration['rules'][number]>): Asked => ({
    configuration: { ...everything, rules: [{ id: 'vods', enabled: true, statuses: ['VOD'], ...rule }] },
  });
  const held = { isHeld: true, because: '0x… holds a ticket' };
  const paid = { access: 'paid' } as const;
  const oneStream: StreamLimits = new Map([['fan-app', 1]]);

  it.each<[string, string, string, Partial<Event>, Asked?]>([
    ['the schedule', 'does not apply', 'there is none', {}],
    [
      'the schedule',
      'passes',
      `the event is LIVE: the entry of ${past} counts; FINISHED follows at ${future}`,
      { ...scheduled, status: 'UPCOMING' },
    ],
    [
      'the schedule',
      'passes',
      'the event is VOD: no entry is due, so the status of the file counts; no entry is ahead',
      { schedule: [], status: 'VOD' },
    ],
    ["the customer's rules", 'passes', 'everything: shows every event', {}],
    ["the customer's rules", 'does not apply', 'a VIP is exempt from rules', {}, { viewer: 'vip' }],
    [
      "the customer's rules",
      'refuses',
      'every event is hidden, because a later release has stored settings of the customer that this release does not know',
      {},
      { viewer: 'vip', configuration: { ...everything, hidesAll: true } },
    ],
    [
      "the customer's rules",
      'refuses',
      'the event is free and LIVE (categories: none), and no rule shows it: vods: shows events that are in status VOD',
      { categories: [] },
      oneRule({}),
    ],
    [
      "the customer's rules",
      'refuses',
      'the event is free and LIVE (categories: football), and no rule is enabled',
      {},
      oneRule({ enabled: false }),
    ],
    ["the customer's countries", 'does not apply', 'there is none', {}],
    [
      "the customer's countries",
      'does not apply',
      "the event's own rule is switched off, and this exempts the event from the customer's rule",
      { geoblocking: { enabled: false } },
    ],
    [
      "the event's countries",
      'passes',
      'a country rule that is switched off; the viewer is in DE',
      { geoblocking: { enabled: false } },
    ],
    [
      "the event's countries",
      'refuses',
      'hidden everywhere except in NO; the viewer is in an unknown country',
      { geoblocking: inNorway },
      { country: undefined },
    ],
    [
      "the stream's countries",
      'refuses',
      'hidden in DE while the event is LIVE (the rule is for an event that is LIVE; a viewer whom it will refuse then is already refused now); the viewer is in DE',
      { status: 'UPCOMING', stream: { ...stream, geoblocking: { ...notInGermany, statuses: ['LIVE'] } } },
    ],
    ['the stream', 'passes', 'hls', {}],
    ['the stream', 'refuses', 'the event has none', { stream: undefined }],
    [
      'what the viewer bought',
      'does not apply',
      'a VIP does not have to buy events',
      paid,
      { viewer: 'vip' },
    ],
    ['what the viewer bought', 'does not apply', 'the event is free', {}],
    ['what the viewer bought', 'refuses', 'the viewer is not logged in', paid],
    [
      'what the viewer bought',
      'refuses',
      'the entitlement service does not answer',
      paid,
      { viewer: 'unverified', ticket: held },
    ],
    [
      'what the viewer bought',
      'refuses',
      'the entitlement service denies access',
      paid,
      { viewer: 'denied' },
    ],
    [
      'what the viewer bought',
      'refuses',
      'the entitlement service says that the viewer did not buy the event',
      paid,
      { viewer: 'not-bought' },
    ],
    [
      'what the viewer bought',
      'does not apply',
      'the entitlement service says that the viewer did not buy the event',
      { ...paid, tickets },
      { viewer: 'not-bought' },
    ],
    [
      'what the viewer bought',
      'passes',
      'the entitlement service says that the viewer bought the event',
      paid,
      { viewer: 'bought' },
    ],
    ['the ticket', 'does not apply', 'the event has no tickets', paid, { viewer: 'not-bought' }],
    [
      'the ticket',
      'does not apply',
      'only a logged-in viewer who did not buy the event needs a ticket',
      { ...paid, tickets },
      { viewer: 'bought' },
    ],
    [
      'the ticket',
      'refuses',
      'no tickets were looked for: name a user with --user',
      { ...paid, tickets },
      { viewer: 'not-bought' },
    ],
    [
      'the ticket',
      'refuses',
      '0x… holds no ticket',
      { ...paid, tickets },
      { viewer: 'not-bought', ticket: { isHeld: false, because: '0x… holds no ticket' } },
    ],
    [
      'the ticket',
      'passes',
      '0x… holds a ticket',
      { ...paid, tickets },
      { viewer: 'not-bought', ticket: held },
    ],
    ['the time', 'does not apply', 'a VIP may play at any time', { status: 'CANCELLED' }, { viewer: 'vip' }],
    ['the time', 'passes', 'the event is LIVE; its stream is available at any time', {}],
    [
      'the time',
      'passes',
      `the event is LIVE; its stream is available from ${past} until ${future}`,
      { stream: { ...stream, availableFrom: past, availableUntil: future } },
    ],
    [
      'the time',
      'refuses',
      `the stream will be available from ${future}`,
      { stream: { ...stream, availableFrom: future } },
    ],
    [
      'the time',
      'refuses',
      `the stream was available until ${past}`,
      { stream: { ...stream, availableUntil: past } },
    ],
    [
      'the time',
      'refuses',
      'the event is UPCOMING; only LIVE and VOD events can be played',
      { status: 'UPCOMING' },
    ],
    [
      'what a later release has stored',
      'refuses',
      'a later release has stored stream.drm, which this release does not know: it may be a restriction, so nobody plays the stream',
      ofLaterRelease,
      { viewer: 'vip' },
    ],
    ['streams at once', 'does not apply', 'the customer sets no limit', paid],
    [
      'streams at once',
      'does not apply',
      'neither the customer nor an application that issues the tickets sets a limit',
      { ...paid, tickets },
    ],
    [
      'streams at once',
      'does not apply',
      "a VIP's streams are not counted",
      paid,
      { viewer: 'vip', limits: oneStream },
    ],
    ['streams at once', 'does not apply', 'the event is free', {}, { limits: oneStream }],
    [
      'streams at once',
      'passes',
      'of the streams that each viewer plays at once, there may be 1 that fan-app counts; a further one is refused with TOO_MANY_STREAMS',
      paid,
      { limits: oneStream },
    ],
  ])('says of the step "%s" that it %s: %s', (step, outcome, because, event, asked) => {
    expect(why(event, asked).steps).toContainEqual({ step, outcome, because });
  });

  it('says that an event stays cancelled when its schedule would begin it', () => {
    const { steps } = explainStream(
      anEvent({
        status: 'UPCOMING',
        hand: { status: { value: 'CANCELLED', at: '2026-05-01T18:25:00.000Z' } },
        schedule: [{ at: '2026-05-01T18:30:00.000Z', status: 'LIVE' }],
      }),
      { viewer: viewerKinds.anonymous ?? { kind: 'anonymous' }, configuration: everything, country: 'DE' },
      { now, limits: new Map() },
    );

    expect(steps.find(({ step }) => step === 'the schedule')?.because).toBe(
      'the event is CANCELLED: it was set by hand at 2026-05-01T18:25:00.000Z; no entry counts any more, because the event is cancelled',
    );
    expect(steps.find(({ outcome }) => outcome === 'refuses')).toMatchObject({
      because: expect.stringContaining('CANCELLED'),
    });
  });

  it('describes rules in plain words', () => {
    expect(
      ruleText({
        id: 'football',
        enabled: true,
        access: 'paid',
        statuses: ['LIVE', 'VOD'],
        categories: ['cup'],
      }),
    ).toBe('football: shows events that are paid and in status LIVE or VOD and in category cup');
    expect(countriesText({ enabled: true, mode: 'allow', countries: ['AT', 'CH'], statuses: ['LIVE'] })).toBe(
      'hidden everywhere except in AT, CH while the event is LIVE',
    );
  });
});
