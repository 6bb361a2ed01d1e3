import { SNSClient } from '@aws-sdk/client-sns';
import { dynamoDbDailyCounts } from '../../../shared/nft/store/daily-counts.ts';
import { snsNotificationTopic } from '../../../shared/notifications/aws/notification-topic.ts';
import { dynamoDbEndpoints } from '../../../shared/notifications/store/endpoints.ts';
import { dynamoDbNotificationRecords } from '../../../shared/notifications/store/notification-records.ts';
import { dynamoDbUndelivered } from '../../../shared/notifications/store/undelivered.ts';
import type { Application } from '../../../shared/platform/applications/application.ts';
import type { Applications } from '../../../shared/platform/applications/ports/applications.ts';
import { dynamoDbApplications } from '../../../shared/platform/store/applications.ts';
import { type DocumentClient, documentClientOf } from '../../../shared/platform/store/client.ts';
import { dynamoDbOutages } from '../../../shared/platform/store/outages.ts';
import { dynamoDbApplicationUserSubs } from '../../../shared/users/store/application-user-subs.ts';
import { dynamoDbUsers } from '../../../shared/users/store/users.ts';
import { dynamoDbWallets } from '../../../shared/wallets/store/wallets.ts';
import { OperatorError } from '../terminal/operator-error.ts';
import type { Target } from './target.ts';

/** Printed after changes that the functions see only when their cached copy of the application expires. */
export const seenSoon = 'The change takes effect within 30 seconds.';

/** A client for the stage's tables, configured like the client that the stage's functions use. */
export const documentsOf = (target: Target): DocumentClient =>
  documentClientOf(target.aws, { onAttempt: target.onTableCall });

export const applicationsOf = (target: Target) =>
  dynamoDbApplications({ client: documentsOf(target), tableName: target.output('ApplicationsTable') });

export const usersOf = (target: Target) =>
  dynamoDbUsers({
    client: documentsOf(target),
    tableName: target.output('UsersTable'),
    walletsTableName: target.output('WalletsTable'),
    subsTableName: target.output('ApplicationUserSubsTable'),
  });

export const walletsOf = (target: Target) =>
  dynamoDbWallets({ client: documentsOf(target), tableName: target.output('WalletsTable') });

export const applicationUserSubsOf = (target: Target) =>
  dynamoDbApplicationUserSubs({
    client: documentsOf(target),
    tableName: target.output('ApplicationUserSubsTable'),
  });

export const endpointsOf = (target: Target) =>
  dynamoDbEndpoints({ client: documentsOf(target), tableName: target.output('EndpointsTable') });

export const notificationRecordsOf = (target: Target) =>
  dynamoDbNotificationRecords({
    client: documentsOf(target),
    tableName: target.output('NotificationsTable'),
  });

export const undeliveredOf = (target: Target) =>
  dynamoDbUndelivered({
    client: documentsOf(target),
    tableName: target.output('NotificationsTable'),
  });

export const topicOf = (target: Target) =>
  snsNotificationTopic({ client: new SNSClient(target.aws), topicArn: target.output('TopicArn') });

export const dailyCountsOf = (target: Target) =>
  dynamoDbDailyCounts({ client: documentsOf(target), tableName: target.output('RequestsTable') });

export const outagesOf = (target: Target) =>
  dynamoDbOutages({
    client: documentsOf(target),
    tableName: target.output('GrantsTable'),
    timeoutMilliseconds: 10_000,
  });

/** The table of the catalogue and a client for it, for the adapters that read and write the catalogue. */
export const eventStoreOf = (target: Target) => ({
  client: documentsOf(target),
  tableName: target.output('EventsTable'),
});

/** @throws OperatorError when there is no such application. */
export const getApplication = async (
  applications: Pick<Applications, 'find'>,
  id: string,
): Promise<Application> => {
  const application = await applications.find(id);
  if (application === undefined) throw new OperatorError({ message: `There is no application ${id}.` });
  return application;
};

/** @throws OperatorError if the application is not a customer's. Such an application has nothing but keys. */
export const requireCustomer = (application: Application): Application => {
  if (application.kind === undefined) return application;
  throw new OperatorError({
    message: `${application.id} is not a customer's application: it has no clients, users, contracts, rules or endpoints.`,
  });
};

/**
 * Called after a search that found nothing. Dead letters and endpoints can outlive their application, so an unknown
 * application is a mistake only if the search has no results.
 */
export const requireApplication = async (target: Target, id: string | undefined): Promise<void> => {
  if (id !== undefined) await getApplication(applicationsOf(target), id);
};
