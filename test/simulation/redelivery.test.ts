import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { deliveryWorld, living, type SimulatedEndpoint } from '../support/notifications/delivery-world.ts';
import { aLadder } from '../support/notifications/recording.ts';
import { remedy } from '../support/platform/remedy.ts';
import { besideTraffic } from './redelivery/beside-traffic.ts';
import { corners } from './redelivery/corners.ts';
import faults from './redelivery/planted-faults.json' with { type: 'json' };
import { redeliveryStore, tables } from './redelivery/redelivery-store.ts';
import { twentyDays } from './redelivery/twenty-days.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

const aWorld = async (...endpoints: readonly SimulatedEndpoint[]) => {
  let now = () => 0;
  const { client } = redeliveryStore({ now: () => now(), indexLag: () => 0 });
  const world = deliveryWorld({ client, tables });
  now = world.clock;
  for (const endpoint of endpoints) await world.subscribe(endpoint);
  return world;
};

describe('an endpoint that fails for longer than all retries of a redelivery', () => {
  it('is paused with one log event, and receives everything after it accepts a test notification', async () => {
    let isUp = false;
    const world = await aWorld(living, { id: 'main', answer: () => (isUp ? 200 : 500) });
    for (const sub of ['a', 'b']) await world.change(sub);
    await world.pass(15 * 24 * hour);

    expect(await world.state('main')).toMatchObject({ state: 'paused', attempt: 31, nextAt: undefined });
    const probes = new Set(world.heard.filter(({ isCopy }) => isCopy).map(({ messageId }) => messageId));
    expect(probes.size).toBe(31);
    const paused = () => world.told.filter(({ code }) => code === 'REDELIVERY_PAUSED');
    expect(paused()).toHaveLength(1);

    isUp = true;
    await world.pass(24 * hour);
    expect(await world.state('main')).toMatchObject({ state: 'paused' });
    const probed = world.copies('main').length;
    remedy('redelivery-is-paused');
    await world.test('main');
    await world.pass(3 * minute);

    expect(
      world
        .copies('main')
        .slice(probed)
        .map(({ sub }) => sub)
        .sort(),
    ).toEqual(['a', 'b']);
    await world.pass(hour);
    expect(await world.state('main')).toBeUndefined();
    expect(paused()).toHaveLength(1);
  });
});

describe('an endpoint that rejects one subject', () => {
  it('receives all other subjects once, and the rejected one with growing pauses despite other traffic', async () => {
    let isUp = false;
    const world = await aWorld({
      id: 'main',
      answer: (_, subject) => (subject.endsWith('#bad') ? 400 : isUp ? 200 : 500),
    });
    for (const sub of ['a', 'b', 'c', 'bad']) await world.change(sub);
    await world.pass(2 * minute);
    isUp = true;
    for (let minutes = 0; minutes < 2 * 24 * 60; minutes += 20) {
      await world.change(`ordinary-${minutes}`);
      await world.pass(20 * minute);
    }

    const copies = world.copies('main');
    expect(
      copies
        .filter(({ answer }) => answer === 200)
        .map(({ sub }) => sub)
        .sort(),
    ).toEqual(['a', 'b', 'c']);
    // In two days, the ladder has eight steps. A refusal looks like an outage until a message is accepted, so each step
    // may send a probe.
    const refused = copies.filter(({ sub }) => sub === 'bad').length;
    expect(refused).toBeGreaterThanOrEqual(7);
    expect(refused).toBeLessThanOrEqual(16);
    expect(await world.state('main')).toMatchObject({ state: 'waiting' });
  });

  it('receives the other subjects without other traffic, because each probe is about another subject', async () => {
    const world = await aWorld({
      id: 'main',
      answer: (at, subject) => (subject.endsWith('#bad') ? 400 : at < begun + 2 * minute ? 500 : 200),
    });
    const begun = world.time.now;
    for (const sub of ['a', 'b', 'bad']) {
      await world.change(sub);
      await world.pass(second);
    }
    await world.pass(2 * hour);

    const accepted = world.copies('main').filter(({ answer }) => answer === 200);
    expect(accepted.map(({ sub }) => sub).sort()).toEqual(['a', 'b']);
  });
});

describe('a subject that an endpoint has refused for all retries', () => {
  it('is sent by a replay of what failed and not by a test, and then nothing is undelivered', async () => {
    let isMended = false;
    let now = () => 0;
    const { client } = redeliveryStore({ now: () => now(), indexLag: () => 0 });
    const world = deliveryWorld({
      client,
      tables,
      ladder: aLadder({ steps: [5 * minute, 30 * minute, 2 * hour] }),
    });
    now = world.clock;
    await world.subscribe({
      id: 'main',
      answer: (_, subject) => (subject.endsWith('#bad') && !isMended ? 400 : 200),
    });
    await world.change('bad');
    for (let hours = 0; hours < 12; hours++) {
      await world.change(`ordinary-${hours}`);
      await world.pass(hour);
    }
    expect(await world.state('main')).toMatchObject({ state: 'paused' });
    const copies = () => world.copies('main').map(({ sub, answer }) => [sub, answer]);
    const given = copies().length;

    isMended = true;
    await world.test('main');
    await world.pass(hour);
    expect(copies()).toHaveLength(given);
    remedy('redelivery-is-paused');
    await world.replay();
    await world.pass(3 * hour);

    expect(copies().slice(given)).toEqual([['bad', 200]]);
    expect(await world.state('main')).toBeUndefined();
  });

  it('is not sent without end after its endpoint was removed during an outage and added again', async () => {
    let isUp = true;
    let now = () => 0;
    const { client } = redeliveryStore({ now: () => now(), indexLag: () => 0 });
    const world = deliveryWorld({
      client,
      tables,
      faults: { recordDelay: (of) => (of === 'failure' ? 25 : 3) * second },
    });
    now = world.clock;
    await world.subscribe({
      id: 'main',
      answer: (_, subject) => (!isUp ? 500 : subject.endsWith('#bad') ? 400 : 200),
    });
    isUp = false;
    await world.change('a');
    await world.pass(10 * minute);
    const { applicationId, id, destination, isEnveloped, operationTypes, createdAt } =
      await world.endpoint('main');
    await world.endpoints.remove({ applicationId, id, at: world.clock() });
    isUp = true;
    await world.endpoints.save({ applicationId, id, destination, isEnveloped, operationTypes, createdAt });
    await world.change('bad');
    for (let passed = 0; passed < 3 * hour; passed += 10 * second) {
      await world.change(`ordinary-${passed % minute}`);
      await world.pass(10 * second);
    }

    // At first, and after five minutes, half an hour and two hours.
    expect(world.copies('main').filter(({ sub }) => sub === 'bad').length).toBeLessThanOrEqual(4);
  });
});

describe('a redelivery', () => {
  it('includes a message that is recorded after its failure', async () => {
    const late: number[] = [];
    let isUp = false;
    const world = await aWorld({ id: 'main', answer: () => (isUp ? 200 : 500) });
    world.delayNext(() => late.push(1) === 1, 40 * minute);
    await world.change('a');
    await world.pass(2 * minute);
    isUp = true;
    await world.pass(3 * hour);

    expect(world.copies('main')).toMatchObject([{ sub: 'a', answer: 200 }]);
    expect(await world.state('main')).toBeUndefined();
  });

  it("takes none of the customer's places for replays, and waits while a replay runs", async () => {
    let isUp = false;
    const world = await aWorld({ id: 'main', answer: () => (isUp ? 200 : 500) });
    for (let sub = 0; sub < 30; sub++) await world.change(`user-${sub}`);
    await world.pass(3 * minute);
    isUp = true;
    await world.replay();
    await world.change('ordinary');
    await world.pass(hour);

    expect(world.copies('main')).toHaveLength(30);
    expect(await world.replays.opened('club')).toEqual([]);
    expect(await world.state('main')).toBeUndefined();
  });

  it('stops for an ended subscription, and continues after a new confirmation', async () => {
    let isUp = false;
    const world = await aWorld({ id: 'main', answer: () => (isUp ? 200 : 500) });
    await world.change('a');
    await world.pass(2 * minute);
    world.unsubscribe('main');
    isUp = true;
    await world.pass(15 * 24 * hour);
    expect(world.copies('main')).toEqual([]);
    expect(world.told.filter(({ code }) => code === 'REDELIVERY_PAUSED')).toEqual([]);

    world.resubscribe('main');
    await world.test('main');
    await world.pass(hour);
    expect(world.copies('main')).toMatchObject([{ sub: 'a', answer: 200 }]);
  });
});

describe('the simulated weeks of a redelivery', () => {
  it.each([1, 2])('lose no notification and send no superfluous one: seed %i', async (seed) => {
    const { violations, kills } = await twentyDays({ seed, changes: 300, days: 7, withFaults: true });

    expect(violations).toEqual([]);
    expect(kills).toBeGreaterThan(0);
  });

  it('soon tell customers of no redelivery any more, if nothing fails in the service', async () => {
    expect((await twentyDays({ seed: 1, changes: 300, days: 7 })).violations).toEqual([]);
  });

  it.each([1, 2, 3])(
    'deliver what fails beside traffic, although a subject was given up: seed %i',
    async (seed) => {
      expect((await besideTraffic({ seed })).violations).toEqual([]);
    },
  );

  it.each([1, 2, 3])('hold in every corner: seed %i', async (seed) => {
    expect((await corners({ seed })).violations).toEqual([]);
  });

  it('detect each planted fault', async () => {
    const command = fileURLToPath(new URL('redelivery/find-planted.ts', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, ['--max-semi-space-size=32', command]);

    const told = stdout.split('\n').filter((line) => / found/.test(line));
    expect(told).toHaveLength(faults.length);
    for (const line of told) expect(line).toMatch(/: found by world \d+: /);
  });
});
