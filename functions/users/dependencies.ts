/** Environment variables and dependencies of the user functions. esbuild keeps only what a function uses. */
import { oidcEnvironment } from '../../shared/platform/auth/access-token.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { environmentsVerifier } from '../../shared/platform/outside/access-token-verifier.ts';
import { documentClient } from '../../shared/platform/store/client.ts';
import { dynamoDbApplicationUserSubs } from '../../shared/users/store/application-user-subs.ts';
import { dynamoDbUsers } from '../../shared/users/store/users.ts';
import { callingApplications, type Parsed, resourceName } from '../platform/dependencies.ts';

export const userSubsEnvironment = {
  USERS_TABLE: resourceName,
  SUBS_TABLE: resourceName,
  APPLICATIONS_TABLE: resourceName,
};

export const userSubsDependencies = (environment: Parsed<typeof userSubsEnvironment>) => {
  const client = documentClient();
  return {
    applications: callingApplications(environment, client),
    users: dynamoDbUsers({ client, tableName: environment.USERS_TABLE }),
    subs: dynamoDbApplicationUserSubs({ client, tableName: environment.SUBS_TABLE }),
  };
};

export const ownUserSubEnvironment = { ...userSubsEnvironment, ...oidcEnvironment };

export const ownUserSubDependencies = (environment: Parsed<typeof ownUserSubEnvironment>) => ({
  ...userSubsDependencies(environment),
  verifyAccessToken: environmentsVerifier(environment),
  clock: systemClock,
});

export const ownUserEnvironment = { ...oidcEnvironment, USERS_TABLE: resourceName };

export const ownUserDependencies = (
  environment: Parsed<typeof ownUserEnvironment>,
  client = documentClient(),
) => ({
  users: dynamoDbUsers({ client, tableName: environment.USERS_TABLE }),
  verifyAccessToken: environmentsVerifier(environment),
  clock: systemClock,
});
