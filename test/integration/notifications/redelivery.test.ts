import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventMessage } from '../../../shared/notifications/message.ts';
import { runRedelivery } from '../../../shared/notifications/run-redelivery.ts';
import { deliveryWorld, living, type SimulatedEndpoint } from '../../support/notifications/delivery-world.ts';
import { createTables, startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

let database: TestDatabase;
beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database.stop());

let worlds = 0;
const aWorld = async (...endpoints: readonly SimulatedEndpoint[]) => {
  const tables = await createTables(database, ['Notifications', 'Endpoints'], `world-${++worlds}`);
  const world = deliveryWorld({ client: database.documents, tables });
  for (const endpoint of endpoints) await world.subscribe(endpoint);
  return world;
};

describe('an endpoint that fails', () => {
  it('is probed with one message at growing intervals, and receives each subject once when it works again', async () => {
    let isUp = false;
    const world = await aWorld(living, { id: 'main', answer: () => (isUp ? 200 : 500) });
    for (const sub of ['a', 'b', 'c', 'a']) {
      await world.change(sub);
      await world.pass(second);
    }
    await world.pass(3 * hour);
    expect(await world.state('main')).toMatchObject({ state: 'waiting', attempt: 3 });
    // SNS tries each probe four times within a minute.
    const probes = world.copies('main');
    expect(probes.map(({ minutes }) => minutes)).toEqual([7, 7, 8, 8, 39, 39, 40, 40, 161, 161, 162, 162]);
    expect(new Set(probes.map(({ sub }) => sub)).size).toBe(3);

    isUp = true;
    await world.pass(6 * hour);

    const delivered = world.copies('main').slice(probes.length);
    expect(delivered.map(({ sub }) => sub).sort()).toEqual(['a', 'b', 'c']);
    expect(await world.state('main')).toBeUndefined();
    expect(world.copies('living')).toEqual([]);
    expect(world.told.filter(({ code }) => code === 'ENDPOINT_BEGINS_TO_FAIL')).toHaveLength(1);
  });

  it('receives the newest message about each event that it missed, and once that many have changed', async () => {
    let isUp = false;
    const world = await aWorld({
      id: 'main',
      answer: () => (isUp ? 200 : 500),
      operationTypes: ['event_update'],
    });
    const tell = async (message: Pick<EventMessage, 'change' | 'eventId' | 'status'>): Promise<void> => {
      const dateTime = `${new Date(world.clock()).toISOString().slice(0, -1)}000`;
      const about = { operationType: 'event_update', dateTime, ...message } as const;
      await world.topic.publish([{ applicationId: 'club', message: about }]);
      await world.pass(second);
    };
    await tell({ change: 'status', eventId: 'final', status: 'LIVE' });
    await tell({ change: 'created', eventId: 'derby', status: 'UPCOMING' });
    await tell({ change: 'status', eventId: 'final', status: 'FINISHED' });
    const newest = world.clock() - second;
    for (let turn = 0; turn < 2; turn += 1) await tell({ change: 'many' });
    await world.pass(3 * hour);

    isUp = true;
    await world.pass(6 * hour);

    const received = world.heard.filter(({ isCopy, answer }) => isCopy && answer === 200);
    expect(received.map(({ subject }) => subject).sort()).toEqual([
      'event_update',
      'event_update#derby',
      'event_update#final',
    ]);
    const final = received.find(({ subject }) => subject === 'event_update#final');
    expect(Date.parse(`${final?.dateTime.slice(0, 23)}Z`)).toBe(newest);
    expect(await world.state('main')).toBeUndefined();
  });

  it('receives what it missed as soon as it accepts a new message', async () => {
    let isUp = false;
    const world = await aWorld({ id: 'main', answer: () => (isUp ? 200 : 500) });
    for (const sub of ['a', 'b']) await world.change(sub);
    await world.pass(4 * hour);
    const probed = world.copies('main').length;

    isUp = true;
    await world.change('c');
    await world.pass(2 * minute);

    expect(
      world
        .copies('main')
        .slice(probed)
        .map(({ sub }) => sub)
        .sort(),
    ).toEqual(['a', 'b']);
    await world.pass(hour);
    expect(await world.state('main')).toBeUndefined();
    expect(world.copies('main').slice(probed)).toHaveLength(2);
  });
});

describe('a redelivery', () => {
  it('handles a failure that is recorded between its last check and its end', async () => {
    let isUp = false;
    const world = await aWorld({ id: 'main', answer: () => (isUp ? 200 : 500) });
    await world.change('a');
    await world.pass(2 * minute);
    isUp = true;
    await world.change('b');
    await world.pass(3 * minute);
    // Everything is delivered. The time passes until just before the check that ends the redelivery.
    const { nextAt = 0 } = (await world.state('main')) ?? {};
    await world.runUntil(nextAt - second);
    const worker = world.newWorker();
    isUp = false;
    const clear: typeof worker.redeliveries.clear = async (walk) => {
      await world.change('late');
      await world.pass(2 * minute);
      return worker.redeliveries.clear(walk);
    };
    await world.pass(2 * second);
    const outcome = await runRedelivery(
      { ...worker, redeliveries: { ...worker.redeliveries, clear } },
      {
        applicationId: 'club',
        id: 'main',
        dueAt: nextAt,
        walk: 'last',
        holder: 'w',
        until: Number.POSITIVE_INFINITY,
      },
    );

    expect(outcome).toBe('ended');
    expect(await world.state('main')).toBeDefined();
    isUp = true;
    await world.pass(hour);
    expect(world.copies('main').at(-1)).toMatchObject({ sub: 'late', answer: 200 });
  });
});
