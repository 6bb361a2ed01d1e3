import type { EngineClock } from '../../clock.ts';
import type { StreamRecord } from '../dynamodb/types.ts';
import type { InvocationResult } from '../lambda/types.ts';
import { checkpointFile } from './checkpoint.ts';
import { type DiscardCondition, discardedBatchMessage } from './discarded-batch.ts';
import { compileFilters } from './filter.ts';
import { itemFailures } from './item-failures.ts';
import { backoff, keepPolling, type PollerEngines, pause, unlessStopped } from './poller.ts';
import type { EventSourceMapping } from './types.ts';

/** Lambda polls each shard four times a second. */
const pollMilliseconds = 250;
const getRecordsLimit = 1_000;

/** The database's times follow the machine's clock. */
const createdBy = (clock: EngineClock, { dynamodb, ...record }: StreamRecord): StreamRecord => {
  const createdAt = clock.fromMachine(dynamodb.ApproximateCreationDateTime * 1_000);
  return { ...record, dynamodb: { ...dynamodb, ApproximateCreationDateTime: createdAt / 1_000 } };
};

type Batch = readonly [StreamRecord, ...StreamRecord[]];

export interface StreamPollerOptions {
  readonly mapping: EventSourceMapping;
  readonly engines: PollerEngines;
  readonly checkpointPath: string;
  readonly signal: AbortSignal;
}

/**
 * Polls one shard as Lambda does. Delivers records in order and at least once. Moves on from a record only after the
 * function has handled it or the record was discarded.
 */
export const pollStream = async ({
  mapping,
  engines,
  checkpointPath,
  signal,
}: StreamPollerOptions): Promise<void> => {
  const { dynamodb, report, clock } = engines;
  const streamArn = mapping.eventSourceArn;
  const passes = compileFilters(mapping.filters);
  const file = checkpointFile(checkpointPath, streamArn);
  let after: string | undefined;
  let isPositioned = false;

  const position = async (): Promise<void> => {
    const saved = await file.load();
    after = saved?.after;
    if (saved === undefined) {
      if (mapping.startingPosition === 'LATEST') after = await dynamodb.latestSequenceNumber(streamArn);
      await file.save({ ...(after !== undefined && { after }) });
    }
    isPositioned = true;
  };

  const read = async (): Promise<readonly StreamRecord[]> => {
    const limit = Math.min(mapping.batchSize, getRecordsLimit);
    const from = { streamArn, limit, ...(after !== undefined && { after }) };
    const readOnce = async () =>
      (await unlessStopped(dynamodb.readStream(from), signal)).map((record) => createdBy(clock, record));
    const records = await readOnce();
    if (records.length === 0 || records.length >= limit || mapping.batchingWindowSeconds === 0)
      return records;
    await pause(clock, mapping.batchingWindowSeconds * 1000, signal);
    return readOnce();
  };

  const advance = async (record: StreamRecord): Promise<void> => {
    after = record.dynamodb.SequenceNumber;
    await file.save({ after });
  };

  await keepPolling({
    name: `The stream ${streamArn}`,
    signal,
    clock,
    report,
    round: async () => {
      if (!isPositioned) await position();
      const records = await read();
      const last = records.at(-1);
      if (last === undefined) return pause(clock, pollMilliseconds, signal);
      const [first, ...rest] = records.filter(passes);
      if (first !== undefined) {
        await new BatchDelivery({ mapping, engines, signal, advance }).deliver([first, ...rest]);
      }
      await advance(last);
    },
  });
};

class BatchDelivery {
  readonly #mapping: EventSourceMapping;
  readonly #engines: PollerEngines;
  readonly #signal: AbortSignal;
  readonly #advance: (record: StreamRecord) => Promise<void>;

  constructor(options: {
    readonly mapping: EventSourceMapping;
    readonly engines: PollerEngines;
    readonly signal: AbortSignal;
    readonly advance: (record: StreamRecord) => Promise<void>;
  }) {
    this.#mapping = options.mapping;
    this.#engines = options.engines;
    this.#signal = options.signal;
    this.#advance = options.advance;
  }

  /** Resolves when every record was handled or discarded. */
  async deliver(batch: Batch): Promise<void> {
    let pending: readonly StreamRecord[] = batch;
    let attempts = 0;
    let refusals = 0;
    let result: InvocationResult | undefined;
    for (;;) {
      pending = await this.#discardAged(pending, { attempts, result });
      const [first, ...rest] = pending;
      if (first === undefined) return;
      const current: Batch = [first, ...rest];
      result = await this.#invoke(current);
      if (!result.ok && result.refusal !== undefined) {
        // Lambda throttled the call, which does not count as an attempt of the function.
        refusals += 1;
        await pause(this.#engines.clock, backoff(refusals), this.#signal);
        continue;
      }
      refusals = 0;
      attempts += 1;

      const failedAt = this.#firstFailure(current, result);
      if (failedAt === undefined) {
        await this.#advance(current.at(-1) ?? first);
        return;
      }
      if (failedAt > 0) {
        // The records before the first failure have been handled. The rest becomes a new batch.
        await this.#advance(current[failedAt - 1] ?? first);
        pending = current.slice(failedAt);
        attempts = 0;
        continue;
      }
      if (this.#mapping.bisectBatchOnFunctionError && current.length > 1) {
        const middle = Math.ceil(current.length / 2);
        await this.deliver([first, ...current.slice(1, middle)]);
        pending = current.slice(middle);
        attempts = 0;
        continue;
      }
      const { maximumRetryAttempts } = this.#mapping;
      if (maximumRetryAttempts >= 0 && attempts > maximumRetryAttempts) {
        await this.#discard({ condition: 'RetryAttemptsExhausted', records: current, attempts, result });
        return;
      }
      await pause(this.#engines.clock, backoff(attempts), this.#signal);
    }
  }

  #invoke(batch: Batch): Promise<InvocationResult> {
    const { metrics, clock } = this.#engines;
    const newest = Math.max(...batch.map(({ dynamodb }) => dynamodb.ApproximateCreationDateTime));
    metrics?.put({
      namespace: 'AWS/Lambda',
      name: 'IteratorAge',
      dimensions: { FunctionName: this.#engines.lambda.describe(this.#mapping.functionName).name },
      value: Math.max(0, clock.now() - newest * 1_000),
      at: clock.now(),
    });
    const invocation = this.#engines.lambda.invoke(this.#mapping.functionName, { Records: batch });
    return unlessStopped(invocation, this.#signal);
  }

  /** Index of the first record to retry; `undefined` when all succeeded. */
  #firstFailure(batch: Batch, result: InvocationResult): number | undefined {
    if (!result.ok) return 0;
    if (!this.#mapping.reportBatchItemFailures) return undefined;
    const numbers = batch.map(({ dynamodb }) => dynamodb.SequenceNumber);
    const failures = itemFailures(result.payload, new Set(numbers));
    if (failures === undefined) return 0;
    const at = numbers.findIndex((number) => failures.has(number));
    return at < 0 ? undefined : at;
  }

  async #discardAged(
    records: readonly StreamRecord[],
    tried: { readonly attempts: number; readonly result: InvocationResult | undefined },
  ): Promise<readonly StreamRecord[]> {
    const { maximumRecordAgeSeconds } = this.#mapping;
    if (maximumRecordAgeSeconds < 0) return records;
    const oldest = this.#engines.clock.now() / 1000 - maximumRecordAgeSeconds;
    const firstYoung = records.findIndex(({ dynamodb }) => dynamodb.ApproximateCreationDateTime >= oldest);
    const agedCount = firstYoung < 0 ? records.length : firstYoung;
    const [first, ...rest] = records.slice(0, agedCount);
    if (first === undefined) return records;
    await this.#discard({ condition: 'RecordAgeExceeded', records: [first, ...rest], ...tried });
    return records.slice(agedCount);
  }

  async #discard({
    condition,
    records,
    attempts,
    result,
  }: {
    readonly condition: DiscardCondition;
    readonly records: Batch;
    readonly attempts: number;
    readonly result: InvocationResult | undefined;
  }): Promise<void> {
    const { onFailureArn, functionName, eventSourceArn } = this.#mapping;
    const { lambda, messaging, clock, report } = this.#engines;
    report(`${functionName} discarded ${records.length} records of ${eventSourceArn}: ${condition}`);
    if (onFailureArn !== undefined) {
      const body = discardedBatchMessage({
        condition,
        records,
        functionArn: lambda.describe(functionName).arn,
        streamArn: eventSourceArn,
        invokeCount: attempts,
        now: clock.now(),
        ...(result && { result }),
      });
      if (onFailureArn.startsWith('arn:aws:sns:'))
        await messaging.publish({ topicArn: onFailureArn, message: body });
      else await messaging.send({ queueArn: onFailureArn, body });
    }
    await this.#advance(records.at(-1) ?? records[0]);
  }
}
