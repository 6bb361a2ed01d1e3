/** The calls of users about themselves, with their own wiring, and what ends with their registrations. */

import {
  eraseDependencies,
  exportDependencies,
  forgetDependencies,
} from '../../../functions/account/dependencies.ts';
import { eraseUserHandler } from '../../../functions/account/erase-user/handler.ts';
import { exportUserHandler } from '../../../functions/account/export-user/handler.ts';
import { forgetUsersHandler } from '../../../functions/account/forget-users/handler.ts';
import { ownUserSubDependencies } from '../../../functions/users/dependencies.ts';
import { getApplicationUserSubHandler } from '../../../functions/users/get-application-user-sub/handler.ts';
import { putUserDataHandler } from '../../../functions/users/put-user-data/handler.ts';
import { createWalletChallengeHandler } from '../../../functions/wallets/create-wallet-challenge/handler.ts';
import {
  challengeDependencies,
  linkDependencies,
  walletsDependencies,
} from '../../../functions/wallets/dependencies.ts';
import { linkWalletHandler } from '../../../functions/wallets/link-wallet/handler.ts';
import { unlinkWalletHandler } from '../../../functions/wallets/list-wallets/unlink-wallet-handler.ts';
import { dynamoDbVoidChanges } from '../../../shared/ott/store/void-tickets.ts';
import { handlerLifetimeMilliseconds } from '../../../shared/platform/time/handler-lifetime.ts';
import { removeUser } from '../../../shared/users/remove-user.ts';
import { dynamoDbUsers } from '../../../shared/users/store/users.ts';
import { type FunctionSurroundings, simulatedFunction } from '../functions.ts';
import { createNotifications } from '../notifications/service.ts';
import { createUsers } from '../notifications/users.ts';
import { environment as ott } from '../ott/service.ts';
import type { Process } from '../process.ts';
import { stage as moneyStage } from '../service.ts';
import type { Store } from '../store.ts';
import { between } from '../streams.ts';
import { surroundingsOf } from '../surroundings.ts';
import { readStream } from '../table-stream.ts';
import { signatureOf, environment as walletsEnvironment } from '../wallets/service.ts';

/** The client that may make calls about a whole account. */
export const accountClient = 'account-page';

export const environment = {
  ...moneyStage,
  ...ott,
  ...walletsEnvironment,
  NFTS_TABLE: 'Nfts',
  NOTIFICATIONS_TABLE: 'Notifications',
  FAILED_ERASURES_QUEUE_URL: 'https://queue.example.com',
  ACCOUNT_CLIENTS: [accountClient],
  WITHOUT_AUTH_TIME: 'refused',
} as const;

export const createAccounts = (
  options: FunctionSurroundings & {
    readonly store: Store;
    readonly changesPerHour: number;
    /** Called when Lambda has given up removals. */
    readonly onGivenUp: (removals: number) => void;
  },
) => {
  const { streams } = options;
  const notifications = createNotifications({
    ...options,
    post: () => 200,
    onAccepted: () => {},
    onEnded: () => {},
  });

  const around = (process: Process) => {
    const outside = surroundingsOf(process, options);
    return {
      ...outside,
      verifyAccessToken: async (header = '') => {
        const [sub = '', clientId, authTime] = header.split(' ');
        return { sub, clientId, ...(authTime !== undefined && { authTime: Number(authTime) }) };
      },
      contracts: {
        isValid: async ({ address, hash, signature }: Parameters<Contracts['isValid']>[0]) => {
          await outside.wait(between(streams.of(`chain @ ${process.task}`), 20, 400));
          return signature === signatureOf(address, hash);
        },
      },
    };
  };
  type Contracts = NonNullable<NonNullable<Parameters<typeof linkDependencies>[1]>['contracts']>;
  type Around = ReturnType<typeof around>;
  const stage = environment as never;
  const make = <Handler>(name: string, handler: (outside: Around) => Handler) =>
    simulatedFunction(options, {
      name,
      timeoutMilliseconds: handlerLifetimeMilliseconds,
      isOverAtTimeout: true,
      make: (process) => handler(around(process)),
    });
  const unlinking = (outside: Around) => ({
    ...walletsDependencies(stage, outside),
    ticketSeconds: environment.TICKET_SECONDS,
  });

  const forget = simulatedFunction(options, {
    name: 'forget',
    timeoutMilliseconds: 60_000,
    make: (process) => {
      const outside = around(process);
      return forgetUsersHandler({
        ...forgetDependencies(stage, outside),
        failedChanges: {
          keep: async ({ reason }) => {
            throw new Error(`nothing is put aside here: ${reason}`);
          },
        },
      });
    },
  });

  return {
    notifications,
    /** The operator redrives the changes that the publisher has put aside. */
    redrive: createUsers({ ...options, service: notifications }).redrive,
    put: make('put', (outside) =>
      putUserDataHandler({
        ...ownUserSubDependencies(stage, outside),
        readOnlyKeys: [],
        changesPerHour: options.changesPerHour,
      }),
    ),
    identify: make('identify', (outside) =>
      getApplicationUserSubHandler(ownUserSubDependencies(stage, outside)),
    ),
    challenge: make('challenge', (outside) =>
      createWalletChallengeHandler(challengeDependencies(stage, outside)),
    ),
    link: make('link', (outside) => linkWalletHandler(linkDependencies(stage, outside))),
    unlink: make('unlink', (outside) => unlinkWalletHandler(unlinking(outside))),
    /** The operator's commands that make a ticket void, and valid again. */
    tickets: make('operator of tickets', ({ client, clock }) => ({
      voidChanges: dynamoDbVoidChanges({
        client,
        tables: { events: ott.EVENTS_TABLE, history: moneyStage.TOKEN_HISTORY_TABLE },
      }),
      clock,
    })),
    /** A user takes a copy of all that is stored. */
    exported: make('export', (outside) =>
      exportUserHandler({
        ...exportDependencies(stage, outside),
        readCursorSecret: async () => 'a secret of at least thirty-two letters',
      }),
    ),
    /** A user erases the own account. */
    erase: make('erase', (outside) => eraseUserHandler(eraseDependencies(stage, outside))),
    /** The operator's command that deletes a user. */
    remove: simulatedFunction(options, {
      name: 'operator of users',
      timeoutMilliseconds: 15 * 60_000,
      make: (process) => {
        const { client, clock } = around(process);
        const users = dynamoDbUsers({
          client,
          tableName: environment.USERS_TABLE,
          walletsTableName: environment.WALLETS_TABLE,
        });
        return (userSub: string) => removeUser({ users, clock }, { userSub });
      },
    }),
    /** What reads the ends of registrations from the stream, and ends what other areas hold of them. */
    removals: readStream({
      ...options,
      table: environment.USERS_TABLE,
      keys: ['user_sub'],
      isWanted: ({ is_removed }) => is_removed === true,
      invoke: (task, event) => forget.invoke(task, (handler) => handler(event)),
      onGivenUp: (records) => options.onGivenUp(records.length),
    }),
  };
};

export type Accounts = ReturnType<typeof createAccounts>;
