import { type EngineClock, waitBy } from '../../clock.ts';
import { resourceOfArn } from '../account.ts';
import type { Metrics } from '../metrics/types.ts';
import type { Messaging } from './types.ts';

const sampleMilliseconds = 15_000;

type Queues = Pick<Messaging, 'createQueue' | 'deleteQueue' | 'queueAttributes'>;

export const measuredQueues = (
  queues: Queues,
  {
    metrics,
    clock,
    onError,
  }: {
    readonly metrics: Pick<Metrics, 'put'>;
    readonly clock: EngineClock;
    readonly onError: (error: unknown) => void;
  },
) => {
  const known = new Set<string>();

  const sample = async (): Promise<void> => {
    for (const queueArn of known) {
      const { ApproximateNumberOfMessages: value = '0' } = await queues.queueAttributes(queueArn);
      metrics.put({
        namespace: 'AWS/SQS',
        name: 'ApproximateNumberOfMessagesVisible',
        dimensions: { QueueName: resourceOfArn(queueArn) },
        value: Number(value),
        at: clock.now(),
      });
    }
  };
  const stopping = new AbortController();
  const { signal } = stopping;
  const sampleRegularly = async (): Promise<void> => {
    while (!signal.aborted) {
      await waitBy(clock, sampleMilliseconds, signal).catch(() => {});
      if (!signal.aborted) await sample().catch(onError);
    }
  };
  const sampling = sampleRegularly();

  return {
    createQueue: async (queue: Parameters<Queues['createQueue']>[0]) => {
      const created = await queues.createQueue(queue);
      known.add(created.arn);
      return created;
    },
    deleteQueue: async (queueArn: string) => {
      known.delete(queueArn);
      await queues.deleteQueue(queueArn);
    },
    stop: async () => {
      stopping.abort();
      await sampling;
    },
  };
};
