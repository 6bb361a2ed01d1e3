import * as z from 'zod';
import { eventStatuses } from '../../ott/events/event-kinds.ts';
import { dateTimeSchema } from '../../platform/time/date-time.ts';
import {
  byForm,
  type ChainMessage,
  chainOperationTypes,
  type EventMessage,
  eventChanges,
  eventOperationTypes,
  type Message,
  type MessageForm,
  type Messages,
  messageParts,
  type UserMessage,
  userOperationTypes,
} from './message.ts';

/** Exactly these three fields (docs/interface.md#notification). The operation type is also a message attribute. */
export const wireMessageSchema = z
  .strictObject({
    operation_type: z.enum(userOperationTypes),
    application_user_sub: z.string().min(1),
    date_time: dateTimeSchema.describe(
      'When the data changed, in UTC, with microseconds and without a time zone',
    ),
  })
  .meta({
    id: 'Notification',
    description: 'The data of this user has changed: read it again.',
    examples: [
      {
        operation_type: 'data_update',
        application_user_sub: '9f0c2b4e-6a51-4c1e-8f0a-3f3de1d6a2c7',
        date_time: '2026-11-20T09:15:02.123456',
      },
    ],
  });

export const wireChainMessageSchema = z
  .strictObject({
    operation_type: z.enum(chainOperationTypes),
    contract_address: z.string().min(1).describe('EIP-55 form'),
    id: z.string().min(1).optional().describe('The id of the token. Set only for `token_update`'),
    part: z
      .enum(messageParts)
      .optional()
      .describe(
        'Set if the message is about only this part of the contract or token. `royalty` occurs only with `contract_update`, `revocation` only with `token_update`',
      ),
    status: z.enum(['confirmed', 'failed']).describe('The final status, which never changes again'),
    transaction_hash: z.string().min(1),
    failure_reason: z.string().min(1).optional().describe('Set only if `status` is `failed`'),
    date_time: dateTimeSchema.describe(
      'The time when the outcome became known, in UTC, with microseconds and without a time zone',
    ),
  })
  .meta({
    id: 'ChainNotification',
    description:
      'The final outcome of a contract’s deployment or a token’s mint or, if `part` is set, of a change of this part.',
    examples: [
      {
        operation_type: 'token_update',
        contract_address: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
        id: '1',
        status: 'confirmed',
        transaction_hash: '0x9f4a3f3a7c1de0b5a9a7b7b0e6b1d2c3f2b1c7d0d5d6e0ab0c3f3c2d1e8c8d0b',
        date_time: '2026-11-20T09:15:08.123000',
      },
    ],
  });

export const wireEventMessageSchema = z
  .strictObject({
    operation_type: z.enum(eventOperationTypes),
    change: z
      .enum(eventChanges)
      .describe(
        '`created`: you see the event, and did not before. `status`: its status has changed, and perhaps more. `changed`: anything else has changed. `removed`: you do not see it any more. `many`: many events have changed at once, so read the list again',
      ),
    event_id: z.string().min(1).optional().describe('Absent only if `change` is `many`'),
    status: z
      .enum(eventStatuses)
      .optional()
      .describe('The status after the change. Absent if `change` is `removed` or `many`'),
    date_time: dateTimeSchema.describe(
      'When the event changed, in UTC and without a time zone, to the second. The fraction only orders the changes of an event within a second',
    ),
  })
  .refine(
    ({ change, event_id, status }) =>
      (change === 'many') === (event_id === undefined) &&
      (change === 'many' || change === 'removed') === (status === undefined),
  )
  .meta({
    id: 'EventNotification',
    description:
      'An event of the catalogue has changed, as the rules of your application show it. Countries do not matter here.',
    examples: [
      {
        operation_type: 'event_update',
        change: 'status',
        event_id: 'cup-final',
        status: 'LIVE',
        date_time: '2026-11-20T20:00:04.000007',
      },
    ],
  });

/** Reads the messages of each form. */
const readers: { readonly [Form in MessageForm]: z.ZodType<Messages[Form]> } = {
  user: wireMessageSchema.transform(
    (body): UserMessage => ({
      operationType: body.operation_type,
      applicationUserSub: body.application_user_sub,
      dateTime: body.date_time,
    }),
  ),
  chain: wireChainMessageSchema.transform(
    ({ id, part, failure_reason, ...body }): ChainMessage => ({
      operationType: body.operation_type,
      contractAddress: body.contract_address,
      tokenId: id,
      part,
      status: body.status,
      transactionHash: body.transaction_hash,
      failureReason: failure_reason,
      dateTime: body.date_time,
    }),
  ),
  event: wireEventMessageSchema.transform(
    ({ event_id, status, ...body }): EventMessage => ({
      operationType: body.operation_type,
      change: body.change,
      eventId: event_id,
      status,
      dateTime: body.date_time,
    }),
  ),
};
const messageSchema = z.union(Object.values(readers));

export type WireMessage =
  | z.output<typeof wireMessageSchema>
  | z.output<typeof wireChainMessageSchema>
  | z.output<typeof wireEventMessageSchema>;

const wireUserMessage = ({ operationType, applicationUserSub, dateTime }: UserMessage): WireMessage => ({
  operation_type: operationType,
  application_user_sub: applicationUserSub,
  date_time: dateTime,
});

const wireChainMessage = ({ tokenId, part, failureReason, ...message }: ChainMessage): WireMessage => ({
  operation_type: message.operationType,
  contract_address: message.contractAddress,
  id: tokenId,
  part,
  status: message.status,
  transaction_hash: message.transactionHash,
  failure_reason: failureReason,
  date_time: message.dateTime,
});

const wireEventMessage = ({
  operationType,
  change,
  eventId,
  status,
  dateTime,
}: EventMessage): WireMessage => ({
  operation_type: operationType,
  change,
  event_id: eventId,
  status,
  date_time: dateTime,
});

export const wireMessage = (message: Message): WireMessage =>
  byForm(message, { user: wireUserMessage, chain: wireChainMessage, event: wireEventMessage });

export const messageIn = (body: unknown): Message | undefined => messageSchema.safeParse(body).data;
