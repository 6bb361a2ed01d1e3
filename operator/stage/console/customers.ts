import { isSubscribed } from '../../../shared/notifications/endpoints/endpoint.ts';
import { notificationAnswer } from '../../../shared/notifications/http/answers.ts';
import { ottConfigurationOf } from '../../../shared/ott/configuration.ts';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import { countNotifications, notificationCountsRow } from '../../notifications/notification-counts.ts';
import { countriesText, hidesAllText, ruleText } from '../../ott/why/why.ts';
import {
  applicationsOf,
  dailyCountsOf,
  endpointsOf,
  getApplication,
  notificationRecordsOf,
} from '../../platform/target/stores.ts';
import type { Target } from '../../platform/target/target.ts';
import { keyKeepingOf } from '../applications/key-keeping.ts';
import { applicationRecord, applicationRow } from '../applications/shown.ts';
import { usageOf, usageRow } from '../applications/usage.ts';
import { endpointRow } from '../status/endpoints-now.ts';

export const listCustomers = async (target: Target) =>
  (await applicationsOf(target).list()).map(applicationRow);

/**
 * What the console shows about an application: keys without their values and, only of a customer, limits, usage,
 * notifications, and OTT rules.
 */
export const showCustomer = async (target: Target, id: string) => {
  const { applications, keys } = keyKeepingOf(target);
  const application = await getApplication(applications, id);
  const record = await applicationRecord(application, keys);
  if (application.kind !== undefined) return record;
  const [usage, endpoints, notifications] = await Promise.all([
    usageOf({ counts: dailyCountsOf(target), clock: systemClock }, application),
    endpointsOf(target).ofApplication(id),
    countNotifications({ records: notificationRecordsOf(target), clock: systemClock }, { applicationId: id }),
  ]);
  const client = ottConfigurationOf(application);
  const { ott: _, ...shown } = record;
  return {
    ...shown,
    usage: usageRow(usage),
    notifications: notificationCountsRow(notifications),
    failures: notifications.failures.map((record) => notificationAnswer(record, endpoints)),
    endpoints: endpoints.filter(isSubscribed).map(endpointRow),
    rules: client.rules.map(ruleText),
    countries: client.hidesAll ? hidesAllText : countriesText(client.geoblocking),
  };
};
