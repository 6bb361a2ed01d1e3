/** The functions and commands that change the catalogue and tell of it, with their own wiring, and what AWS puts around them. */
import { eventPublisherDependencies } from '../../../functions/notifications/dependencies.ts';
import { publishEventsHandler } from '../../../functions/notifications/publish-events/handler.ts';
import { applySchedulesHandler } from '../../../functions/ott/apply-schedules/handler.ts';
import {
  applySchedulesDependencies,
  editCatalogueDependencies,
} from '../../../functions/ott/dependencies.ts';
import {
  deleteHandler,
  getHandler,
  putHandler,
  setStatusHandler,
} from '../../../functions/ott/edit-catalogue/handler.ts';
import { redriveFailedChanges } from '../../../operator/notifications/failed-changes/redrive-failed-changes.ts';
import { readEventFile } from '../../../operator/ott/events/event-file.ts';
import { type ImportDependencies, importEventFile } from '../../../operator/ott/events/import-event-file.ts';
import { copyTables } from '../../../operator/stage/restore/copy-tables.ts';
import { nothingUndecided } from '../../../shared/nft/restored/undecided.ts';
import { snsNotificationTopic } from '../../../shared/notifications/aws/notification-topic.ts';
import { dynamoDbEndpoints } from '../../../shared/notifications/store/endpoints.ts';
import { dynamoDbCatalogue } from '../../../shared/ott/store/catalogue.ts';
import { dynamoDbApplications } from '../../../shared/platform/store/applications.ts';
import type { DocumentClient } from '../../../shared/platform/store/client.ts';
import { handlerLifetimeMilliseconds } from '../../../shared/platform/time/handler-lifetime.ts';
import { type FunctionSurroundings, type SimulatedFunction, simulatedFunction } from '../functions.ts';
import { tables as notificationTables } from '../notifications/service.ts';
import { type Accepted, createTopic } from '../notifications/topic.ts';
import { environment as viewing } from '../ott/service.ts';
import { tables as ottTables } from '../ott/tables.ts';
import type { Process } from '../process.ts';
import { createQueue, queueCalls } from '../queue.ts';
import type { Store } from '../store.ts';
import { surroundingsOf } from '../surroundings.ts';
import { readStream } from '../table-stream.ts';
import type { EventRecord } from './known-events.ts';

const { Applications, Events, Sessions } = ottTables;
export const tables = { Applications, Events, Sessions, Endpoints: notificationTables.Endpoints } as const;

export const environment = {
  ...viewing,
  ENDPOINTS_TABLE: 'Endpoints',
  TOPIC_ARN: 'topic',
  FAILED_CHANGES_QUEUE_URL: 'failedChanges',
  MESSAGES_PER_SECOND: 50,
  CHAIN_ID: 31_337,
  CHAIN_SECRET_ARN: 'chain',
  CURSOR_SECRET_ARN: 'cursor',
  POWERTOOLS_METRICS_NAMESPACE: 'simulation',
} as const;

const second = 1_000;
const applyMilliseconds = 50 * second;

/** What is known of a task: who wrote may be told from the time and the clock of its process. */
export interface Run {
  readonly startedAt: number;
  /** By how much the clock of the process is ahead. */
  readonly offset: number;
  /** How the stage signed streams when the task began. */
  readonly signing: 'cookies' | 'none';
}

interface CatalogueOptions extends FunctionSurroundings {
  readonly store: Store;
  /** How the stage signs streams at the moment. */
  readonly signing: () => Run['signing'];
  readonly onAccepted: (message: Accepted) => void;
}

/** Names the task in each transaction's token, so that its writes can be told from those of others. */
const named = (client: DocumentClient, process: Process): DocumentClient => {
  let calls = 0;
  return {
    ...client,
    transactWrite: (input) => {
      calls += 1;
      return client.transactWrite({
        ClientRequestToken: `${process.task}#${process.name}.${calls}`,
        ...input,
      });
    },
  };
};
export const taskIn = (token: string | undefined): string | undefined => token?.split('#')[0];

export type Catalogue = ReturnType<typeof createCatalogue>;

export const createCatalogue = (options: CatalogueOptions) => {
  const { scheduler, store, signing, onAccepted } = options;
  const failedChanges = createQueue(options, { name: 'failed changes', visibilityMilliseconds: 60 * second });
  const topic = createTopic({
    ...options,
    // How messages are delivered is a matter of the worlds of notifications.
    post: () => 200,
    onAccepted,
    record: () => {},
    log: () => {},
    deadLetter: () => {},
  });
  const queueOf = queueCalls(options, { failedChanges });
  const around = (process: Process) => {
    const { client, ...surroundings } = surroundingsOf(process, options);
    return {
      ...surroundings,
      client: named(client, process),
      sns: topic.clientOf(process),
      queue: queueOf(process),
      newLife: surroundings.randomId,
      secrets: undefined as never,
    };
  };

  const functions = {
    edit: simulatedFunction(options, {
      name: 'edit',
      timeoutMilliseconds: handlerLifetimeMilliseconds,
      isOverAtTimeout: true,
      make: (process) => {
        const dependencies = editCatalogueDependencies(
          { ...environment, PLAYBACK_SIGNING: 'cookies' },
          around(process),
        );
        const put = (...given: Parameters<ReturnType<typeof putHandler>>) =>
          putHandler({ ...dependencies, signing: signing() })(...given);
        return {
          get: getHandler(dependencies),
          put,
          delete: deleteHandler(dependencies),
          status: setStatusHandler(dependencies),
        };
      },
    }),
    apply: simulatedFunction(options, {
      name: 'apply',
      timeoutMilliseconds: applyMilliseconds,
      make: (process) => applySchedulesHandler(applySchedulesDependencies(environment, around(process))),
    }),
    publisher: simulatedFunction(options, {
      name: 'publisher',
      timeoutMilliseconds: 300 * second,
      make: (process) => publishEventsHandler(eventPublisherDependencies(environment, around(process))),
    }),
    operator: simulatedFunction(options, {
      name: 'operator',
      timeoutMilliseconds: 900 * second,
      make: (process) => {
        const { client, clock, sns } = around(process);
        const table = { client, tableName: environment.EVENTS_TABLE };
        return {
          client,
          catalogue: dynamoDbCatalogue(table, { by: 'operator', clock }),
          applications: dynamoDbApplications({ client, tableName: environment.APPLICATIONS_TABLE }),
          endpoints: dynamoDbEndpoints({ client, tableName: environment.ENDPOINTS_TABLE }),
          topic: snsNotificationTopic({
            client: sns({ maxAttempts: 3, requestTimeoutMilliseconds: 5 * second }),
            topicArn: environment.TOPIC_ARN,
          }),
          clock,
        };
      },
    }),
  };

  const runs = new Map<string, Run>();
  /** Invokes a function, and remembers when and by which clock. */
  const run = <Handler, Result>(
    called: SimulatedFunction<Handler>,
    task: string,
    call: (handler: Handler) => Promise<Result>,
  ): Promise<Result> =>
    called.invoke(task, (handler, process) => {
      runs.set(task, {
        startedAt: scheduler.now(),
        offset: process.clock() - scheduler.now(),
        signing: signing(),
      });
      return call(handler);
    });

  const stream = readStream({
    ...options,
    store,
    table: environment.EVENTS_TABLE,
    keys: tables.Events.keys,
    isWanted: ({ pk }) => String(pk).startsWith('EVENT#'),
    hasOldImages: true,
    invoke: (task, event) => functions.publisher.invoke(task, (handler) => handler(event)),
    onGivenUp: () => {},
  });

  return {
    functions,
    runs,
    run,
    failedChanges,
    isRead: stream.isRead,
    apply: (task: string): Promise<void> =>
      run(functions.apply, task, (handler) => {
        const endsAt = scheduler.now() + applyMilliseconds;
        return handler(undefined, { getRemainingTimeInMillis: () => endsAt - scheduler.now() });
      }),
    importFile: (task: string, file: readonly EventRecord[]) =>
      run(functions.operator, task, ({ catalogue, clock }) => {
        const dependencies: ImportDependencies = {
          catalogue,
          clock,
          holdings: { notErc721: async () => [] },
          showProgress: () => {},
        };
        return importEventFile(dependencies, {
          entries: readEventFile({ file: 'events.json', text: JSON.stringify(file) }),
          signing: signing(),
          overwriteStatus: false,
          deleteMissing: false,
          force: [],
          dryRun: false,
        });
      }),
    /** Brings events back from a table that has those of an earlier moment. */
    restore: (task: string, source: string) =>
      run(functions.operator, task, ({ client, clock }) =>
        copyTables({
          client,
          clock,
          sources: new Map([['events', source]]),
          isDryRun: false,
          context: {
            liveName: () => environment.EVENTS_TABLE,
            signing: signing(),
            undecided: nothingUndecided(),
            mintedAfter: undefined as never,
            toldAbout: undefined as never,
          },
        }),
      ),
    /** Tells again what could not be told. */
    redrive: (task: string): Promise<void> =>
      functions.operator.invoke(task, async ({ applications, ...stage }) => {
        const nothing = { list: async () => [], find: async () => undefined, range: async () => [] };
        const noUsers = { lastChange: async () => undefined, changedSince: async function* () {} };
        const noSubs = { ofRegistration: async () => [], ensure: async () => '', endAll: async () => {} };
        await redriveFailedChanges({
          ...stage,
          queue: failedChanges.visited(),
          applications: await applications.list(),
          users: noUsers as never,
          subs: noSubs as never,
          signers: nothing,
          transactionLog: nothing,
          tableNames: { users: 'Users', transactions: 'Transactions', events: environment.EVENTS_TABLE },
          onOutcome: () => {},
        });
      }),
  };
};
