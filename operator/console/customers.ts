import { notificationAnswer } from '../../shared/notifications/http/answers.ts';
import { ottConfigurationSchema } from '../../shared/ott/configuration.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { keyKeepingOf } from '../applications/key-keeping.ts';
import { applicationRecord, applicationRow } from '../applications/shown.ts';
import { countNotifications, notificationCountsRow } from '../customers/notification-counts.ts';
import { usageOf, usageRow } from '../customers/usage.ts';
import { countriesText, ruleText } from '../customers/why.ts';
import { endpointRow } from '../now/endpoints-now.ts';
import {
  applicationsOf,
  dailyCountsOf,
  endpointsOf,
  getApplication,
  notificationRecordsOf,
} from '../stores.ts';
import type { Target } from '../target.ts';

export const listCustomers = async (target: Target) =>
  (await applicationsOf(target).list()).map(applicationRow);

/** What the console shows about a customer: limits, usage, keys without their values, notifications, and OTT rules. */
export const showCustomer = async (target: Target, id: string) => {
  const { applications, keys } = keyKeepingOf(target);
  const application = await getApplication(applications, id);
  const [record, usage, endpoints, notifications] = await Promise.all([
    applicationRecord(application, keys),
    usageOf({ counts: dailyCountsOf(target), clock: systemClock }, application),
    endpointsOf(target).ofApplication(id),
    countNotifications({ records: notificationRecordsOf(target), clock: systemClock }, { applicationId: id }),
  ]);
  const { rules, geoblocking } = ottConfigurationSchema.parse(application.ott);
  const { ott: _, ...shown } = record;
  return {
    ...shown,
    usage: usageRow(usage),
    notifications: notificationCountsRow(notifications),
    failures: notifications.failures.map((record) => notificationAnswer(record, endpoints)),
    endpoints: endpoints.filter(({ removedAt }) => removedAt === undefined).map(endpointRow),
    rules: rules.map(ruleText),
    countries: countriesText(geoblocking),
  };
};
