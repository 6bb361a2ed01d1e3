import { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { sqsDeliveryLines } from '../../../shared/adapters/sqs/delivery-lines.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { forwardDeliveriesHandler } from './handler.ts';

const environment = parseEnvironment(z.object({ RECORD_QUEUE_URL: z.string().min(1) }));

export const handler = forwardDeliveriesHandler({
  forward: sqsDeliveryLines({
    client: new SQSClient({
      maxAttempts: 5,
      requestHandler: { connectionTimeout: 1_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
    }),
    queueUrl: environment.RECORD_QUEUE_URL,
  }),
});
