import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { PutOffReplay, ReplayWork } from '../../../shared/notifications/ports/replays.ts';
import {
  type RedeliveryOutcome,
  type RunRedeliveryDependencies,
  runRedeliveries,
  runRedelivery,
} from '../../../shared/notifications/redeliver/run-redelivery.ts';
import {
  type ReplayOutcome,
  type RunReplayDependencies,
  runReplay,
} from '../../../shared/notifications/replay/run-replay.ts';

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
const shortestSeconds = 10;
const shortestLookSeconds = 5;
const longestSeconds = 30 * 60;

type Outcome = ReplayOutcome | RedeliveryOutcome;

/**
 * After how many seconds SQS delivers the message of a replay again. After a thousand receives, the queue gives a
 * message up, and a long replay needs hundreds of them for its work.
 * - A longer pause would delay an unfinished replay.
 * - A replay that waits for another one may wait for days, because ten others may be before it. So it pauses for a
 *   twentieth of the time since it was requested: in the 14 days for which the queue keeps its message, it is received
 * less
 *   than 800 times, and it begins soon after it is free.
 * - A redelivery that has sent everything soon looks whether that was accepted. A delivery that SNS repeats for an hour
 *   is
 *   looked for less and less often.
 * - A replay of a later release waits until that release is deployed. With the longest pause, its message does not
 *   reach the
 *   maximum number of receives in those 14 days.
 */
const againSeconds: Readonly<Record<Exclude<Outcome, 'ended'>, (ageMilliseconds: number) => number>> = {
  unfinished: () => shortestSeconds,
  waiting: (ageMilliseconds) =>
    Math.min(longestSeconds, Math.max(shortestSeconds, Math.ceil(ageMilliseconds / 20_000))),
  looking: (ageMilliseconds) => Math.max(shortestLookSeconds, Math.ceil(ageMilliseconds / 20_000)),
  later: () => longestSeconds,
};

/**
 * The message of an unfinished replay or redelivery stays in the queue and is received again. The function does not send
 * a new message, because Lambda would detect a function that sends messages to itself as a loop and stop it (AWS, *Use
 * Lambda recursive loop detection*).
 */
export const runReplaysHandler = ({ putOff, replayWorkIn, ...dependencies }: Dependencies) => {
  const run = async ({ receiptHandle, body }: SQSRecord, until: number): Promise<Outcome> => {
    const work = replayWorkIn(body);
    const { applicationId } = work;
    const worker = { holder: receiptHandle, until };
    if (work.kind === 'redelivery') {
      return runRedelivery(dependencies, { applicationId, id: work.endpointId, ...worker });
    }
    const outcome = await runReplay(dependencies, { applicationId, id: work.id, ...worker });
    return outcome === 'ended' ? runRedeliveries(dependencies, { applicationId, ...worker }) : outcome;
  };

  return async (
    { Records }: SQSEvent,
    context: Pick<Context, 'getRemainingTimeInMillis'>,
  ): Promise<SQSBatchResponse> => {
    const batchItemFailures: { itemIdentifier: string }[] = [];
    for (const record of Records) {
      const { messageId, receiptHandle } = record;
      const until = dependencies.clock() + context.getRemainingTimeInMillis() - lastPageMilliseconds;
      const outcome = await run(record, until);
      if (outcome === 'ended') continue;
      const age = dependencies.clock() - Number(record.attributes.SentTimestamp);
      await putOff({ receiptHandle, seconds: againSeconds[outcome](age) });
      batchItemFailures.push({ itemIdentifier: messageId });
    }
    return { batchItemFailures };
  };
};
