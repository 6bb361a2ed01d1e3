import type { Message, OperationType } from '../../../shared/notifications/messages/message.ts';

const aboutUser = { applicationUserSub: 'sub', dateTime: '2026-11-20T09:15:02.123456' };
const decided = {
  contractAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  status: 'failed',
  transactionHash: '0xab',
  failureReason: 'REVERTED',
  dateTime: '2026-11-20T09:15:08.123000',
} as const;

/** A message of each operation type, with every field. Tests that walk these have a case for each type that is added. */
export const aMessageOf: {
  readonly [Type in OperationType]: Message & { readonly operationType: Type };
} = {
  data_update: { operationType: 'data_update', ...aboutUser },
  contract_update: { operationType: 'contract_update', part: 'royalty', ...decided },
  token_update: { operationType: 'token_update', tokenId: '7', part: 'revocation', ...decided },
  event_update: {
    operationType: 'event_update',
    change: 'status',
    eventId: 'final',
    status: 'LIVE',
    dateTime: '2026-11-20T20:00:04.000007',
  },
  test: { operationType: 'test', ...aboutUser },
};
