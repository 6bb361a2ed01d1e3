import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { exchangeUserSubsHandler } from '../../../functions/users/exchange-user-subs/handler.ts';
import { getApplicationUserSubHandler } from '../../../functions/users/get-application-user-sub/handler.ts';
import { getUserDataHandler } from '../../../functions/users/get-user-data/handler.ts';
import { putUserDataHandler } from '../../../functions/users/put-user-data/handler.ts';
import { readUserDataHandler } from '../../../functions/users/read-user-data/handler.ts';
import { readUserDataBatchHandler } from '../../../functions/users/read-user-data/read-user-data-batch-handler.ts';
import type { VerifyAccessToken } from '../../../shared/platform/auth/access-token.ts';
import { InvalidTokenError } from '../../../shared/platform/auth/errors.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { dynamoDbApplications } from '../../../shared/platform/store/applications.ts';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import {
  exchangeUserSubsOperation,
  getApplicationUserSubOperation,
  getUserDataOperation,
  putUserDataOperation,
  readUserDataBatchOperation,
  readUserDataOperation,
} from '../../../shared/users/http/operations.ts';
import { removeUser } from '../../../shared/users/remove-user.ts';
import { dynamoDbApplicationUserSubs } from '../../../shared/users/store/application-user-subs.ts';
import { dynamoDbUsers } from '../../../shared/users/store/users.ts';
import { type ApiEventProps, aContext, anApiEvent } from '../ott/api-event.ts';
import { createTables, startDatabase, type TestDatabase } from '../platform/dynamodb.ts';

type Call = (props: ApiEventProps) => Promise<{
  status: number;
  headers: NonNullable<APIGatewayProxyResult['headers']>;
  body: unknown;
  text: string;
}>;

/**
 * The user-data functions on a real database, which is a new one unless one is given. Tokens are `Bearer <sub>` or
 * `Bearer <sub> <client>`.
 */
export interface UserCalls {
  readonly database: TestDatabase;
  readonly users: ReturnType<typeof dynamoDbUsers>;
  readonly subs: ReturnType<typeof dynamoDbApplicationUserSubs>;
  readonly applications: ReturnType<typeof dynamoDbApplications>;
  readonly tables: Readonly<Record<'Users' | 'ApplicationUserSubs' | 'Applications', string>>;
  readonly put: Call;
  /** `put` on a stage where users may not write `is_club` and `club_id`. */
  readonly putOwn: Call;
  readonly get: Call;
  readonly report: Call;
  readonly exchange: Call;
  readonly read: Call;
  readonly readBatch: Call;
  /** Deletes a user as the operator does. Resolves to whether the user existed. */
  remove(userSub: string): Promise<boolean>;
  stop(): Promise<void>;
}

const verifyAccessToken: VerifyAccessToken = async (header) => {
  const [scheme, sub, clientId] = header?.split(' ') ?? [];
  if (scheme !== 'Bearer' || sub === undefined) throw new InvalidTokenError({ reason: 'a test’s' });
  return { sub, clientId };
};

type ApiFunction = (event: ReturnType<typeof anApiEvent>, context: Context) => Promise<APIGatewayProxyResult>;

const calling =
  (fn: ApiFunction): Call =>
  async (props) => {
    const { statusCode, headers = {}, body } = await fn(anApiEvent({ method: 'POST', ...props }), aContext());
    return { status: statusCode, headers, body: JSON.parse(body), text: body };
  };

export const startUserCalls = async (given?: TestDatabase): Promise<UserCalls> => {
  const database = given ?? (await startDatabase());
  const tables = await createTables(database, ['Users', 'Wallets', 'ApplicationUserSubs', 'Applications']);
  const client = database.documents;
  const users = dynamoDbUsers({
    client,
    tableName: tables.Users,
    walletsTableName: tables.Wallets,
    subsTableName: tables.ApplicationUserSubs,
  });
  const subs = dynamoDbApplicationUserSubs({ client, tableName: tables.ApplicationUserSubs });
  const applications = dynamoDbApplications({ client, tableName: tables.Applications });
  const all = {
    users,
    subs,
    applications,
    verifyAccessToken,
    clock: systemClock,
    readOnlyKeys: [],
    changesPerHour: 60,
  };
  const restricted = { ...all, readOnlyKeys: ['is_club', 'club_id'] };
  return {
    database,
    users,
    subs,
    applications,
    tables,
    put: calling(operationFunction(putUserDataOperation, putUserDataHandler(all)) as ApiFunction),
    putOwn: calling(operationFunction(putUserDataOperation, putUserDataHandler(restricted)) as ApiFunction),
    get: calling(operationFunction(getUserDataOperation, getUserDataHandler(all)) as ApiFunction),
    report: calling(
      operationFunction(getApplicationUserSubOperation, getApplicationUserSubHandler(all)) as ApiFunction,
    ),
    exchange: calling(
      operationFunction(exchangeUserSubsOperation, exchangeUserSubsHandler(all)) as ApiFunction,
    ),
    read: calling(operationFunction(readUserDataOperation, readUserDataHandler(all)) as ApiFunction),
    readBatch: calling(
      operationFunction(readUserDataBatchOperation, readUserDataBatchHandler(all)) as ApiFunction,
    ),
    remove: (userSub) => removeUser({ users, clock: systemClock }, { userSub }),
    stop: () => database.stop(),
  };
};
