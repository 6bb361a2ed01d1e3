import type { Logger } from '../../platform/logger.ts';
import { attemptsFailedCode, deliveriesFailedCode, recorderCodes } from '../../platform/watched.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Endpoints } from '../ports/endpoints.ts';
import type { NotificationRecords } from '../ports/notification-records.ts';
import { type NoteOutcomesDependencies, noteFailures, noteSuccesses } from './note-outcomes.ts';
import { noteRefusals } from './note-refusals.ts';
import type { Delivery, RecordBatch } from './record.ts';

export interface RecordNotificationsDependencies extends NoteOutcomesDependencies {
  readonly endpoints: NoteOutcomesDependencies['endpoints'] & Pick<Endpoints, 'list'>;
  readonly records: Pick<NotificationRecords, 'recordSent' | 'recordDeliveries'>;
  readonly findEndpoint: (destination: string) => Promise<Endpoint | undefined>;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Notes for each endpoint which messages it accepted and which not. Returns the errors of failed writes by destination.
 */
const noteOutcomes = async (
  dependencies: RecordNotificationsDependencies,
  deliveries: readonly Delivery[],
): Promise<ReadonlyMap<string, unknown>> => {
  const errors = new Map<string, unknown>();
  for (const [destination, own] of Map.groupBy(deliveries, (each) => each.destination)) {
    try {
      const endpoint = await dependencies.findEndpoint(destination);
      if (endpoint === undefined) continue;
      const key = { applicationId: endpoint.applicationId, id: endpoint.id };
      await noteSuccesses(
        dependencies,
        key,
        own.filter(({ isDelivered }) => isDelivered),
      );
      const begins = await noteFailures(
        dependencies,
        key,
        own.filter(({ isDelivered }) => !isDelivered),
      );
      if (!begins) continue;
      dependencies.logger.warn('An endpoint begins to fail', {
        code: recorderCodes.endpointBeginsToFail,
        count: 1,
        application: endpoint.applicationId,
        endpoint: endpoint.id,
      });
    } catch (error) {
      errors.set(destination, error);
    }
  }
  return errors;
};

/**
 * The beginning of a line from the delivery log, without the addresses in it: an endpoint's path and password can be
 * secret.
 */
const excerptOf = (line: string): string => line.replaceAll(/:\/\/[^"\s]*/g, '://…').slice(0, 500);

/**
 * Logs how many attempts have failed. An alarm compares the sum with SNS's own metric, which counts every failed
 * attempt of deliveries to HTTP and HTTPS endpoints (AWS, *Monitoring Amazon SNS topics using CloudWatch*).
 */
const countAttempts = (
  { logger }: Pick<RecordNotificationsDependencies, 'logger'>,
  deliveries: readonly Delivery[],
): void => {
  const count = deliveries.reduce(
    (sum, { isDelivered, attempts }) => sum + (isDelivered ? attempts - 1 : attempts),
    0,
  );
  if (count > 0) logger.warn('Attempts to deliver failed', { code: attemptsFailedCode, count });
};

/**
 * For each endpoint with failed deliveries, logs the endpoint's id and the number of failures. A metric sums these
 * numbers.
 */
const countFailures = async (
  { findEndpoint, logger }: Pick<RecordNotificationsDependencies, 'findEndpoint' | 'logger'>,
  deliveries: readonly Delivery[],
): Promise<void> => {
  const counts = new Map<string, number>();
  for (const { isDelivered, destination } of deliveries) {
    if (!isDelivered) counts.set(destination, (counts.get(destination) ?? 0) + 1);
  }
  for (const [destination, count] of counts) {
    const endpoint = await findEndpoint(destination);
    logger.warn('Deliveries failed for good', {
      code: deliveriesFailedCode,
      count,
      application: endpoint?.applicationId,
      endpoint: endpoint?.id ?? 'unknown',
    });
  }
};

/**
 * Processes messages from the queue that feeds the notification records. Such a message reports a published
 * notification, whoever published it, or deliveries that have ended. A message may be processed twice. Unreadable lines
 * of the delivery log are counted, logged and dropped. A message that only a later release knows fails, so that it waits
 * for that release.
 * @returns for each message, in order, the error if it could not be recorded, otherwise `undefined`.
 */
export const recordNotifications = async (
  dependencies: RecordNotificationsDependencies,
  { messages }: { readonly messages: readonly RecordBatch[] },
): Promise<readonly unknown[]> => {
  const { records, logger } = dependencies;
  const unreadable = messages.flatMap((each) => each.unreadable);
  if (unreadable.length > 0) {
    logger.warn('Lines of the delivery log cannot be read', {
      code: recorderCodes.deliveryLinesUnreadable,
      count: unreadable.length,
      first: excerptOf(unreadable[0] ?? ''),
    });
  }
  const sent = messages.flatMap((each, message) => each.sent.map((one) => ({ message, one })));
  const ended = messages.flatMap((each, message) => each.deliveries.map((one) => ({ message, one })));
  const failures = new Map<number, unknown>(
    messages.flatMap(({ isLater }, index) =>
      isLater === true ? [[index, new Error('Only a later release can record this message')]] : [],
    ),
  );
  const fail = (of: readonly { readonly message: number }[], errors: readonly unknown[]): void => {
    for (const [index, { message }] of of.entries()) {
      if (errors[index] !== undefined) failures.set(message, errors[index]);
    }
  };
  fail(sent, await records.recordSent(sent.map(({ one }) => one)));
  fail(ended, await records.recordDeliveries(ended.map(({ one }) => one)));
  const recorded = ended.filter(({ message }) => !failures.has(message));
  const unnoted = await noteOutcomes(
    dependencies,
    recorded.map(({ one }) => one),
  );
  fail(
    recorded,
    recorded.map(({ one }) => unnoted.get(one.destination)),
  );
  for (const [message, { confirmations = [] }] of messages.entries()) {
    await noteRefusals(dependencies, confirmations).catch((error: unknown) => failures.set(message, error));
  }
  const counted = recorded.filter(({ message }) => !failures.has(message)).map(({ one }) => one);
  countAttempts(dependencies, counted);
  await countFailures(dependencies, counted);
  return messages.map((_, message) => failures.get(message));
};
