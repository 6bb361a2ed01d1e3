import { resourceOfArn } from '../account.ts';
import type { Metrics } from '../metrics/types.ts';
import type { Messaging } from './types.ts';

const sampleMilliseconds = 15_000;

type Queues = Pick<Messaging, 'createQueue' | 'deleteQueue' | 'queueAttributes'>;

export const measuredQueues = (
  queues: Queues,
  {
    metrics,
    onError,
  }: { readonly metrics: Pick<Metrics, 'put'>; readonly onError: (error: unknown) => void },
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
        at: Date.now(),
      });
    }
  };
  let sampling: Promise<void> | undefined;
  const timer = setInterval(() => {
    sampling ??= sample()
      .catch(onError)
      .finally(() => {
        sampling = undefined;
      });
  }, sampleMilliseconds);
  timer.unref();

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
      clearInterval(timer);
      await sampling;
    },
  };
};
