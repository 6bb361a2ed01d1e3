import { notificationAnswer } from '../../../shared/notifications/http/answers.ts';
import { listNotificationsOperation } from '../../../shared/notifications/http/operations.ts';
import type { ListNotificationsQuery } from '../../../shared/notifications/http/requests.ts';
import type { Endpoints } from '../../../shared/notifications/ports/endpoints.ts';
import type { NotificationRecords } from '../../../shared/notifications/ports/notification-records.ts';
import { recordLifetimeMilliseconds } from '../../../shared/notifications/record/record.ts';
import {
  type CallingDependencies,
  callingApplication,
} from '../../../shared/platform/applications/calling-application.ts';
import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import { pageAnswer } from '../../../shared/platform/http/page-answer.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';
import type { Clock } from '../../../shared/platform/time/clock.ts';

interface Dependencies extends CallingDependencies {
  readonly records: Pick<NotificationRecords, 'list'>;
  readonly endpoints: Pick<Endpoints, 'ofApplication'>;
  readonly readCursorSecret: () => Promise<string>;
  readonly clock: Clock;
}

export const listNotificationsHandler =
  ({ applications, records, endpoints, readCursorSecret, clock }: Dependencies) =>
  async ({
    apiKeyId,
    query: { limit, cursor, ...filters },
    addresses,
  }: HttpRequest<undefined, ListNotificationsQuery, undefined>): Promise<HttpResponse> => {
    const [{ id: applicationId }, secret] = await Promise.all([
      callingApplication(applications, apiKeyId),
      readCursorSecret(),
    ]);
    const now = clock();
    const kept = now - recordLifetimeMilliseconds;
    const from = filters.from === undefined ? kept : Math.max(Date.parse(filters.from), kept);
    // Notifications that are published later, while this request reads, appear only in later requests.
    const to = Math.min(filters.to === undefined ? now + 1 : Date.parse(filters.to), now + 1);
    const own = await endpoints.ofApplication(applicationId);
    return pageAnswer({
      query: { limit, cursor },
      filters,
      scope: { list: 'notifications', filters: { applicationId, ...filters } },
      secret,
      url: `${addresses.b2b}${listNotificationsOperation.route}`,
      read: (page) =>
        records.list({
          applicationId,
          from,
          to,
          status: filters.status,
          operationType: filters.operation_type,
          ...page,
        }),
      present: (record) => notificationAnswer(record, own),
    });
  };
