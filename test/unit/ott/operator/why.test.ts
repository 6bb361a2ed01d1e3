import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { viewerKinds } from '../../../../operator/ott/why/viewer-kinds.ts';
import { countriesText, explainStream, ruleText } from '../../../../operator/ott/why/why.ts';
import { eventAccesses, eventStatuses } from '../../../../shared/ott/events/event-kinds.ts';
import type { Geoblocking } from '../../../../shared/ott/viewers/geoblocking.ts';
import { anEvent } from '../../../support/ott/builders.ts';

const now = Date.parse('2026-05-01T18:30:00Z');
const everything = { rules: [{ id: 'everything', enabled: true }], geoblocking: undefined };

const why = (
  event: Parameters<typeof anEvent>[0],
  {
    viewer = 'anonymous',
    country = 'DE',
    client = everything,
  }: Partial<{
    viewer: string;
    country: string | undefined;
    client: Parameters<typeof explainStream>[1]['client'];
  }> = {},
) => {
  const kind = viewerKinds[viewer];
  if (kind === undefined) throw new Error(`no viewer ${viewer}`);
  const { verdict, steps } = explainStream(
    anEvent(event),
    { viewer: kind, client, country },
    { now, limits: new Map() },
  );
  return { verdict, refusal: steps.find(({ outcome }) => outcome === 'refuses') };
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
const moments = fc.option(fc.constantFrom('2026-05-01T18:00:00.000Z', '2026-05-01T19:00:00.000Z'), {
  nil: undefined,
});

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
        }),
        { nil: undefined },
      ),
    });
    const client = fc.record({
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
    fc.assert(
      fc.property(event, client, viewer, country, (fields, rules, who, where) => {
        const { verdict, refusal } = why(fields, { viewer: who, client: rules, country: where });
        expect(refusal === undefined).toBe(verdict === 'playable');
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ["the customer's rules", 'not-found', {}, { client: { ...everything, rules: [] } }],
    [
      "the customer's countries",
      'not-found',
      {},
      {
        client: { ...everything, geoblocking: notInGermany },
      },
    ],
    ["the event's countries", 'not-found', { geoblocking: inNorway }, {}],
    ['the stream', 'not-found', { stream: undefined }, {}],
    ['what the viewer bought', 'purchase-required', { access: 'paid' } as const, { viewer: 'not-bought' }],
    ['what the viewer bought', 'login-required', { access: 'paid' } as const, {}],
    ['the time', 'not-available', { status: 'FINISHED' } as const, {}],
  ])('names the step "%s" with the verdict %s', (step, verdict, event, audience) => {
    expect(why(event, audience)).toMatchObject({ verdict, refusal: { step } });
  });

  it('mentions that an upcoming event will be refused when it is LIVE', () => {
    const geoblocking: Geoblocking = { ...notInGermany, statuses: ['LIVE'] };

    expect(why({ status: 'UPCOMING', geoblocking }).refusal?.because).toContain('for an event that is LIVE');
  });

  it('says that an event stays cancelled when its schedule would begin it', () => {
    const { steps } = explainStream(
      anEvent({
        status: 'UPCOMING',
        hand: { status: { value: 'CANCELLED', at: '2026-05-01T18:25:00.000Z' } },
        schedule: [{ at: '2026-05-01T18:30:00.000Z', status: 'LIVE' }],
      }),
      { viewer: viewerKinds.anonymous ?? { kind: 'anonymous' }, client: everything, country: 'DE' },
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
