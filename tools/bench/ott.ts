import type { Event } from '../../shared/ott/events/event.ts';
import { eventStatuses } from '../../shared/ott/events/event-kinds.ts';
import type { EventRepository } from '../../shared/ott/ports/event-repository.ts';
import { anEvent, anOttApplication } from '../../test/support/ott/builders.ts';
import { type OttCalls, ottCalls } from '../../test/support/ott/calls.ts';
import { toldEntitlement, toldGeolocation } from '../../test/support/ott/in-memory.ts';
import { embeddedCatalogues } from './embedded-catalogue.ts';
import { interleaved, type Measurement } from './measurement.ts';

const SIZES = [1_000, 100_000];
const LIMIT = 1.3;

/**
 * Nine in ten events are geoblocked in CH. For customers of the application `fans`, its rule hides nine in ten of all
 * events.
 */
const anEventOf = (index: number): Event =>
  anEvent({
    id: `event-${index}`,
    status: eventStatuses[index % 5] ?? 'VOD',
    access: index % 2 === 0 ? 'free' : 'paid',
    startsAt: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
    endsAt: null,
    ...(Math.floor(index / 10) % 10 === 0
      ? {}
      : { geoblocking: { enabled: true, mode: 'block', countries: ['CH'] } as const }),
  });

const callsOver = (events: EventRepository): OttCalls =>
  ottCalls({
    events,
    applications: [
      anOttApplication(),
      anOttApplication(
        { rules: [{ id: 'paid-vod', enabled: true, access: 'paid', statuses: ['VOD'] }] },
        'fans',
      ),
    ],
    entitlement: toldEntitlement(() => ({ outcome: 'success', vip: false })),
    geolocation: toldGeolocation(() => ({ '203.0.113.1': 'NO', '203.0.113.2': 'CH' })),
  });

const viewers = {
  'all events visible': { sourceIp: '203.0.113.1' },
  'nine in ten hidden by their geoblocking': { sourceIp: '203.0.113.2' },
  'nine in ten hidden by the application’s rules': {
    sourceIp: '203.0.113.1',
    headers: { 'x-client-id': 'fans-web' },
  },
} as const;

const aPage = async (calls: OttCalls, request: object): Promise<void> => {
  const { status, body } = await calls.list({ ...request, query: { limit: '50' } });
  if (status !== 200 || (body as unknown[]).length !== 50)
    throw new Error(`Not a page of 50 events, but status ${status}`);
};

const measurePages = async (small: OttCalls, large: OttCalls): Promise<Measurement[]> => {
  const measurements: Measurement[] = [];
  for (const [name, request] of Object.entries(viewers)) {
    const [fromSmall, fromLarge] = await interleaved({
      rounds: 40,
      tasks: [() => aPage(small, request), () => aPage(large, request)],
    });
    const ratio = fromLarge / fromSmall;
    measurements.push(
      { name: `page of 50 from 1,000, ${name}`, value: fromSmall, unit: 'ms' },
      { name: `page of 50 from 100,000, ${name}`, value: fromLarge, unit: 'ms' },
      { name: `  ratio (at most ${LIMIT})`, value: ratio, unit: '×', holds: ratio <= LIMIT },
    );
  }
  return measurements;
};

export const measureOtt = async (): Promise<Measurement[]> => {
  await using embedded = await embeddedCatalogues(SIZES, anEventOf);
  const [small, large] = embedded.catalogues.map(callsOver);
  if (small === undefined || large === undefined) throw new Error('There are two catalogues');
  return await measurePages(small, large);
};
