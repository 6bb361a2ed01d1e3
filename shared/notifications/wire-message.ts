import * as z from 'zod';
import { dateTimeSchema } from '../platform/date-time.ts';
import {
  type ChainMessage,
  chainOperationTypes,
  isChainMessage,
  type Message,
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

const messageSchema = z.union([
  wireMessageSchema.transform(
    (body): UserMessage => ({
      operationType: body.operation_type,
      applicationUserSub: body.application_user_sub,
      dateTime: body.date_time,
    }),
  ),
  wireChainMessageSchema.transform(
    ({ id, part, failure_reason, ...body }): ChainMessage => ({
      operationType: body.operation_type,
      contractAddress: body.contract_address,
      ...(id === undefined ? {} : { tokenId: id }),
      ...(part === undefined ? {} : { part }),
      status: body.status,
      transactionHash: body.transaction_hash,
      ...(failure_reason === undefined ? {} : { failureReason: failure_reason }),
      dateTime: body.date_time,
    }),
  ),
]);

export type WireMessage = z.output<typeof wireMessageSchema> | z.output<typeof wireChainMessageSchema>;

const wireUserMessage = ({ operationType, applicationUserSub, dateTime }: UserMessage): WireMessage => ({
  operation_type: operationType,
  application_user_sub: applicationUserSub,
  date_time: dateTime,
});

const wireChainMessage = ({ tokenId, part, failureReason, ...message }: ChainMessage): WireMessage => ({
  operation_type: message.operationType,
  contract_address: message.contractAddress,
  ...(tokenId === undefined ? {} : { id: tokenId }),
  ...(part === undefined ? {} : { part }),
  status: message.status,
  transaction_hash: message.transactionHash,
  ...(failureReason === undefined ? {} : { failure_reason: failureReason }),
  date_time: message.dateTime,
});

export const wireMessage = (message: Message): WireMessage =>
  isChainMessage(message) ? wireChainMessage(message) : wireUserMessage(message);

export const messageIn = (body: unknown): Message | undefined => messageSchema.safeParse(body).data;
