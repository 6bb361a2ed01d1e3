import type { Counted } from '../../../operator/stage/scale/counted-units.ts';
import { startCustomerEndpoint } from '../../../test/support/notifications/customer-endpoint.ts';
import { type System, startSystem } from '../../../test/support/platform/system.ts';
import { httpCall } from '../http-call.ts';
import type { Measurement } from '../measurement.ts';
import { described, each, madeSchema, operatorOf } from './cost.ts';
import { systemCounts } from './system-counts.ts';
import { dollarsOfMillion } from './tables.ts';

const calls = 100;
/** Changes of so many events at once are told one by one. */
const told = 10;

/** An import of 20,000 events is read in batches of a thousand records, each of which is one message an application. */
const importedEvents = 20_000;
const recordsOfABatch = 1_000;
const hearing = 300;
const messagesOfAnImport = (importedEvents / recordsOfABatch) * hearing;

/** The calls of an editor, who has created the events `bill-0` and so on. */
const editing = async (system: System, operator: ReturnType<typeof operatorOf>) => {
  const created = await operator('applications', 'create', 'desk', '--name', 'Desk', '--editor');
  const key = madeSchema.parse(JSON.parse(created)).api_key;
  const put = (path: string, json: unknown, headers: Readonly<Record<string, string>> = {}, status = 200) =>
    httpCall(`${system.outputs.base_url}/api/v3/ott/catalogue/${path}`, {
      method: 'PUT',
      headers: { 'x-api-key': key, ...headers },
      json,
      status,
    });
  const record = (index: number, title: string) => ({
    event_id: `bill-${index}`,
    title,
    description: 'The second leg of the semi-final, from the stadium by the river',
    status: 'UPCOMING',
    access: 'free',
    starts_at: new Date(Date.UTC(2099, 0, 1) + index * 86_400_000).toISOString(),
    categories: ['football', 'cup'],
    stream: { type: 'hls', url: `https://streams.example.com/bill-${index}/index.m3u8` },
    schedule: [{ at: new Date(Date.UTC(2099, 0, 1) + index * 86_400_000).toISOString(), status: 'LIVE' }],
  });
  // One after the other: on one host, new streams at the same instant disturb each other.
  for (let index = 0; index < calls; index += 1)
    await put(`bill-${index}`, record(index, 'New'), { 'if-none-match': '*' }, 201);
  return {
    change: (index: number, title: string) => put(`bill-${index}`, record(index, title), { 'if-match': '*' }),
    setStatus: (index: number, status: string) => put(`bill-${index}/status`, { status }),
  };
};

/** What the service uses more if a customer is told of a change. */
const messageOf = (heard: Counted, unheard: Counted): number =>
  (dollarsOfMillion(heard) - dollarsOfMillion(unheard)) / 1_000_000;

/** What editors' calls and the messages about events cost. */
export const measureCatalogueCost = async (): Promise<Measurement[]> => {
  const system = await startSystem({ arguments: ['--empty'] });
  try {
    const counts = systemCounts(system);
    const operator = operatorOf(system);
    await counts.start();
    const { change, setStatus } = await editing(system, operator);
    const put = await counts.of(calls, () => each(calls, (index) => change(index, 'Changed')));
    const status = await counts.of(calls, () => each(calls, (index) => setStatus(index, 'FINISHED')));
    const changes = (title: string) => counts.of(told, () => each(told, (index) => change(index, title)));
    const unheard = await changes('Unheard');
    await using endpoint = new AsyncDisposableStack();
    let heard = 0;
    const customer = await startCustomerEndpoint(async ({ body }) => {
      if (body.Type === 'SubscriptionConfirmation')
        await (await fetch(String(body.SubscribeURL))).body?.cancel();
      if (body.operation_type === 'event_update') heard += 1;
      return 200;
    });
    endpoint.defer(() => customer.stop());
    const [{ id: applicationId = '' } = {}] = system.outputs.applications;
    const selected = ['--operations', 'event_update'];
    await operator('subscriptions', 'add', applicationId, customer.url, ...selected, '--wait');
    const heardOf = await changes('Heard');
    if (heard !== told) throw new Error(`${heard} of ${told} changes were heard`);
    const message = messageOf(heardOf, unheard);
    return [
      ...described('put of an event', put),
      ...described('status of an event', status),
      { name: 'A million PUTs of an event', value: dollarsOfMillion(put), unit: '$' },
      { name: 'A million statuses of events, set by hand', value: dollarsOfMillion(status), unit: '$' },
      { name: 'A million messages event_update', value: message * 1_000_000, unit: '$' },
      {
        name: `${importedEvents} changed events in one import, told to ${hearing} applications: messages`,
        value: messagesOfAnImport,
        unit: '',
      },
      { name: '  of which all together cost', value: messagesOfAnImport * message, unit: '$' },
    ];
  } finally {
    await system.dispose();
  }
};
