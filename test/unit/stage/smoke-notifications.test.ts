import { describe, expect, it } from 'vitest';
import { checkNotifications } from '../../../operator/stage/smoke/notifications.ts';

const endpoint = { id: 'mine', address: 'https://me.example.com/notify', state: 'confirmed' };
const sent = { id: 'm-1', published_at: '2026-11-20T09:15:02.456Z', deliveries: [] as object[] };
const delivery = { endpoint_id: 'mine', status: 'delivered', status_code: 200 };

/**
 * Tests a stage with these endpoints. Each read of its notifications returns the next element of `lists`, where a
 * number is an error status.
 */
const look = async (
  { endpoints = [endpoint], lists }: { endpoints?: object[]; lists: (readonly object[] | number)[] },
  endpointId?: string,
) => {
  const tested: unknown[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { pathname, searchParams } = new URL(String(input));
    if (new Headers(init?.headers).get('x-api-key') !== 'key') {
      return Response.json({ message: 'Forbidden' }, { status: 403 });
    }
    if (pathname === '/notifications/endpoints') return Response.json(endpoints);
    if (pathname === '/notifications/test' && init?.method === 'POST') {
      tested.push(JSON.parse(String(init.body)));
      return Response.json(sent);
    }
    expect([...searchParams.keys()].sort()).toEqual(['from', 'limit', 'operation_type']);
    const list = (lists.length > 1 ? lists.shift() : lists[0]) ?? [];
    return typeof list === 'number'
      ? Response.json({ message: 'no' }, { status: list })
      : Response.json(list);
  };
  const { faults } = await checkNotifications(
    { fetch, pause: async () => {} },
    { b2bUrl: 'https://b2b.example.com', apiKey: 'key', endpointId },
  );
  return { faults, tested };
};

describe('the smoke test of notifications', () => {
  it('passes when the delivery of the test notification to the endpoint is recorded', async () => {
    const others = { ...sent, id: 'm-0', deliveries: [delivery] };

    const { faults, tested } = await look({
      lists: [[], [others, sent], [others, { ...sent, deliveries: [delivery] }]],
    });

    expect(faults).toEqual([]);
    expect(tested).toEqual([{ endpoint_id: 'mine' }]);
  });

  it.each([
    ['does not have what was sent', [], 'the notification is not recorded'],
    [
      'has no delivery of it',
      [{ ...sent, deliveries: [{ ...delivery, endpoint_id: 'other' }] }],
      'no delivery is recorded for https://me.example.com/notify: SNS is still retrying, or does not write its delivery log, or the service does not read this log',
    ],
    [
      'has that the endpoint refused it',
      [{ ...sent, deliveries: [{ ...delivery, status: 'failed', status_code: 404 }] }],
      'https://me.example.com/notify did not accept the test notification: 404',
    ],
  ])('reports a fault when the list of notifications %s', async (_, list, fault) => {
    expect((await look({ lists: [list] })).faults).toEqual([fault]);
  });

  it('reads the list again when it is throttled or unavailable for a moment', async () => {
    const { faults, tested } = await look({
      lists: [429, [sent], 503, [{ ...sent, deliveries: [delivery] }]],
    });

    expect(faults).toEqual([]);
    expect(tested).toEqual([{ endpoint_id: 'mine' }]);
  });

  it.each([
    ['refuses all the time', [503], 503],
    ['refuses for good', [[], 403, [{ ...sent, deliveries: [delivery] }]], 403],
  ])('reports the status of a list that %s', async (_, lists, status) => {
    const { faults } = await look({ lists });

    expect(faults).toEqual([expect.stringMatching(`answered ${status}`)]);
  });

  it.each([
    ['none', [], undefined, 'the application has no confirmed endpoint: subscribe one of your own'],
    [
      'none that is confirmed',
      [{ ...endpoint, state: 'pending' }],
      undefined,
      'the application has no confirmed endpoint: subscribe one of your own',
    ],
    [
      'several',
      [endpoint, { ...endpoint, id: 'other' }],
      undefined,
      'the application has several endpoints: choose one with --endpoint',
    ],
    ['another than is named', [endpoint], 'other', 'the application has no endpoint other'],
    ['the named one not confirmed', [{ ...endpoint, state: 'ended' }], 'mine', 'the endpoint mine is ended'],
  ])('sends nothing when the application has %s', async (_, endpoints, named, fault) => {
    const { faults, tested } = await look({ endpoints, lists: [[]] }, named);

    expect(faults).toEqual([fault]);
    expect(tested).toEqual([]);
  });

  it('sends the test notification to the named endpoint', async () => {
    const { faults, tested } = await look(
      { endpoints: [{ ...endpoint, id: 'other' }, endpoint], lists: [[{ ...sent, deliveries: [delivery] }]] },
      'mine',
    );

    expect(faults).toEqual([]);
    expect(tested).toEqual([{ endpoint_id: 'mine' }]);
  });
});
