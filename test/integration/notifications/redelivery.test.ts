import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpointsNow } from '../../../operator/stage/status/endpoints-now.ts';
import type { EventMessage } from '../../../shared/notifications/messages/message.ts';
import { runRedelivery } from '../../../shared/notifications/redeliver/run-redelivery.ts';
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

describe('what an endpoint is told of its redelivery', () => {
  it('is nothing as soon as the endpoint has accepted a probe and nothing else is undelivered', async () => {
    let isUp = false;
    const world = await aWorld({ id: 'main', answer: () => (isUp ? 200 : 500) });
    await world.change('a');
    await world.pass(10 * minute);
    expect(await world.state('main')).toMatchObject({ state: 'waiting', attempt: 1 });

    isUp = true;
    await world.until(() => world.copies('main').some(({ answer }) => answer === 200));
    // The line about the delivery is recorded a second later.
    await world.pass(2 * second);

    expect(await world.state('main')).toBeUndefined();
  });

  it('is nothing seconds after the last of many copies was accepted', async () => {
    let isUp = false;
    const world = await aWorld({ id: 'main', answer: () => (isUp ? 200 : 500) });
    const subs = Array.from({ length: 45 }, (_, index) => `user-${index}`);
    for (const sub of subs) await world.change(sub);
    await world.pass(30 * minute);

    isUp = true;
    const received = () =>
      new Set(world.heard.filter(({ answer }) => answer === 200).map((each) => each.subject));
    await world.until(() => received().size === 1);
    await world.pass(2 * second);
    expect(await world.state('main')).toMatchObject({ state: 'waiting' });
    await world.until(() => received().size === subs.length);
    await world.pass(8 * second);

    expect(await world.state('main')).toBeUndefined();
    await world.pass(3 * hour);
    expect(world.copies('main').filter(({ answer }) => answer === 200)).toHaveLength(subs.length);
  });

  it('is nothing seconds after all is accepted, and something again after a new failure', async () => {
    let isUp = false;
    const world = await aWorld({ id: 'main', answer: () => (isUp ? 200 : 500) });
    await world.change('a');
    await world.pass(2 * minute);
    isUp = true;
    await world.until(() => world.copies('main').some(({ answer }) => answer === 200));
    await world.pass(2 * second);
    expect(await world.state('main')).toBeUndefined();
    expect((await endpointsNow(world)).undelivered).toEqual([]);

    isUp = false;
    await world.change('b');
    await world.until(() => world.heard.filter(({ subject }) => subject.endsWith('#b')).length === 4);
    await world.pass(2 * second);
    expect(await world.state('main')).toMatchObject({ state: 'waiting' });
    expect((await endpointsNow(world)).undelivered).toMatchObject([{ state: 'waiting' }]);

    isUp = true;
    await world.pass(hour);
    expect(world.copies('main').filter(({ answer }) => answer === 200)).toMatchObject([
      { sub: 'a' },
      { sub: 'b' },
    ]);
    expect(await world.state('main')).toBeUndefined();
  });

  it('is nothing seconds after a replay has sent what would be sent in hours', async () => {
    let isMended = false;
    const world = await aWorld({
      id: 'main',
      answer: (_, subject) => (subject.endsWith('#bad') && !isMended ? 400 : 200),
    });
    await world.change('bad');
    for (let changes = 0; changes < 6; changes++) {
      await world.change('ordinary');
      await world.pass(hour);
    }
    await world.pass(10 * minute);
    const { nextAt = 0 } = (await world.state('main')) ?? {};
    expect(nextAt).toBeGreaterThan(world.clock() + hour);

    isMended = true;
    await world.replay();
    await world.until(() => world.copies('main').some(({ answer }) => answer === 200));
    await world.pass(8 * second);

    expect(await world.state('main')).toBeUndefined();
  });

  it('is its state while the record may lack a message that failed', async () => {
    let isUp = false;
    const late: number[] = [];
    const world = await aWorld({ id: 'main', answer: () => (isUp ? 200 : 500) });
    world.delayNext(() => late.push(1) === 1, 4 * minute);
    await world.change('a');
    await world.pass(90 * second);
    isUp = true;
    await world.change('b');
    while (!world.copies('main').some(({ sub, answer }) => sub === 'a' && answer === 200)) {
      await world.pass(2 * second);
      expect(await world.state('main')).toBeDefined();
    }
    await world.pass(10 * second);

    expect(await world.state('main')).toBeUndefined();
    expect(world.copies('main')).toHaveLength(1);
  });

  it('is its state while one subject is refused and all others are accepted', async () => {
    let isUp = false;
    const world = await aWorld({
      id: 'main',
      answer: (_, subject) => (subject.endsWith('#bad') ? 400 : isUp ? 200 : 500),
    });
    for (const sub of ['a', 'bad', 'b']) await world.change(sub);
    await world.pass(2 * minute);
    isUp = true;
    await world.change('ordinary');
    for (let passed = 0; passed < 3 * hour; passed += 10 * second) {
      await world.pass(10 * second);
      expect(await world.state('main')).toBeDefined();
    }

    expect(world.heard.filter(({ isCopy, answer }) => isCopy && answer === 200)).toHaveLength(2);
  });
});

describe('a redelivery', () => {
  it('handles a failure that is recorded between its last check and its end', async () => {
    let isUp = false;
    const world = await aWorld({ id: 'main', answer: () => (isUp ? 200 : 500) });
    await world.change('a');
    await world.pass(2 * minute);
    isUp = true;
    await world.change('a');
    // The endpoint's success is recorded, and the world's own worker has not come yet.
    await world.pass(1_050);
    const worker = world.newWorker();
    let ends = 0;
    const end: typeof worker.redeliveries.end = async (read) => {
      ends += 1;
      isUp = false;
      await world.change('late');
      await world.pass(2 * minute);
      return worker.redeliveries.end(read);
    };
    const outcome = await runRedelivery(
      { ...worker, redeliveries: { ...worker.redeliveries, end } },
      { applicationId: 'club', id: 'main', holder: 'w', until: Number.POSITIVE_INFINITY },
    );

    expect(ends).toBe(1);
    expect(outcome).toBe('ended');
    expect(await world.state('main')).toBeDefined();
    isUp = true;
    await world.pass(hour);
    expect(world.copies('main').at(-1)).toMatchObject({ sub: 'late', answer: 200 });
  });
});
