import * as z from 'zod';
import { dateTimeSchema } from '../date-time.ts';
import { type Message, operationTypes } from './message.ts';

/** The body that a customer's endpoint is sent (2.4): these three fields and no other. The operation is a message attribute, too. */
export const wireMessageSchema = z
  .strictObject({
    operation_type: z.enum(operationTypes),
    application_user_sub: z.string().min(1),
    date_time: dateTimeSchema.describe('When the data changed: UTC, with microseconds and without a zone'),
  })
  .meta({
    id: 'Notification',
    description: 'Read this user again.',
    examples: [
      {
        operation_type: 'data_update',
        application_user_sub: '9f0c2b4e-6a51-4c1e-8f0a-3f3de1d6a2c7',
        date_time: '2026-11-20T09:15:02.123456',
      },
    ],
  });

const messageSchema = wireMessageSchema.transform(
  (body): Message => ({
    operationType: body.operation_type,
    applicationUserSub: body.application_user_sub,
    dateTime: body.date_time,
  }),
);

export const wireMessage = ({
  operationType,
  applicationUserSub,
  dateTime,
}: Message): z.output<typeof wireMessageSchema> => ({
  operation_type: operationType,
  application_user_sub: applicationUserSub,
  date_time: dateTime,
});

/** The message of such a body; `undefined` for anything else. */
export const messageIn = (body: unknown): Message | undefined => messageSchema.safeParse(body).data;
