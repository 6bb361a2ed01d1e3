import type * as z from 'zod';
import type { Queue } from './queue.ts';
import type { deliveryLinesSchema } from './record-queue.ts';

type Line = z.input<typeof deliveryLinesSchema>['delivery_lines'][number];

/** SQS's limit for a message is 256 KB. */
const messageBytes = 250_000;

const bytesOf = (line: Line): number => Buffer.byteLength(JSON.stringify(line)) + 1;

/** A line that is too long for a message is cut. The recorder then counts it as unreadable. */
const fitting = (line: Line): Line =>
  // The first 10,000 characters always fit. In the worst case, each character is an escape of six bytes (`\u0000`), and
  // a second JSON encoding doubles its backslash.
  bytesOf(line) > messageBytes ? { ...line, line: line.line.slice(0, 10_000) } : line;

/** Sends lines of SNS's delivery log to the recorder's queue. Each message contains as many lines as fit. */
export const sqsDeliveryLines =
  (queue: Pick<Queue, 'send'>) =>
  async (lines: readonly Line[]): Promise<void> => {
    const send = async (delivery_lines: Line[]): Promise<void> => {
      const body: z.input<typeof deliveryLinesSchema> = { delivery_lines };
      await queue.send(JSON.stringify(body));
    };
    let next: Line[] = [];
    let bytes = 0;
    for (const line of lines.map(fitting)) {
      const more = bytesOf(line);
      if (next.length > 0 && bytes + more > messageBytes) {
        await send(next);
        next = [];
        bytes = 0;
      }
      next.push(line);
      bytes += more;
    }
    if (next.length > 0) await send(next);
  };
