import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { EnqueueReplay, PutOffReplay } from '../../../shared/notifications/ports/replays.ts';
import {
  type ReplayOutcome,
  type RunReplayDependencies,
  runReplay,
} from '../../../shared/notifications/run-replay.ts';

export interface Dependencies extends RunReplayDependencies {
  readonly putOff: PutOffReplay;
  /**
   * Returns the replay that a queue message refers to.
   * @throws if the message has an unexpected format.
   */
  readonly replayIn: (body: string) => Parameters<EnqueueReplay>[0];
}

/** The time reserved for the last page before the function's timeout. A page usually takes one second. */
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
 * The message of an unfinished replay stays in the queue and is received again. The function does not send a new
 * message, because Lambda would detect a function that sends messages to itself as a loop and stop it (AWS, *Use Lambda
 * recursive loop detection*).
 */
export const runReplaysHandler =
  ({ putOff, replayIn, ...dependencies }: Dependencies) =>
  async (
    { Records }: SQSEvent,
    context: Pick<Context, 'getRemainingTimeInMillis'>,
  ): Promise<SQSBatchResponse> => {
    const batchItemFailures: { itemIdentifier: string }[] = [];
    for (const { messageId, receiptHandle, body } of Records) {
      const until = dependencies.clock() + context.getRemainingTimeInMillis() - lastPageMilliseconds;
      const outcome = await runReplay(dependencies, { ...replayIn(body), holder: receiptHandle, until });
      if (outcome === 'ended') continue;
      await putOff({ receiptHandle, seconds: againSeconds[outcome] });
      batchItemFailures.push({ itemIdentifier: messageId });
    }
    return { batchItemFailures };
  };
