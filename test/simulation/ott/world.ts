import { dynamoDbCatalogue } from '../../../shared/ott/store/catalogue.ts';
import { anEvent, anOttApplication } from '../../support/ott/builders.ts';
import { worldsOf } from '../frame.ts';
import { plainClient } from '../plain-client.ts';
import { createStore } from '../store.ts';
import { between, oneOf } from '../streams.ts';
import { createInvariants } from './invariants.ts';
import { createPages, type Page, sessionId, sessionLeaseMilliseconds } from './pages.ts';
import { createStreaming, environment } from './service.ts';
import { tables } from './tables.ts';

const minute = 60_000;
const events = ['final', 'semi-final', 'always'] as const;
const clients = ['web', 'other-web'] as const;

/** A world of viewers who play on more screens than they may, and of operators who close streams. */
export const runWorld = worldsOf('sessions', (frame) => {
  const { scheduler, streams, faults, history, startsAt, onViolation, isAsked, sleep } = frame;
  const surroundings = { scheduler, streams, history, faults };
  const shape = streams.of('world');
  const store = createStore(tables, { now: scheduler.now });
  const catalogue = dynamoDbCatalogue({ client: plainClient(store), tableName: environment.EVENTS_TABLE });
  const eventOf = (id: string) =>
    anEvent({
      id,
      access: 'paid',
      stream: { type: 'hls', url: `https://streams.example.com/${id}/index.m3u8` },
    });
  const applications = [
    anOttApplication({ streams_at_once: between(shape, 1, 3) }),
    anOttApplication({ streams_at_once: between(shape, 1, 2) }, 'other'),
  ];
  const applicationOf = (client: string): string =>
    applications.find(({ clientIds }) => clientIds.includes(client))?.id ?? '';
  const putApplication = (application: (typeof applications)[number]): void => {
    const TableName = environment.APPLICATIONS_TABLE;
    const { id, clientIds } = application;
    store.put({ TableName, Item: { pk: `APPLICATION#${id}`, ...application } });
    for (const client of clientIds)
      store.put({ TableName, Item: { pk: `CLIENT#${client}`, application_id: id } });
  };
  for (const application of applications) putApplication(application);

  const activeMilliseconds = between(shape, 2 * minute, 20 * minute);
  const users = between(shape, 1, 2);
  const shared = sessionId(shape);
  const sharing = shape() < 0.2;
  const limits = new Map(applications.map(({ id, ott }) => [id, Number(ott.streams_at_once)]));
  const invariants = createInvariants({
    store,
    faults,
    now: scheduler.now,
    limits,
    applicationOf,
    isShared: (session) => session === shared,
    onViolation,
  });
  const service = createStreaming({ ...surroundings, store });
  const pages = createPages({ ...surroundings, ...invariants, service, sleep });
  let playing = 0;

  const hasBurst = shape() < 0.3;
  for (let id = 1; id <= between(shape, 2, 9); id += 1) {
    const own = streams.of(`workload of page ${id}`);
    const page: Page = {
      id,
      user: `user-${between(own, 1, users)}`,
      session: sharing && own() < 0.5 ? shared : sessionId(own),
      client: own() < 0.8 ? 'web' : 'other-web',
      event: oneOf(own, events),
      nextEvent: own() < 0.2 ? oneOf(own, events) : undefined,
      takesOver: own() < 0.4,
      plays: between(own, minute, activeMilliseconds),
    };
    if (!isAsked(`page ${id}`)) continue;
    const at = hasBurst ? between(own, 0, 500) : between(own, 0, activeMilliseconds);
    scheduler.at(startsAt + at, () => {
      playing += 1;
      void pages.play(page).then(() => {
        playing -= 1;
      });
    });
  }

  const close = async (which: number): Promise<void> => {
    const random = streams.of(`close ${which}`);
    if (random() < 0.5) {
      const id = oneOf(random, ['final', 'semi-final']);
      const before = await catalogue.findStored(id);
      if (before === undefined) return;
      await catalogue.write([{ before, after: { ...before.event, status: 'CANCELLED' } }]);
      history.say('operator', `cancels ${id}`);
      invariants.onClosed(id, false);
      return;
    }
    const [application, other] = applications;
    const closed = random() < 0.5 ? application : other;
    if (closed === undefined) return;
    const geoblocking = { enabled: true, mode: 'block', countries: ['DE'] } as const;
    putApplication({ ...closed, ott: { ...closed.ott, geoblocking } });
    history.say('operator', `blocks ${closed.id}`);
    for (const client of clients)
      if (applicationOf(client) === closed.id) invariants.onClosed(`client ${client}`, true);
  };
  const isReady = catalogue.write(events.map((id) => ({ after: eventOf(id) })));
  if (shape() < 0.3 && isAsked('close 1')) {
    scheduler.at(
      startsAt + between(shape, minute, activeMilliseconds),
      () => void isReady.then(() => close(1)),
    );
  }

  return {
    activeMilliseconds,
    recover: () => {},
    comeToRest: async () => {
      // Every page has stopped, and every lease has ended, also by a clock that is behind.
      while (playing > 0) await sleep(minute);
      await sleep(sessionLeaseMilliseconds + 2 * minute);
    },
    unfinished: () => [],
    checkAll: async () => {
      for (const application of applications) putApplication(application);
      await sleep(minute);
      const [client] = clients;
      const limit = limits.get(applicationOf(client)) ?? 0;
      for (let user = 1; user <= users; user += 1) {
        const pageOf = (index: number): Page => ({
          id: 100 * user + index,
          user: `user-${user}`,
          session: sessionId(streams.of(`last page ${user}.${index}`)),
          client,
          event: 'always',
          nextEvent: undefined,
          takesOver: false,
          plays: 0,
        });
        for (let index = 1; index <= limit; index += 1) {
          const code = await pages.tryOnce(pageOf(index));
          if (code !== undefined)
            onViolation(`user-${user} has no stream, and stream ${index} of ${limit} gets ${code}`);
        }
        const beyond = await pages.tryOnce(pageOf(limit + 1));
        if (beyond !== 'TOO_MANY_STREAMS')
          onViolation(`user-${user} has ${limit} streams, and one more gets ${beyond}`);
      }
    },
  };
});
