import { afterEach, describe, expect, it, vi } from 'vitest';
import { configureApplication } from '../../../operator/stage/applications/configure-application.ts';
import { ottConfigurationOf } from '../../../shared/ott/configuration.ts';
import { streamLimits } from '../../../shared/ott/sessions/stream-limits.ts';
import type { Application } from '../../../shared/platform/applications/application.ts';
import { logger } from '../../../shared/platform/logger.ts';
import { anEvent, anOttApplication } from '../../support/ott/builders.ts';
import { ottCalls } from '../../support/ott/calls.ts';
import { inMemoryEvents, toldEntitlement } from '../../support/ott/in-memory.ts';
import { refusal } from '../../support/platform/refusal.ts';

const everything = { id: 'everything', enabled: true };
const open = { enabled: true, mode: 'block', countries: ['CH'] };
const vip = { headers: { authorization: 'Bearer vera@web' } };

/** Data that a later release could store in an application's settings, and that must hide all events. */
const hiding: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['an unknown field', { members_only: true }],
  ['an unknown field of the country rule', { geoblocking: { ...open, cities: ['Zurich'] } }],
  ['an unknown field of a switched-off country rule', { geoblocking: { enabled: false, exempts: 'nobody' } }],
  ['another kind of country rule', { geoblocking: { enabled: 'in-cities' } }],
];

/** Unknown rules that show no events. The events of the known rules stay visible. */
const rules: readonly (readonly [string, unknown])[] = [
  ['an unknown field', { ...everything, devices: ['tv'] }],
  ['an unknown status', { ...everything, statuses: ['LIVE', 'REPLAY'] }],
  ['an unknown access', { ...everything, access: 'members' }],
  ['another form', 'everything'],
];

describe('the OTT settings of an application that a later release has stored', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  let count = 0;
  const laterApplication = (ott: Readonly<Record<string, unknown>>): Application => {
    count += 1;
    const application = anOttApplication({}, `later-${count}`);
    return { ...application, clientIds: ['web'], ott: { ...application.ott, ...ott } };
  };
  const callsOf = (application: Application) =>
    ottCalls({
      events: inMemoryEvents([
        anEvent(),
        anEvent({ id: 'lifted', geoblocking: { enabled: false } }),
        anEvent({ id: 'rugby', categories: ['rugby'] }),
      ]),
      applications: [application, anOttApplication({}, 'other')],
      defaultApplicationId: application.id,
      entitlement: toldEntitlement(() => ({ outcome: 'success', vip: true })),
      geolocation: { countryOf: async () => ({ outcome: 'answered', country: 'DE' }) },
    });

  it.each(hiding)('hide all events if they contain %s, and are logged once', async (_, ott) => {
    const told = vi.spyOn(logger, 'warn').mockReturnValue();
    const application = laterApplication(ott);
    const calls = callsOf(application);

    for (const request of [{}, vip]) {
      expect(await calls.list(request)).toMatchObject({ status: 200, body: [] });
      for (const id of ['final', 'lifted']) {
        const hidden = refusal({ status: 404, message: 'EVENT_NOT_FOUND' });
        expect((await calls.get(id, request)).body).toEqual(hidden);
        expect((await calls.stream(id, request)).body).toEqual(hidden);
      }
    }
    const other = { headers: { 'x-client-id': 'other-web' } };
    expect((await calls.list(other)).body).toHaveLength(3);
    expect((await calls.stream('final', other)).status).toBe(200);
    expect(told.mock.calls).toEqual([
      [
        'Stored by a later release',
        { code: 'LATER_DATA', kind: 'application', id: application.id, unknown: [expect.any(String)] },
      ],
    ]);
  });

  it.each(rules)('show the events of the other rules if one rule contains %s', async (_, rule) => {
    const told = vi.spyOn(logger, 'warn').mockReturnValue();
    const known = { id: 'rugby', enabled: true, categories: ['rugby'] };
    const calls = callsOf(laterApplication({ rules: [rule, known] }));

    expect((await calls.list()).body).toMatchObject([{ event_id: 'rugby' }]);
    expect((await calls.stream('rugby')).status).toBe(200);
    expect((await calls.stream('final')).status).toBe(404);
    expect(told).toHaveBeenCalledOnce();
  });

  it('allow one paid stream at a time if the limit is unknown', async () => {
    vi.spyOn(logger, 'warn').mockReturnValue();
    for (const ott of [{ streams_at_once: 50 }, { streams_at_once: { tv: 1 } }, { devices_at_once: 1 }]) {
      const seller = laterApplication({ streams_at_once: 3, ...ott });
      const limits = await streamLimits(
        { contracts: { applicationOf: async () => undefined }, applications: { find: async () => seller } },
        {
          applicationId: 'other',
          configuration: { rules: [], geoblocking: undefined },
          event: {},
          seller: seller.id,
        },
      );
      expect(limits).toEqual(new Map([[seller.id, 1]]));
    }
    const known = laterApplication({ streams_at_once: 3, rules: [{ ...everything, devices: ['tv'] }] });
    expect(ottConfigurationOf(known)).toEqual({ rules: [], streamsAtOnce: 3 });
  });

  it.each([
    ['rules', { rules: [{ ...everything, devices: ['tv'] }] }, { rules: [everything] }],
    ['geoblocking', { geoblocking: { ...open, cities: [] } }, { geoblocking: null }],
    ['streams_at_once', { streams_at_once: { tv: 1 } }, { streams_at_once: 5 }],
  ] as const)(
    'reject a change of their unknown %s, and keep them in every other change',
    async (field, ott, change) => {
      let stored = laterApplication({ ...ott, members_only: true });
      const applications = {
        find: async () => stored,
        save: async (application: Application) => {
          stored = application;
          return stored;
        },
      };
      const { id, ott: before } = stored;
      const configure = (changed: object) =>
        configureApplication({ id, configuration: { ott: changed }, applications });

      await expect(configure(change)).rejects.toThrow(`ott.${field} of ${id} was stored by a later release`);
      expect(stored.ott).toEqual(before);

      const another = field === 'geoblocking' ? { streams_at_once: 2 } : { geoblocking: { enabled: false } };
      await configure(another);
      expect(stored.ott).toEqual({ ...before, ...another });
    },
  );
});
