import * as z from 'zod';
import { checksummed } from '../../chain/hex.ts';
import { contract, shared, tokenPathSchema } from '../../nft/http/routes.ts';
import { operation } from '../../platform/http/operation.ts';
import type { VoidToken } from '../ports/void-tickets.ts';
import { voidTokensAtMost } from '../tickets/void-token.ts';

const voidTokenSchema = z
  .strictObject({
    contract_address: z.string(),
    id: z.string(),
    voided_at: z.iso.datetime().describe('UTC'),
  })
  .meta({
    id: 'VoidToken',
    description: 'A token that is void: it gives access to no event, whoever holds it.',
    examples: [
      {
        contract_address: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
        id: '1',
        voided_at: '2026-05-29T09:01:12.000Z',
      },
    ],
  });

export const voidTokenAnswer = ({
  contract: address,
  tokenId,
  voidedAt,
}: VoidToken): z.output<typeof voidTokenSchema> => ({
  contract_address: checksummed(address),
  id: tokenId,
  voided_at: new Date(voidedAt).toISOString(),
});

const route = `${contract}/tokens/{id}/void`;
const common = { ...shared, route, path: tokenPathSchema } as const;

export const voidTokenOperation = operation({
  ...common,
  operationId: 'voidToken',
  method: 'PUT',
  summary: 'Make a token void',
  description: `A void token gives access to no event, whoever holds it. Use this, for example, after a refund of a ticket. Nothing changes on the chain. The stream of a viewer who watches with this ticket ends within \`ticketSeconds\`, a setting of the stage. At most ${voidTokensAtMost} tokens of a contract can be void.`,
  success: { status: 200, description: 'The token', body: voidTokenSchema },
  errors: [
    'BAD_REQUEST',
    'FORBIDDEN',
    'CONTRACT_NOT_FOUND',
    'NFT_NOT_FOUND',
    'VOID_LIMIT_REACHED',
    'SERVICE_UNAVAILABLE',
  ],
});

export const unvoidTokenOperation = operation({
  ...common,
  operationId: 'unvoidToken',
  method: 'DELETE',
  summary: 'Let a void token give access to events again',
  description: 'The call also returns 204 if the token was not void.',
  success: { status: 204, description: 'The token is not void' },
  errors: ['BAD_REQUEST', 'FORBIDDEN', 'CONTRACT_NOT_FOUND', 'NFT_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
});
