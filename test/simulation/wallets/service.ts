/** The functions of users and their wallets, with their own wiring. */
import { forgetDependencies } from '../../../functions/account/dependencies.ts';
import { forgetUsersHandler } from '../../../functions/account/forget-users/handler.ts';
import { ownUserSubDependencies } from '../../../functions/users/dependencies.ts';
import { putUserDataHandler } from '../../../functions/users/put-user-data/handler.ts';
import { createWalletChallengeHandler } from '../../../functions/wallets/create-wallet-challenge/handler.ts';
import {
  challengeDependencies,
  linkDependencies,
  walletsDependencies,
} from '../../../functions/wallets/dependencies.ts';
import { linkWalletHandler } from '../../../functions/wallets/link-wallet/handler.ts';
import { listWalletsHandler } from '../../../functions/wallets/list-wallets/handler.ts';
import { unlinkWalletHandler } from '../../../functions/wallets/list-wallets/unlink-wallet-handler.ts';
import type { Address, Hash, Hex } from '../../../shared/chain/hex.ts';
import { handlerLifetimeMilliseconds } from '../../../shared/platform/time/handler-lifetime.ts';
import { removeUser } from '../../../shared/users/remove-user.ts';
import { dynamoDbUsers } from '../../../shared/users/store/users.ts';
import { type FunctionSurroundings, simulatedFunction } from '../functions.ts';
import type { Process } from '../process.ts';
import type { Store } from '../store.ts';
import { between } from '../streams.ts';
import { surroundingsOf } from '../surroundings.ts';
import { readStream } from '../table-stream.ts';

export const environment = {
  APPLICATIONS_TABLE: 'Applications',
  USERS_TABLE: 'Users',
  SUBS_TABLE: 'ApplicationUserSubs',
  WALLETS_TABLE: 'Wallets',
  NFTS_TABLE: 'Nfts',
  TOKEN_HISTORY_TABLE: 'TokenHistory',
  CHAIN_ID: 137,
  CHAIN_SECRET_ARN: 'rpc-urls',
  TICKET_SECONDS: 300,
  IS_EMAIL_TRUSTED: false,
} as const;

export const origin = 'https://tickets.example.com';

/**
 * A signature that every wallet which is a contract accepts. No key made it.
 */
export const signatureOf = (address: Address, hash: Hash): Hex => `${hash}${address.slice(-8)}`;

export const createWallets = (
  options: FunctionSurroundings & {
    readonly store: Store;
    /** Called when Lambda has given up removals. */
    readonly onGivenUp: (removals: number) => void;
  },
) => {
  const around = (process: Process) => {
    const outside = surroundingsOf(process, options);
    return {
      ...outside,
      verifyAccessToken: async (header = '') => {
        const [sub = '', clientId] = header.split(' ');
        return { sub, clientId };
      },
      contracts: {
        isValid: async ({
          address,
          hash,
          signature,
        }: {
          readonly address: Address;
          readonly hash: Hash;
          readonly signature: Hex;
        }) => {
          await outside.wait(between(options.streams.of(`chain @ ${process.task}`), 20, 400));
          return signature === signatureOf(address, hash);
        },
      },
    };
  };
  const make = <Handler>(name: string, handler: (outside: ReturnType<typeof around>) => Handler) =>
    simulatedFunction(options, {
      name,
      timeoutMilliseconds: handlerLifetimeMilliseconds,
      // The waiting time of a wallet that moves to another user relies on this deadline. A command has none.
      isOverAtTimeout: name !== 'operator',
      make: (process) => handler(around(process)),
    });
  const stage = environment as never;
  const unlinking = (outside: ReturnType<typeof around>) => ({
    ...walletsDependencies(stage, outside),
    ticketSeconds: environment.TICKET_SECONDS,
  });

  const forget = simulatedFunction(options, {
    name: 'forget',
    timeoutMilliseconds: 60_000,
    make: (process) =>
      forgetUsersHandler({
        ...forgetDependencies(
          { ...environment, FAILED_ERASURES_QUEUE_URL: 'https://queue.example.com' },
          surroundingsOf(process, options),
        ),
        failedChanges: {
          keep: async ({ reason }) => {
            throw new Error(`nothing is put aside here: ${reason}`);
          },
        },
      }),
  });

  return {
    put: make('put', (outside) =>
      putUserDataHandler({ ...ownUserSubDependencies(stage, outside), readOnlyKeys: [], changesPerHour: 60 }),
    ),
    challenge: make('challenge', (outside) =>
      createWalletChallengeHandler(challengeDependencies(environment as never, outside)),
    ),
    link: make('link', (outside) => linkWalletHandler(linkDependencies(stage, outside))),
    unlink: make('unlink', (outside) => unlinkWalletHandler(unlinking(outside))),
    list: make('list', (outside) => listWalletsHandler(walletsDependencies(stage, outside))),
    /** The operator's command that deletes a user. */
    remove: make('operator', (outside) => {
      const { client, clock } = outside;
      const users = dynamoDbUsers({
        client,
        tableName: environment.USERS_TABLE,
        walletsTableName: environment.WALLETS_TABLE,
      });
      return (userSub: string) => removeUser({ users, clock }, { userSub });
    }),
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
