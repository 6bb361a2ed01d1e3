import { eventRecordSchema } from '../../../shared/ott/events/event-record.ts';
import { dynamoDbCatalogue } from '../../../shared/ott/store/catalogue.ts';
import { anEvent, anOttApplication } from '../../support/ott/builders.ts';
import { anApplication } from '../../support/platform/applications.ts';
import { worldsOf } from '../frame.ts';
import { createStreaming } from '../ott/service.ts';
import { lagAtMost } from '../past.ts';
import { plainClient } from '../plain-client.ts';
import { createStore } from '../store.ts';
import { between } from '../streams.ts';
import { createAnswers } from './answers.ts';
import { createEditors } from './editors.ts';
import { ruleOf } from './known-events.ts';
import { createLedger } from './ledger.ts';
import { createPathHistory } from './path-histories.ts';
import { createPathIncidents, storeLater } from './path-incidents.ts';
import { checkStored } from './quiet.ts';
import { createCatalogue, environment, tables } from './service.ts';
import { createTold } from './told.ts';
import { countryOf, createViewers, entitlementOf } from './viewers.ts';
import { clients, countries, createWorkload, editors, type Question, questionOf } from './workload.ts';

const minute = 60_000;

/** Faults that make nobody send a message again. */
const harmless = /^(?:database: (?:index lags|slow|batch)|schedule:|stream: late|caller:|process: clock)/;

/** A world of editors who change events, of schedules, of viewers, and of applications that hear of events. */
export const runWorld = worldsOf('catalogue', (frame) => {
  const { scheduler, streams, faults, history, startsAt, onViolation, isAsked, sleep } = frame;
  const surroundings = { scheduler, streams, history, faults };
  const store = createStore(tables, { now: scheduler.now });
  const workload = createWorkload(streams, startsAt);
  const { file, stopped } = workload;
  const paths = createPathHistory(streams, startsAt);
  const { history: pathHistory } = paths;
  const put = (TableName: string, Item: object): void => void store.put({ TableName, Item: { ...Item } });
  const { web, tv } = clients;
  const ottOf = ({ shown, block }: (typeof clients)[keyof typeof clients]) => ({
    rules: [{ id: 'shown', enabled: true, statuses: [...shown] }],
    ...(block.countries.length > 0 && { geoblocking: ruleOf(block) as never }),
  });
  const applications = [
    { ...anOttApplication(ottOf(web), 'one'), clientIds: ['web'] },
    { ...anOttApplication(ottOf(tv), 'two'), clientIds: ['tv'] },
    { ...anOttApplication({}, 'three'), clientIds: [] },
    ...editors.map((id) => anApplication({ id, kind: 'editor', apiKeyIds: [`key-${id}`], clientIds: [] })),
  ];
  for (const { id, apiKeyIds, clientIds, ...application } of applications) {
    put(environment.APPLICATIONS_TABLE, {
      pk: `APPLICATION#${id}`,
      id,
      apiKeyIds,
      clientIds,
      ...application,
    });
    for (const key of apiKeyIds)
      put(environment.APPLICATIONS_TABLE, { pk: `API_KEY#${key}`, application_id: id });
    for (const client of clientIds)
      put(environment.APPLICATIONS_TABLE, { pk: `CLIENT#${client}`, application_id: id });
  }
  const hearing = [
    { applicationId: 'one', shown: web.shown, isSubscribed: true },
    { applicationId: 'two', shown: tv.shown, isSubscribed: true },
    { applicationId: 'three', shown: [], isSubscribed: false },
  ];
  for (const { applicationId, isSubscribed } of hearing) {
    put(environment.ENDPOINTS_TABLE, {
      application_id: applicationId,
      endpoint_id: 'endpoint-1',
      destination: `https://${applicationId}.example.com/`,
      is_enveloped: false,
      operation_types: [isSubscribed ? 'event_update' : 'data_update'],
      created_at: startsAt,
    });
  }

  const orders: Parameters<typeof createEditors>[0]['orders'] = new Map();
  const later = pathHistory?.kind === 'later release' ? pathHistory.later : undefined;
  if (later !== undefined) storeLater(store, later, startsAt);
  const signedFrom = startsAt + (pathHistory?.kind === 'signing' ? pathHistory.from : 0);
  const isSigned = () => scheduler.now() >= signedFrom;
  const catalogue = createCatalogue({
    ...surroundings,
    store,
    signing: () => (isSigned() ? 'cookies' : 'none'),
    onAccepted: (message) => told.onAccepted(message),
  });
  const ledger = createLedger({
    store,
    now: scheduler.now,
    soon: (act) => scheduler.at(scheduler.now(), act),
    runs: catalogue.runs,
    commandOf: (task) => orders.get(task.split(',')[0] ?? '') ?? { command: { kind: 'schedule' } },
    file,
    taskWithoutToken: () => (orders.has('restore') ? 'restore, try 1' : undefined),
    pathHistory,
    startsAt,
    isApart: () => faults.struck.some((fault) => fault.startsWith('process: clock apart')),
    onViolation,
  });
  const told = createTold({
    ledger,
    hearing,
    now: scheduler.now,
    mayRepeat: () => faults.struck.some((fault) => !harmless.test(fault)),
    onViolation,
  });
  const answers = createAnswers(ledger, { later, signedFrom, onViolation });
  const service = createStreaming({ ...surroundings, store, countryOf, entitlementOf, isSigned });
  const viewers = createViewers({ ...surroundings, service, answers });
  const editing = createEditors({
    ...surroundings,
    catalogue,
    ledger,
    orders,
    file,
    pathHistory,
    sleep,
    onViolation,
  });

  const initial = dynamoDbCatalogue(
    { client: plainClient(store), tableName: environment.EVENTS_TABLE },
    { by: 'operator', clock: scheduler.now },
  );
  const isReady = initial.recentPaths(['streams.example.com']).then((paths) =>
    initial.write(
      file.map((record) => ({ after: anEvent(eventRecordSchema.parse(record)) })),
      paths,
    ),
  );

  let working = 0;
  const begin = (at: number, work: () => Promise<void>): void =>
    scheduler.at(startsAt + at, () => {
      working += 1;
      void isReady.then(work).finally(() => {
        working -= 1;
      });
    });
  for (const action of [...workload.actions, ...paths.actions])
    if (isAsked(`action ${action.id}`)) begin(action.at, () => editing.act(action));
  for (const question of [...workload.questions, ...paths.questions])
    if (isAsked(`question ${question.id}`))
      begin(question.at, () => viewers.ask(question, `question ${question.id}`));

  createPathIncidents({ store, ledger, editing, pathHistory, isAsked, begin });

  let minutes = 0;
  const everyMinute = (): void => {
    minutes += 1;
    const task = `schedule ${minutes}`;
    const isStopped = scheduler.now() < startsAt + stopped && !faults.haveEnded();
    if (!isStopped && !faults.strike('schedule: missed', task))
      void catalogue.apply(task).catch((error: unknown) => history.say(task, String(error)));
    // Some ask while the indexes do not have yet what the function stores.
    const own = streams.of(`viewer after ${task}`);
    if (own() < 0.3 && !faults.haveEnded() && isAsked(`viewer after ${task}`)) {
      const question: Question = { ...questionOf(own), id: 2_000 + minutes, at: 0, call: 'list' };
      const ask = () => viewers.ask(question, `viewer after ${task}`);
      begin(scheduler.now() - startsAt + between(own, 0, lagAtMost), ask);
    }
    scheduler.at(scheduler.now() + minute, everyMinute);
  };
  scheduler.at(startsAt + streams.of('schedule')() * minute, everyMinute);

  return {
    activeMilliseconds: Math.max(workload.activeMilliseconds, paths.lasts),
    recover: () => {},
    comeToRest: async () => {
      await sleep(3 * minute);
      await catalogue.redrive('redrive');
      await sleep(2 * minute);
    },
    unfinished: () => [
      ...(working > 0 ? [`${working} callers`] : []),
      ...(catalogue.isRead() ? [] : ['records of the stream']),
    ],
    checkAll: async () => {
      checkStored({ store, ledger, now: scheduler.now(), onViolation });
      told.checkAll();
      for (const [index, id] of ledger.ids().entries()) {
        const country = countries[index % countries.length];
        const last: Question = {
          id: 1_000 + index,
          at: 0,
          client: 'web',
          kind: 'bought',
          country,
          call: 'stream',
          event: id,
          status: undefined,
        };
        await viewers.ask(last, `last question ${id}`);
        await viewers.ask({ ...last, call: 'list' }, `last list ${id}`);
      }
    },
  };
});
