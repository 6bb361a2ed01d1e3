import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteEvent } from '../../../shared/ott/catalogue/delete-event.ts';
import { allSessions } from '../../../shared/ott/store/sessions.ts';
import { anEvent } from '../../support/ott/builders.ts';
import {
  boundSeconds,
  type OttRelease,
  type OttWorld,
  oldEvents,
  sessionOf,
  sessionSeconds,
  startOttWorld,
  streamOf,
  ticketContract,
} from '../../support/ott/release-writes.ts';
import { startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';
import { moved, play, releaseOf } from '../../support/platform/release-writes.ts';

const release = releaseOf<OttRelease>(readFileSync(new URL('last-release.json', import.meta.url), 'utf8'));

let database: TestDatabase;
let world: OttWorld;

beforeAll(async () => {
  database = await startDatabase();
  world = await startOttWorld(database);
});
afterAll(() => database.stop());

const isNew = ({ event_id }: { readonly event_id: string }) => event_id.startsWith('new-');

const newContract = '0x8888888888888888888888888888888888888888';

const newEvent = (index: number) =>
  anEvent({ id: `new-${index}`, access: 'paid', categories: ['cup'], stream: streamOf(`new-${index}`) });

describe('a stage with events and viewers of the release before', () => {
  it('loses nothing of them while functions of that release still write beside new ones', async () => {
    const { calls, events, voidTickets, sessions, outages, state, wallets } = world;
    const { clock, time } = wallets;
    const move = { from: release.startedAt, to: time.now, tables: world.tables };
    const at = (seconds: number) => new Date(move.to + seconds * 1_000).toISOString();

    const errors: unknown[] = [];
    const answered = async (call: Promise<{ readonly status: number; readonly body: unknown }>) => {
      const { status, body } = await call;
      if (status >= 500) errors.push(body);
      return { status, body };
    };
    let isPlayed = false;
    const callNew = async (): Promise<number> => {
      let made = 0;
      do {
        const event = newEvent(made);
        const viewer = event.id;
        expect(await world.importFile([event])).toMatchObject([{ outcome: 'created' }]);
        for (const letter of ['a', 'b']) {
          const playing = world.play(viewer, letter, { eventId: event.id });
          expect(await answered(playing)).toMatchObject({ status: 200 });
        }
        await answered(world.end(viewer, 'b', event.id));
        await voidTickets.add({ contract: newContract, tokenId: String(made), voidedAt: clock() });
        await outages.report({ service: 'geolocation', at: clock() });
        await answered(world.play(`${viewer}-of-old`, 'a'));
        made += 1;
      } while (!isPlayed);
      return made;
    };
    const readOldOn = async () => {
      while (!isPlayed) {
        await world.lists();
        for (const { id } of oldEvents(move.to)) await answered(calls.get(id, { sourceIp: '203.0.113.2' }));
        await sessions.find('anna');
        await voidTickets.ofContracts([ticketContract]);
      }
    };
    const playOld = async () => {
      try {
        for (const write of release.writes) await play(database.documents, write, move);
      } finally {
        isPlayed = true;
      }
    };

    const [made] = await Promise.all([callNew(), readOldOn(), playOld()]);

    // The catalogue.
    const listsOfOld = async () => (await world.lists()).map((list) => list.filter((each) => !isNew(each)));
    expect(await listsOfOld()).toEqual(moved(release.lists, move));
    for (const { id, status } of oldEvents(move.to)) {
      const playing = answered(world.play(`fan-of-${id}`, 'a', { eventId: id }));
      expect(await playing).toMatchObject({ status: status === 'FINISHED' ? 404 : 200 });
    }

    // Viewers, while neither the entitlement service nor the chain answers.
    Object.assign(state, { isOut: true, isChainOut: true });
    const granted = { status: 200, body: { expires_at: at(boundSeconds) } };
    expect(await world.play('anna', 'b')).toMatchObject(granted);
    expect(await world.play('tina', 'a')).toMatchObject(granted);
    for (const viewer of ['berta', 'carl']) {
      expect(await world.play(viewer, 'a')).toMatchObject({ body: { message: 'ENTITLEMENT_UNAVAILABLE' } });
    }
    state.isOut = false;
    expect(await world.play('tina', 'a')).toMatchObject(granted);
    state.isChainOut = false;
    expect(await outages.find('entitlement')).toEqual({
      service: 'entitlement',
      since: move.to - 5,
      lastAt: move.to,
      answeredAt: 0,
    });

    // Sessions.
    const counted = new Map<string, unknown>();
    for await (const { userSub, sessions: own } of allSessions({
      client: database.documents,
      tableName: world.tables.Sessions,
    })) {
      counted.set(userSub, own.today);
    }
    const day = at(0).slice(0, 10);
    const addresses = [expect.any(String)];
    const applicationIds = ['fan-app'];
    expect(counted.get('anna')).toEqual({
      day,
      applicationIds,
      begun: 3,
      ended: 0,
      takenOver: 1,
      refused: 0,
      addresses,
    });
    expect(counted.get('dave')).toEqual({
      day,
      applicationIds,
      begun: 1,
      ended: 1,
      takenOver: 0,
      refused: 0,
      addresses,
    });
    time.now += 200_000;
    expect(await answered(world.play('anna', 'd'))).toMatchObject({
      body: {
        message: 'TOO_MANY_STREAMS',
        sessions: [{ session: sessionOf('b') }, { session: sessionOf('c') }],
      },
    });
    // A page that has lost its continuation gets another one, and renews with it.
    const kept = await answered(world.play('anna', 'b'));
    expect(kept).toMatchObject({
      status: 200,
      body: { expires_at: at(sessionSeconds), continuation: expect.any(String) },
    });
    const { continuation } = kept.body as { readonly continuation: string };
    expect(await answered(world.play('anna', 'b', { continuation }))).toMatchObject({
      status: 200,
      body: { expires_at: at(200 + sessionSeconds) },
    });
    const isTakenOver = { body: { message: 'SESSION_ENDED' } };
    expect(await answered(world.play('anna', 'a'))).toMatchObject(isTakenOver);
    for (const [next, former] of [
      ['d', 'c'],
      ['e', 'd'],
    ] as const) {
      const taking = world.play('anna', next, { take_over: sessionOf(former) });
      expect(await answered(taking)).toMatchObject({ status: 200 });
      expect(await answered(world.play('anna', former))).toMatchObject(isTakenOver);
    }
    expect(await answered(world.play('anna', 'f', { take_over: sessionOf('e') }))).toMatchObject({
      body: { message: 'TOO_MANY_SESSION_CHANGES' },
    });

    // Void tickets.
    const old = { contract: ticketContract, tokenId: '7' } as const;
    expect(await voidTickets.ofContracts([ticketContract])).toEqual(
      new Map([[ticketContract, [{ ...old, voidedAt: move.to }]]]),
    );
    expect(await voidTickets.add({ ...old, voidedAt: clock() })).toMatchObject({ voidedAt: move.to });
    state.heldToken = '7';
    expect(await answered(world.play('tina', 'a'))).toMatchObject({ body: { message: 'PURCHASE_REQUIRED' } });
    expect(await voidTickets.remove(old)).toBe(true);
    time.now += 15_000;
    expect(await answered(world.play('tina', 'a'))).toMatchObject({ status: 200 });

    // Imports, which continue with the old catalogue.
    const file = oldEvents(move.to);
    const outcomes = await world.importFile(file);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(file.map(() => 'unchanged'));
    const beside = anEvent({ id: 'beside', stream: { type: 'hls', url: `${streamOf('final').url}/a.m3u8` } });
    expect(await world.importFile([beside])).toMatchObject([{ outcome: 'refused' }]);
    const changed = file.map((event) => ({ ...event, status: 'FINISHED', categories: ['cup'] }) as const);
    expect(await world.importFile(changed)).toMatchObject(file.map(() => ({ outcome: 'changed' })));
    await deleteEvent({ catalogue: events, clock }, { id: 'derby' });
    const [, cupInSwitzerland, , , , everywhere, cup, football, live, paid] = (await listsOfOld()).map(
      (list) => list.map(({ event_id }) => event_id),
    );
    const left = ['match', 'lifted', 'final'];
    const notInFile = ['scheduled-by-hand', 'scheduled'];
    // The status of `whole` was set by hand, so the import keeps it: it is LIVE, and blocked in Switzerland.
    expect([cupInSwitzerland, everywhere, cup, football, live, paid]).toEqual([
      left,
      ['match', ...notInFile, 'lifted', 'final', 'whole'],
      [...left, 'whole'],
      notInFile,
      ['scheduled', 'whole'],
      ['final', 'whole'],
    ]);

    // What the new functions wrote in the meantime.
    const ids = Array.from({ length: made }, (_, index) => newEvent(index).id);
    const [newest = []] = (await world.lists()).slice(6).map((list) => list.filter(isNew));
    expect(newest.map(({ event_id }) => event_id).sort()).toEqual(ids.toSorted());
    for (const id of ids) {
      expect(await answered(world.play(`fan-of-${id}`, 'a', { eventId: id }))).toMatchObject({ status: 200 });
      expect(counted.get(id)).toMatchObject({ begun: 2, ended: 1 });
    }
    const voids = (await voidTickets.ofContracts([newContract])).get(newContract) ?? [];
    expect(voids.map(({ tokenId }) => tokenId).sort()).toEqual(ids.map((_, index) => String(index)).sort());
    expect(await outages.find('geolocation')).toMatchObject({ since: move.to });
    expect(errors).toEqual([]);
  });
});
