import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type * as z from 'zod';
import type { deliveryLinesSchema } from '../../notifications/record-queue.ts';

type Line = z.input<typeof deliveryLinesSchema>['delivery_lines'][number];

/** A line has about 700 bytes, a message of SQS takes 256 KB. */
const linesAtOnce = 100;

/** Puts lines of SNS's delivery log into the record's queue. */
export const sqsDeliveryLines =
  ({ client, queueUrl }: { readonly client: SQSClient; readonly queueUrl: string }) =>
  async (lines: readonly Line[]): Promise<void> => {
    for (let start = 0; start < lines.length; start += linesAtOnce) {
      const body: z.input<typeof deliveryLinesSchema> = {
        delivery_lines: lines.slice(start, start + linesAtOnce),
      };
      await client.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: JSON.stringify(body) }));
    }
  };
