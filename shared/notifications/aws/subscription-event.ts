import { gunzipSync } from 'node:zlib';
import * as z from 'zod';

/** The event with which CloudWatch Logs invokes the function of a subscription filter. */
export const subscriptionEventSchema = z.object({ awslogs: z.object({ data: z.base64() }) });

/** The decoded payload of the event. */
const payloadSchema = z.discriminatedUnion('messageType', [
  z.object({
    messageType: z.literal('DATA_MESSAGE'),
    logEvents: z.array(z.object({ timestamp: z.number(), message: z.string() })),
  }),
  // CloudWatch Logs sends this message to check whether the function can be reached.
  z.object({ messageType: z.literal('CONTROL_MESSAGE') }),
]);

/** The lines that the event passes on. Throws on an unknown form. */
export const linesIn = ({
  awslogs,
}: z.output<typeof subscriptionEventSchema>): { readonly timestamp: number; readonly line: string }[] => {
  const text = gunzipSync(Buffer.from(awslogs.data, 'base64')).toString('utf8');
  const payload = payloadSchema.parse(JSON.parse(text));
  if (payload.messageType === 'CONTROL_MESSAGE') return [];
  return payload.logEvents.map(({ timestamp, message }) => ({ timestamp, line: message }));
};
