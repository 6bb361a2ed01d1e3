import { withoutCredentials } from '../../../shared/notifications/endpoints/endpoint.ts';
import { type Delivery, failureReason } from '../../../shared/notifications/record/record.ts';
import { type Output, Shown, utc } from '../../platform/terminal/output.ts';
import type { DeadLetter } from './list-dead-letters.ts';

/** On a terminal of 80 columns, a cell of this length beside a message id takes at most three lines. */
const longestCell = 34;

const beginningOf = (text: string): string =>
  text.length <= longestCell ? text : `${text.slice(0, longestCell - 1)}…`;

/** The host and the end of a path, which tell a customer's endpoints apart. */
const endsOf = (text: string): string => {
  if (text.length <= longestCell) return text;
  const half = longestCell / 2;
  return `${text.slice(0, half)}…${text.slice(1 - half)}`;
};

const deliveryCells = (delivery: Delivery) => {
  const endpoint = withoutCredentials(delivery.destination);
  const reason = failureReason(delivery);
  return {
    endpoint: new Shown(endpoint, { text: endsOf(endpoint.replace(/^https?:\/\//, '')) }),
    reason: new Shown(reason, { text: beginningOf(reason) }),
  };
};

/** A table that keeps endpoint and reason on a narrow terminal. JSON has both in full. */
export const showDeadLetters = (output: Pick<Output, 'rows'>, found: readonly DeadLetter[]): void =>
  output.rows(
    ['message_id', 'application', 'endpoint', 'reason', 'subject', 'date_time', 'dead_since'],
    found.map(({ messageId, applicationId, subject, dateTime, sentAt, delivery }) => ({
      message_id: messageId,
      application: applicationId,
      ...(delivery !== undefined && deliveryCells(delivery)),
      subject,
      date_time: dateTime === undefined ? undefined : utc(dateTime),
      dead_since: new Date(sentAt).toISOString(),
    })),
    { dispensable: ['dead_since', 'subject', 'date_time'] },
  );
