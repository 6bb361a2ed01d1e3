import type { Clock } from '../../platform/time/clock.ts';
import { type Endpoint, isFailing } from '../endpoints/endpoint.ts';
import type { NotificationRecords } from '../ports/notification-records.ts';
import type { NotificationTopic } from '../ports/notification-topic.ts';
import type { Undelivered } from '../ports/undelivered.ts';
import type { NotificationRecord } from '../record/record.ts';
import { firstIdOf, markSentAgain } from '../replay/republish.ts';
import { lookAgainAfter } from './ladder-settings.ts';
import type { Ladder } from './redelivery.ts';
import type { UndeliveredRow } from './undelivered-row.ts';
import { firstLookMilliseconds, judged, nextLookAt, subjectVerdict } from './verdict.ts';

export interface ServeRowDependencies {
  readonly undelivered: Pick<Undelivered, 'take' | 'change' | 'remove'>;
  readonly records: Pick<NotificationRecords, 'ofSubject' | 'markRedriven'>;
  readonly topic: NotificationTopic;
  readonly ladder: Ladder;
  readonly clock: Clock;
}

/** Sends the newest message about a subject again, to one endpoint. Returns the message's id. */
const sendAgain = async (
  { topic, records, clock }: ServeRowDependencies,
  { applicationId, id: endpointId, destination }: Endpoint,
  { newest, about }: { readonly newest: NotificationRecord; readonly about: readonly NotificationRecord[] },
): Promise<string> => {
  // Before it is published, since it can be delivered at once.
  const at = clock();
  const [outcome] = await topic.publish([
    { applicationId, endpointId, message: newest.message, replayOf: firstIdOf(newest) },
  ]);
  if (outcome?.isPublished !== true) throw new Error(outcome?.reason ?? 'no answer');
  await markSentAgain(records, { about, to: [destination], at });
  return outcome.messageId;
};

const isWanted = ({ message: { operationType } }: UndeliveredRow, { operationTypes }: Endpoint): boolean =>
  operationType !== 'test' && operationTypes.includes(operationType);

/**
 * Takes a row that is due, and does with it what the record says (`verdict.ts`). This is the ladder of a row:
 *
 * | The row's message | Its last copy | The row |
 * |---|---|---|
 * | is older than the last removal of the endpoint, or of a type that it has not selected | any | is deleted |
 * | is `accepted`, or a later one is | any | is deleted |
 * | is `under way` | may still be accepted | waits for the outcome |
 * | is `undelivered` | was refused after the last step, or the row is given up | is given up: it is only asked about |
 * | is `undelivered` | was refused, and the step after it is not over | waits for the end of the step |
 * | is `undelivered` | is none, or is judged and takes no step, or its step is over | is sent as a copy |
 *
 * @returns the id of the copy. `undefined` if none was sent.
 */
export const serveRow = async (
  dependencies: ServeRowDependencies,
  endpoint: Endpoint,
  row: UndeliveredRow,
): Promise<string | undefined> => {
  const { undelivered, records, ladder, clock } = dependencies;
  const taken = await undelivered.take(endpoint, row, { until: clock() + lookAgainAfter.worker });
  if (taken === undefined) return undefined;
  const isFormer = taken.publishedAt <= (endpoint.formerlyRemovedAt ?? 0);
  const remove = () => undelivered.remove(endpoint, taken);
  if (isFormer || !isWanted(taken, endpoint)) {
    await remove();
    return undefined;
  }
  const { applicationId } = endpoint;
  const { message, copy } = taken;
  const about = await records.ofSubject({ applicationId, message });
  const now = clock();
  const verdict = subjectVerdict(about, { endpoint, copy, ladder, now });
  if (verdict.kind === 'accepted') await remove();
  if (verdict.kind === 'under way')
    await undelivered.change(endpoint, taken, { ...taken, nextAt: nextLookAt(verdict, now) });
  if (verdict.kind !== 'undelivered') return undefined;

  const { attempt, isGivenUp, nextAt } = judged(taken, { records: about, endpoint, ladder, now });
  if (isGivenUp || nextAt > now) {
    await undelivered.change(endpoint, taken, {
      attempt,
      isGivenUp,
      nextAt: isGivenUp ? now + lookAgainAfter.givenUp : nextAt,
      copy: undefined,
    });
    return undefined;
  }
  const id = await sendAgain(dependencies, endpoint, { newest: verdict.newest, about });
  const publishedAt = clock();
  await undelivered.change(endpoint, taken, {
    attempt,
    isGivenUp,
    // The outcome of a probe is asked for when the endpoint works again, or at the next step of its ladder.
    nextAt: publishedAt + (isFailing(endpoint) ? 0 : firstLookMilliseconds),
    copy: { id, publishedAt },
  });
  return id;
};
