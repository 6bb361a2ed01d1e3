import * as z from 'zod';
import { sqsDeliveryLines } from '../../../shared/adapters/sqs/delivery-lines.ts';
import { sqsQueue } from '../../../shared/adapters/sqs/queue.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { forwardDeliveriesHandler } from './handler.ts';

const environment = parseEnvironment(z.object({ RECORD_QUEUE_URL: z.string().min(1) }));
export type Environment = typeof environment;

export const handler = forwardDeliveriesHandler({
  forward: sqsDeliveryLines(
    sqsQueue(environment.RECORD_QUEUE_URL, { maxAttempts: 5, requestTimeoutMilliseconds: 5_000 }),
  ),
});
