import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { PutOffReplay, ReplayWork } from '../../../shared/notifications/ports/replays.ts';
import {
  type RunRedeliveryDependencies,
  runRedelivery,
} from '../../../shared/notifications/run-redelivery.ts';
import {
  type ReplayOutcome,
  type RunReplayDependencies,
  runReplay,
} from '../../../shared/notifications/run-replay.ts';

export type Dependencies = RunReplayDependencies &
  RunRedeliveryDependencies & {
    readonly putOff: PutOffReplay;
    /**
     * Returns what a queue message asks for.
     * @throws if the message has an unexpected format.
     */
    readonly replayWorkIn: (body: string) => ReplayWork;
  };

/** How long before its timeout the function begins no further page. A page usually takes one second. */
const lastPageMilliseconds = 20_000;
/**
 * After this time, SQS delivers the message of a replay again.
 * - A longer pause would delay an unfinished replay. With a shorter pause, a replay that waits for another one would
 *   soon reach the queue's maximum number of receives.
 * - A replay of a later release waits until that release is deployed. With this pause, its message does not reach the
 *   maximum number of receives in the 14 days for which the queue keeps it.
 */
const againSeconds = { unfinished: 10, later: 30 * 60 } as const satisfies Record<
  Exclude<ReplayOutcome, 'ended'>,
  number
>;

/**
 * The message of an unfinished replay or redelivery stays in the queue and is received again. The function does not send
 * a new message, because Lambda would detect a function that sends messages to itself as a loop and stop it (AWS, *Use
 * Lambda recursive loop detection*).
 */
export const runReplaysHandler = ({ putOff, replayWorkIn, ...dependencies }: Dependencies) => {
  const run = ({ messageId, receiptHandle, body }: SQSRecord, until: number): Promise<ReplayOutcome> => {
    const work = replayWorkIn(body);
    const worker = { holder: receiptHandle, until };
    return work.kind === 'replay'
      ? runReplay(dependencies, { applicationId: work.applicationId, id: work.id, ...worker })
      : // A message keeps its id when it is received again.
        runRedelivery(dependencies, { ...work.due, walk: messageId, ...worker });
  };

  return async (
    { Records }: SQSEvent,
    context: Pick<Context, 'getRemainingTimeInMillis'>,
  ): Promise<SQSBatchResponse> => {
    const batchItemFailures: { itemIdentifier: string }[] = [];
    for (const record of Records) {
      const until = dependencies.clock() + context.getRemainingTimeInMillis() - lastPageMilliseconds;
      const outcome = await run(record, until);
      if (outcome === 'ended') continue;
      await putOff({ receiptHandle: record.receiptHandle, seconds: againSeconds[outcome] });
      batchItemFailures.push({ itemIdentifier: record.messageId });
    }
    return { batchItemFailures };
  };
};
