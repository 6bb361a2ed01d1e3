import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { machineClock } from '../../clock.ts';
import { pollQueue } from '../../engines/event-sources/queue-poller.ts';
import type { EventSourceMapping } from '../../engines/event-sources/types.ts';
import type { InvocationResult } from '../../engines/lambda/types.ts';
import type { QueueMessage } from '../../engines/messaging/types.ts';

const message: QueueMessage = {
  messageId: 'm',
  receiptHandle: 'r',
  body: '{}',
  md5OfBody: '',
  attributes: {},
  messageAttributes: {},
};

let waiting: number;
let isBroken: boolean;
let receives: number;
let running: (() => void)[];
let stopping: AbortController;
let polling: Promise<void>;

const start = (changes: Partial<EventSourceMapping> = {}): void => {
  polling = pollQueue({
    mapping: {
      id: 'mapping',
      kind: 'queue',
      eventSourceArn: 'arn:aws:sqs:us-east-1:000000000000:queue',
      functionName: 'fn',
      enabled: true,
      batchSize: 1,
      batchingWindowSeconds: 0,
      filters: [],
      reportBatchItemFailures: true,
      bisectBatchOnFunctionError: false,
      maximumRetryAttempts: -1,
      maximumRecordAgeSeconds: -1,
      ...changes,
    },
    engines: {
      dynamodb: { readStream: vi.fn(), latestSequenceNumber: vi.fn() },
      messaging: {
        receive: ({ waitSeconds }) => {
          receives += 1;
          if (isBroken) return Promise.reject(new Error('no queue'));
          if (waiting === 0)
            return new Promise((resolve) => setTimeout(() => resolve([]), waitSeconds * 1_000));
          waiting -= 1;
          return Promise.resolve([message]);
        },
        remove: async () => {},
        send: vi.fn(),
        publish: vi.fn(),
      },
      lambda: {
        invoke: () =>
          new Promise<InvocationResult>((resolve) => {
            running.push(() => resolve({ ok: true, payload: null, requestId: 'id' }));
          }),
        describe: vi.fn(),
      },
      clock: machineClock,
      report: () => {},
    },
    signal: stopping.signal,
  });
};

const pass = (seconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(seconds * 1_000);

beforeEach(() => {
  vi.useFakeTimers();
  waiting = Number.POSITIVE_INFINITY;
  isBroken = false;
  receives = 0;
  running = [];
  stopping = new AbortController();
});

afterEach(async () => {
  stopping.abort();
  await vi.runAllTimersAsync();
  await polling;
  vi.useRealTimers();
});

describe('the concurrent batches of a queue mapping', () => {
  it('start at five, and grow by up to 300 each minute while messages are waiting', async () => {
    start();
    await pass(0);
    expect(running).toHaveLength(5);

    await pass(60);
    expect(running).toHaveLength(305);
  });

  it('are limited by the maximum concurrency of the mapping', async () => {
    start({ maximumConcurrency: 7 });
    await pass(60);

    expect(running).toHaveLength(7);
  });

  it('start at five again after the queue was empty for a while', async () => {
    start();
    await pass(10);
    waiting = 0;
    for (const end of running.splice(0)) end();
    await pass(30);
    waiting = Number.POSITIVE_INFINITY;
    while (running.length === 0) await pass(0.1);

    // There may be ten, because the next second, which adds five, may end at this very moment.
    expect([5, 10]).toContain(running.length);
  });

  it('do not grow while the queue cannot be read', async () => {
    isBroken = true;
    start();
    await pass(60);
    receives = 0;
    await pass(10);

    // Each poller asks again after ten seconds at most.
    expect(receives).toBeLessThanOrEqual(10);
  });

  it('are limited to one for a FIFO queue', async () => {
    start({ eventSourceArn: 'arn:aws:sqs:us-east-1:000000000000:queue.fifo' });
    await pass(60);

    expect(running).toHaveLength(1);
  });
});
