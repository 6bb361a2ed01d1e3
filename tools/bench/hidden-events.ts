import { dynamoDbCatalogue } from '../../shared/ott/store/catalogue.ts';
import { documentClientOf } from '../../shared/platform/store/client.ts';
import { anEvent } from '../../test/support/ott/builders.ts';
import { startSystem } from '../../test/support/platform/system.ts';
import { httpCall } from './http-call.ts';
import { type Measurement, median, percentile } from './measurement.ts';

const rounds = 1_500;
const warmUpRounds = 100;
/**
 * If two response times differ by less than this many standard errors over 1,500 pairs, an attacker cannot use the
 * difference.
 */
const apartAtMost = 3;

/** An address in the country where the event is hidden. */
const address = '203.0.113.2';
const ids = ['hidden', 'missing', 'absent'] as const;
type Id = (typeof ids)[number];

const times = async (baseUrl: string): Promise<Readonly<Record<Id, number[]>>> => {
  const found: Record<Id, number[]> = { hidden: [], missing: [], absent: [] };
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    // The order alternates, so that each id follows every other id equally often.
    const step = 1 + (Math.abs(round) % 2);
    for (let turn = 0; turn < ids.length; turn += 1) {
      const id = ids[(Math.abs(round) + turn * step) % ids.length] as Id;
      const startedAt = performance.now();
      const headers = { 'x-forwarded-for': address };
      await httpCall(`${baseUrl}/api/v3/ott/events/${id}`, { headers, status: 404 });
      if (round >= 0) found[id].push(performance.now() - startedAt);
    }
  }
  return found;
};

const difference = (a: readonly number[], b: readonly number[]) => {
  const pairs = a.map((value, index) => value - (b[index] ?? Number.NaN));
  // The standard error of the median, estimated from the interquartile range, so that rare disturbances of the machine
  // have no effect.
  const deviation = (percentile(pairs, 0.75) - percentile(pairs, 0.25)) / 1.349;
  const error = (Math.sqrt(Math.PI / 2) * deviation) / Math.sqrt(pairs.length);
  return { milliseconds: median(pairs), errors: median(pairs) / error };
};

/**
 * The response time of a 404 must not reveal whether an event is hidden or missing. The times for a hidden and a
 * missing event may differ only by noise, like the times for two missing events.
 */
export const measureHidden = async (): Promise<Measurement[]> => {
  await using cleanup = new AsyncDisposableStack();
  const system = await startSystem({ arguments: ['--empty', '--trust-forwarded-for'] });
  cleanup.defer(() => system.dispose());
  const { geolocation_url, base_url } = system.outputs;
  const country = { method: 'PUT', json: { country: 'CH' } } as const;
  await httpCall(`${geolocation_url}/addresses/${address}`, country);
  const tableName = await system.stackOutput('EventsTable');
  const hidden = anEvent({
    id: 'hidden',
    endsAt: null,
    categories: ['football', 'cup'],
    geoblocking: { enabled: true, mode: 'block', countries: ['CH'] },
  });
  await dynamoDbCatalogue({ client: documentClientOf(system.aws), tableName }).write([{ after: hidden }]);

  const measured = await times(base_url);
  const [apart, control] = [
    difference(measured.hidden, measured.missing),
    difference(measured.absent, measured.missing),
  ];
  return [
    { name: 'event hidden by its country', value: median(measured.hidden), unit: 'ms' },
    { name: 'event that is missing', value: median(measured.missing), unit: 'ms' },
    { name: '  ratio', value: median(measured.hidden) / median(measured.missing), unit: '×' },
    { name: '  difference', value: apart.milliseconds * 1_000, unit: 'µs' },
    {
      name: `  in standard errors (less than ${apartAtMost})`,
      value: Math.abs(apart.errors),
      unit: '',
      holds: Math.abs(apart.errors) < apartAtMost,
    },
    { name: 'difference between two missing events', value: control.milliseconds * 1_000, unit: 'µs' },
    { name: '  in standard errors', value: Math.abs(control.errors), unit: '' },
  ];
};
