import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import type { APIGatewayProxyResult, Context, DynamoDBRecord } from 'aws-lambda';
import {
  eraseDependencies,
  forgetDependencies,
  previewDependencies,
} from '../../../functions/account/dependencies.ts';
import { eraseUserHandler } from '../../../functions/account/erase-user/handler.ts';
import { forgetUsersHandler } from '../../../functions/account/forget-users/handler.ts';
import { previewErasureHandler } from '../../../functions/account/preview-erasure/handler.ts';
import { ownUserSubDependencies } from '../../../functions/users/dependencies.ts';
import { putUserDataHandler } from '../../../functions/users/put-user-data/handler.ts';
import { eraseUserOperation, previewErasureOperation } from '../../../shared/account/http/operations.ts';
import type { VerifyAccessToken } from '../../../shared/platform/auth/access-token.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import type { DocumentClient } from '../../../shared/platform/store/client.ts';
import type { Clock } from '../../../shared/platform/time/clock.ts';
import { putUserDataOperation } from '../../../shared/users/http/operations.ts';
import { dynamoDbUsers } from '../../../shared/users/store/users.ts';
import { type ApiEventProps, aContext, anApiEvent } from '../ott/api-event.ts';
import type { TestDatabase } from '../platform/dynamodb.ts';

export type AccountTables = Readonly<
  Record<'Users' | 'Wallets' | 'ApplicationUserSubs' | 'Applications' | 'Nfts' | 'TokenHistory', string>
>;

/** Who calls, and when the user logged in: in seconds since the epoch. */
export interface Caller {
  readonly sub: string;
  readonly clientId?: string;
  readonly authTime?: number | 'absent';
}

const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

type ApiFunction = (event: ReturnType<typeof anApiEvent>, context: Context) => Promise<APIGatewayProxyResult>;

/** Clients whose users can make calls about the whole account. */
export const accountClients = ['account-page'];

/** The calls of a user about the whole account, and the function that follows an erasure, as they are deployed. */
export const accountCalls = async (
  database: TestDatabase,
  { tables, clock }: { readonly tables: AccountTables; readonly clock: Clock },
) => {
  const environment = {
    USERS_TABLE: tables.Users,
    WALLETS_TABLE: tables.Wallets,
    SUBS_TABLE: tables.ApplicationUserSubs,
    APPLICATIONS_TABLE: tables.Applications,
    NFTS_TABLE: tables.Nfts,
    TOKEN_HISTORY_TABLE: tables.TokenHistory,
    ACCOUNT_CLIENTS: accountClients,
    WITHOUT_AUTH_TIME: 'refused',
    LOG_DAYS: 90,
    BACKUP_DAYS: 35,
    TICKET_SECONDS: 300,
    FAILED_ERASURES_QUEUE_URL: 'https://queue.example.com',
  } as never;
  const verifyAccessToken: VerifyAccessToken = async (header = '') => JSON.parse(header);
  const around = (client: DocumentClient) => ({ client, clock, verifyAccessToken });
  const calling =
    (fn: unknown) =>
    async (caller: Caller, props: ApiEventProps = {}) => {
      const { clientId = accountClients[0], authTime = clock() / 1_000, sub } = caller;
      const Authorization = JSON.stringify({ sub, clientId, ...(authTime !== 'absent' && { authTime }) });
      const { statusCode, headers, body } = await (fn as ApiFunction)(
        anApiEvent({ ...props, headers: { Authorization } }),
        aContext(),
      );
      return { status: statusCode, headers, body: body === '' ? undefined : JSON.parse(body) };
    };
  const { Table } = await database.client.send(new DescribeTableCommand({ TableName: tables.Users }));
  const streamArn = Table?.LatestStreamArn ?? '';
  const removals = async (): Promise<DynamoDBRecord[]> => {
    const records = (await database.engine.readStream({ streamArn, limit: 1_000 })) as DynamoDBRecord[];
    return records.filter(({ dynamodb }) => dynamodb?.NewImage?.is_removed?.BOOL === true);
  };
  const { documents } = database;
  const users = dynamoDbUsers({
    client: documents,
    tableName: tables.Users,
    walletsTableName: tables.Wallets,
  });
  const eraseOver = (client: DocumentClient) =>
    calling(
      operationFunction(eraseUserOperation, eraseUserHandler(eraseDependencies(environment, around(client)))),
    );
  /** Runs the function that reads removals with those of a user, or with all, once. Returns how many come again. */
  const forgetOver = async (
    client: DocumentClient,
    sub?: string,
    failedChanges: { keep(failed: { readonly reason: string }): Promise<void> } = {
      keep: async ({ reason }) => {
        throw new Error(`nothing is put aside here: ${reason}`);
      },
    },
  ): Promise<number> => {
    const handler = forgetUsersHandler({
      ...forgetDependencies(environment, { client, clock, logger, wait: async () => {} }),
      failedChanges,
    });
    const all = await removals();
    const Records = all.filter(({ dynamodb }) => sub === undefined || dynamodb?.Keys?.user_sub?.S === sub);
    const { batchItemFailures } = await handler({ Records });
    return batchItemFailures.length;
  };

  return {
    users,
    erase: eraseOver(documents),
    eraseOver,
    preview: calling(
      operationFunction(
        previewErasureOperation,
        previewErasureHandler(previewDependencies(environment, around(documents))),
      ),
    ),
    put: calling(
      operationFunction(
        putUserDataOperation,
        putUserDataHandler({
          ...ownUserSubDependencies(environment, around(documents)),
          readOnlyKeys: [],
          changesPerHour: 60,
        }),
      ),
    ),
    forget: (sub?: string) => forgetOver(documents, sub),
    forgetOver,
    removals,
  };
};

export class Killed extends Error {
  override readonly name = 'AbortError';
}

/** A client whose process is killed before or after its call number `at`. From then on, no call gets through. */
export const killedAt = (
  client: DocumentClient,
  { at, when }: { readonly at: number; readonly when: 'before' | 'after' },
) => {
  let calls = 0;
  let isDead = false;
  const die = (): never => {
    isDead = true;
    throw new Killed(`killed ${when} call ${at}`);
  };
  const over = new Proxy(client, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function' || name === 'pause') return value;
      return async (...parameters: unknown[]) => {
        if (isDead) throw new Killed('the process is gone');
        calls += 1;
        const isDue = calls === at;
        if (isDue && when === 'before') die();
        const answer = await Reflect.apply(value, target, parameters);
        if (isDue) die();
        return answer;
      };
    },
  });
  return { client: over, wasKilled: () => isDead };
};
