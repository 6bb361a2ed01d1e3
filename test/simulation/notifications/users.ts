/** The functions that change and read users, with their own wiring, and the operator's command line. */

import { ownUserSubDependencies, userSubsDependencies } from '../../../functions/users/dependencies.ts';
import { getApplicationUserSubHandler } from '../../../functions/users/get-application-user-sub/handler.ts';
import { putUserDataHandler } from '../../../functions/users/put-user-data/handler.ts';
import { readUserDataHandler } from '../../../functions/users/read-user-data/handler.ts';
import { redriveFailedChanges } from '../../../operator/notifications/failed-changes/redrive-failed-changes.ts';
import { redriveUnfinished } from '../../../operator/notifications/unfinished/redrive-unfinished.ts';
import { snsNotificationTopic } from '../../../shared/notifications/aws/notification-topic.ts';
import { dynamoDbEndpoints } from '../../../shared/notifications/store/endpoints.ts';
import type { VerifyAccessToken } from '../../../shared/platform/auth/access-token.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';
import { dynamoDbApplications } from '../../../shared/platform/store/applications.ts';
import { handlerLifetimeMilliseconds } from '../../../shared/platform/time/handler-lifetime.ts';
import { removeUser } from '../../../shared/users/remove-user.ts';
import { dynamoDbApplicationUserSubs } from '../../../shared/users/store/application-user-subs.ts';
import { dynamoDbUsers } from '../../../shared/users/store/users.ts';
import { type FunctionSurroundings, simulatedFunction } from '../functions.ts';
import type { Process } from '../process.ts';
import { environment, type Notifications, type tables } from './service.ts';

/** An access token consists of the user's name and the client's name. */
export const tokenOf = (userSub: string, client: string): string => `${userSub} ${client}`;

const verifyAccessToken: VerifyAccessToken = async (header = '') => {
  const [sub = '', clientId] = header.split(' ');
  return { sub, clientId };
};

/** The parts of a request that a handler reads. */
export const requestOf = <Body>({
  body,
  apiKeyId,
  authorization,
  key,
}: {
  readonly body: Body;
  readonly apiKeyId?: string;
  readonly authorization?: string;
  readonly key?: string;
}) => {
  const headers: Readonly<Record<string, string | undefined>> = { authorization, 'idempotency-key': key };
  return { body, apiKeyId, header: (name: string) => headers[name] } as HttpRequest<
    undefined,
    undefined,
    Body
  >;
};

export const createUsers = (options: FunctionSurroundings & { readonly service: Notifications }) => {
  const { service } = options;
  const calls = { timeoutMilliseconds: handlerLifetimeMilliseconds };

  /** The parts of a stage that the operator's command line uses. */
  const stageOf = (process: Process) => {
    const { client, clock, ...outside } = service.around(process);
    return {
      clock,
      users: dynamoDbUsers({
        client,
        tableName: environment.USERS_TABLE,
        walletsTableName: 'Wallets' satisfies keyof typeof tables,
      }),
      subs: dynamoDbApplicationUserSubs({
        client,
        tableName: environment.SUBS_TABLE,
        newSub: outside.randomId,
      }),
      applications: dynamoDbApplications({ client, tableName: environment.APPLICATIONS_TABLE }),
      endpoints: dynamoDbEndpoints({ client, tableName: environment.ENDPOINTS_TABLE }),
      topic: snsNotificationTopic({
        client: outside.sns({ maxAttempts: 3, requestTimeoutMilliseconds: 5_000 }),
        topicArn: environment.TOPIC_ARN,
      }),
      sources: {
        record: outside.queue('record', { maxAttempts: 3, requestTimeoutMilliseconds: 10_000 }),
        replays: outside.queue('replays', { maxAttempts: 3, requestTimeoutMilliseconds: 10_000 }),
      },
    };
  };
  const operator = simulatedFunction(options, {
    name: 'operator',
    timeoutMilliseconds: 15 * 60_000,
    make: stageOf,
  });

  return {
    put: simulatedFunction(options, {
      ...calls,
      name: 'put',
      make: (process) =>
        putUserDataHandler({
          ...ownUserSubDependencies({ ...environment, POWERTOOLS_METRICS_NAMESPACE: 'simulation' } as never, {
            ...service.around(process),
            verifyAccessToken,
          }),
          readOnlyKeys: [],
          changesPerHour: 60,
        }),
    }),
    identify: simulatedFunction(options, {
      ...calls,
      name: 'identify',
      make: (process) =>
        getApplicationUserSubHandler(
          ownUserSubDependencies(environment as never, { ...service.around(process), verifyAccessToken }),
        ),
    }),
    read: simulatedFunction(options, {
      ...calls,
      name: 'read',
      make: (process) => readUserDataHandler(userSubsDependencies(environment, service.around(process))),
    }),
    operator,
    remove: (task: string, userSub: string): Promise<boolean> =>
      operator.invoke(task, ({ users, clock }) => removeUser({ users, clock }, { userSub })),
    /** Redrives the changes that could not be published. */
    redrive: (task: string): Promise<void> =>
      operator.invoke(task, async ({ applications, ...stage }) => {
        const nothing = { list: async () => [], find: async () => undefined, range: async () => [] };
        await redriveFailedChanges({
          ...stage,
          queue: service.failedChanges.visited(),
          applications: await applications.list(),
          signers: nothing,
          transactionLog: nothing,
          catalogue: { findStored: async () => undefined },
          tableNames: { users: environment.USERS_TABLE, transactions: 'Transactions', events: 'Events' },
          onOutcome: () => {},
        });
        await redriveUnfinished({ ...stage, queue: service.unfinished.visited() });
      }),
  };
};
