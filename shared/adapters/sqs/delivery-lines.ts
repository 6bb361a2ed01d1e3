import type * as z from 'zod';
import type { deliveryLinesSchema } from '../../notifications/record-queue.ts';
import type { Queue } from './queue.ts';

type Line = z.input<typeof deliveryLinesSchema>['delivery_lines'][number];

/** A line has about 700 bytes, a message of SQS takes 256 KB. */
const linesAtOnce = 100;

/** Puts lines of SNS's delivery log into the record's queue. */
export const sqsDeliveryLines =
  (queue: Pick<Queue, 'send'>) =>
  async (lines: readonly Line[]): Promise<void> => {
    for (let start = 0; start < lines.length; start += linesAtOnce) {
      const body: z.input<typeof deliveryLinesSchema> = {
        delivery_lines: lines.slice(start, start + linesAtOnce),
      };
      await queue.send(JSON.stringify(body));
    }
  };
