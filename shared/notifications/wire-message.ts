import * as z from 'zod';
import { dateTimeSchema } from '../date-time.ts';
import type { Message } from './message.ts';

const userMessageSchema = z
  .strictObject({
    operation_type: z.literal('data_update'),
    application_user_sub: z.string().min(1),
    date_time: dateTimeSchema,
  })
  .transform(
    (body): Message => ({
      operationType: body.operation_type,
      applicationUserSub: body.application_user_sub,
      dateTime: body.date_time,
    }),
  );

/** The body that a customer's endpoint is sent (2.4): these three fields and no other. */
export const wireMessage = ({ operationType, applicationUserSub, dateTime }: Message) => ({
  operation_type: operationType,
  application_user_sub: applicationUserSub,
  date_time: dateTime,
});

/** The message of such a body; `undefined` for anything else. */
export const messageIn = (body: unknown): Message | undefined => userMessageSchema.safeParse(body).data;
