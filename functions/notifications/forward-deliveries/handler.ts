import { gunzipSync } from 'node:zlib';
import type { CloudWatchLogsEvent } from 'aws-lambda';
import * as z from 'zod';

export interface Dependencies {
  readonly forward: (
    lines: readonly { readonly timestamp: number; readonly line: string }[],
  ) => Promise<void>;
}

/** The decoded payload that a subscription filter of CloudWatch Logs sends. */
const eventSchema = z.discriminatedUnion('messageType', [
  z.object({
    messageType: z.literal('DATA_MESSAGE'),
    logEvents: z.array(z.object({ timestamp: z.number(), message: z.string() })),
  }),
  // CloudWatch Logs sends this message to check whether the function can be reached.
  z.object({ messageType: z.literal('CONTROL_MESSAGE') }),
]);

export const forwardDeliveriesHandler =
  ({ forward }: Dependencies) =>
  async ({ awslogs }: CloudWatchLogsEvent): Promise<void> => {
    const text = gunzipSync(Buffer.from(awslogs.data, 'base64')).toString('utf8');
    const event = eventSchema.parse(JSON.parse(text));
    if (event.messageType === 'CONTROL_MESSAGE') return;
    await forward(event.logEvents.map(({ timestamp, message }) => ({ timestamp, line: message })));
  };
