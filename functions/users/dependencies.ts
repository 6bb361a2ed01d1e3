/** Environment variables and dependencies of the user functions. esbuild keeps only what a function uses. */
import { oidcEnvironment, type VerifyAccessToken } from '../../shared/platform/auth/access-token.ts';
import { environmentsVerifier } from '../../shared/platform/outside/access-token-verifier.ts';
import { type DocumentClient, documentClient } from '../../shared/platform/store/client.ts';
import { type Clock, systemClock } from '../../shared/platform/time/clock.ts';
import { dynamoDbApplicationUserSubs } from '../../shared/users/store/application-user-subs.ts';
import { dynamoDbUsers } from '../../shared/users/store/users.ts';
import { callingApplications, type Parsed, resourceName } from '../platform/dependencies.ts';

/**
 * What a function that serves users or their data depends on. A dependency that is left out is the one that a Lambda
 * function uses.
 */
export interface Around {
  readonly client?: DocumentClient;
  readonly clock?: Clock;
  readonly verifyAccessToken?: VerifyAccessToken;
  /** Makes identifiers of registrations and of users in applications. */
  readonly randomId?: () => string;
}

export const userSubsEnvironment = {
  USERS_TABLE: resourceName,
  SUBS_TABLE: resourceName,
  APPLICATIONS_TABLE: resourceName,
};

export const userSubsDependencies = (
  environment: Parsed<typeof userSubsEnvironment>,
  { client = documentClient(), clock = systemClock, randomId }: Around = {},
) => ({
  applications: callingApplications(environment, client, clock),
  users: dynamoDbUsers({
    client,
    tableName: environment.USERS_TABLE,
    subsTableName: environment.SUBS_TABLE,
  }),
  subs: dynamoDbApplicationUserSubs({
    client,
    tableName: environment.SUBS_TABLE,
    newSub: randomId,
  }),
});

export const ownUserSubEnvironment = { ...userSubsEnvironment, ...oidcEnvironment };

export const ownUserSubDependencies = (
  environment: Parsed<typeof ownUserSubEnvironment>,
  { verifyAccessToken = environmentsVerifier(environment), clock = systemClock, ...around }: Around = {},
) => ({
  ...userSubsDependencies(environment, { ...around, clock }),
  verifyAccessToken,
  clock,
  ...(around.randomId !== undefined && {
    newRegistrationId: around.randomId,
    newApplicationUserSub: around.randomId,
  }),
});

export const ownUserEnvironment = { ...oidcEnvironment, USERS_TABLE: resourceName };

export const ownUserDependencies = (
  environment: Parsed<typeof ownUserEnvironment>,
  {
    client = documentClient(),
    clock = systemClock,
    verifyAccessToken = environmentsVerifier(environment),
  }: Omit<Around, 'randomId'> = {},
) => ({
  users: dynamoDbUsers({ client, tableName: environment.USERS_TABLE }),
  verifyAccessToken,
  clock,
});
