import type { Clock } from '../../platform/clock.ts';
import type { Page } from '../../platform/page.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { subjectOf } from '../messages/message.ts';
import type { NotificationRecords } from '../ports/notification-records.ts';
import { type NotificationRecord, recordLifetimeMilliseconds } from '../record/record.ts';
import type { Ladder } from './redelivery.ts';
import { type SubjectVerdict, subjectVerdict } from './subject-verdict.ts';

export interface UndeliveredDependencies {
  readonly records: Pick<NotificationRecords, 'list' | 'ofSubject'>;
  readonly ladder: Ladder;
  readonly clock: Clock;
}

/** An endpoint that has not accepted everything. */
export type EndpointInRedelivery = Endpoint & Required<Pick<Endpoint, 'redelivery'>>;

const recordsAtOnce = 20;
/** The time of an endpoint's oldest failure is approximate, and by SNS's clock. */
const slackMilliseconds = 5 * 60_000;

/** The failed notifications among which those are that the endpoint has not accepted. */
export const failedPage = (
  { records }: Pick<UndeliveredDependencies, 'records'>,
  { applicationId, redelivery }: EndpointInRedelivery,
  { now, after }: { readonly now: number; readonly after: string | undefined },
): Promise<Page<NotificationRecord>> =>
  records.list({
    applicationId,
    from: Math.max(redelivery.since - slackMilliseconds, now - recordLifetimeMilliseconds),
    to: now,
    status: 'failed',
    limit: recordsAtOnce,
    after,
  });

export interface JudgedSubject {
  readonly listed: NotificationRecord;
  readonly verdict: SubjectVerdict;
  /** All messages about the subject. */
  readonly about: readonly NotificationRecord[];
}

/** Judges the subjects of a page that are not in `seen`, and adds them. */
export async function* judgedSubjects(
  { records, ladder, clock }: UndeliveredDependencies,
  endpoint: EndpointInRedelivery,
  page: readonly NotificationRecord[],
  seen: Set<string>,
): AsyncGenerator<JudgedSubject> {
  for (const listed of page) {
    const { message } = listed;
    const subject = subjectOf(message);
    const isWanted =
      message.operationType !== 'test' && endpoint.operationTypes.includes(message.operationType);
    if (seen.has(subject) || !isWanted) continue;
    seen.add(subject);
    const about = await records.ofSubject({ applicationId: endpoint.applicationId, message });
    yield { listed, about, verdict: subjectVerdict(about, { endpoint, ladder, now: clock() }) };
  }
}
