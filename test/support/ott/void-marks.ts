import type { VoidToken } from '../../../shared/ott/ports/void-tickets.ts';
import { dynamoDbVoidChanges, dynamoDbVoidTickets } from '../../../shared/ott/store/void-tickets.ts';
import type { DocumentClient } from '../../../shared/platform/store/client.ts';

/** Void tokens as functions read them, and as a call of the service changes them. */
export const voidMarks = (
  client: DocumentClient,
  { Events: events, TokenHistory: history }: { readonly Events: string; readonly TokenHistory: string },
) => {
  const changes = dynamoDbVoidChanges({ client, tables: { events, history } });
  const by = 'a test';
  return {
    ...dynamoDbVoidTickets({ client, tableName: events }),
    add: (token: VoidToken) => changes.add({ ...token, by }),
    remove: ({ contract, tokenId }: Pick<VoidToken, 'contract' | 'tokenId'>, at = Date.now()) =>
      changes.remove({ contract, tokenId, at, by }),
  };
};
