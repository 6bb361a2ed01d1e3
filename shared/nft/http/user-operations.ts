/** The calls with which users see the tokens that are reserved for them, and claim them. */
import * as z from 'zod';
import { checksummed } from '../../chain/hex.ts';
import { operation } from '../../platform/http/operation.ts';
import type { Nft } from '../tokens/nft.ts';
import { isUnminted, nftAnswer, nftAnswerSchema } from './answers.ts';
import { tokenHistorySchema } from './history-answers.ts';
import { exampleMetadataAnswer } from './metadata-answers.ts';
import { contractPathSchema, tokenPathSchema } from './routes.ts';
import { claimSchema, userTokensQuerySchema } from './user-requests.ts';

export const userTokenSchema = z
  .strictObject({
    contract_address: z.string().describe('EIP-55 form'),
    ...nftAnswerSchema.shape,
    destinationn: z
      .string()
      .describe(
        'The address that the token was minted to, in EIP-55 form. Empty while the token is reserved',
      ),
  })
  .meta({
    id: 'UserToken',
    description: 'A token that is or was reserved for the user.',
    examples: [
      {
        contract_address: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
        id: '7',
        is_confirmed: false,
        transaction_hash: '',
        destinationn: '',
        metadata: exampleMetadataAnswer,
        status: 'reserved',
        created_at: '2026-11-20T09:15:04.456Z',
      },
    ],
  });

export const userTokenAnswer = (nft: Nft): z.output<typeof userTokenSchema> => ({
  contract_address: checksummed(nft.contract),
  ...nftAnswer(nft),
  // The profile API names the identifier only where a client asks for it.
  ...(isUnminted(nft) && { destinationn: '' }),
});

const shared = { api: 'profile', tag: 'Tokens', security: 'access-token', cors: true } as const;

export const listUserTokensOperation = operation({
  ...shared,
  operationId: 'listUserTokens',
  method: 'GET',
  route: '/user/tokens',
  summary: 'List the tokens that are reserved for the user of the access token, or that the user has claimed',
  description:
    'Lists only tokens of the application that the access token’s client belongs to. The highest ids come first. A token that was reserved a moment ago may be missing. A page may have fewer tokens than `limit`, or none, without being the last. The last page has no `Link` header.',
  query: userTokensQuerySchema,
  success: {
    status: 200,
    description: 'A page of tokens',
    body: z.array(userTokenSchema),
    headers: { Link: 'The URL of the next page, with `rel="next"` (RFC 8288). Absent on the last page' },
  },
  errors: ['BAD_REQUEST', 'UNAUTHORIZED', 'FORBIDDEN', 'USER_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
});

export const getOwnTokenHistoryOperation = operation({
  ...shared,
  operationId: 'getOwnTokenHistory',
  method: 'GET',
  route: '/user/tokens/{contract_address}/{id}/history',
  summary: 'Get what happened to a token while it was the user’s',
  description:
    'The part of the token’s history from when it came to the user of the access token until it left the user, oldest first. No other user is named: `from` and `to` are null instead. The token must be one of the application that the access token’s client belongs to.',
  path: tokenPathSchema,
  success: { status: 200, description: 'The history', body: tokenHistorySchema },
  errors: [
    'BAD_REQUEST',
    'UNAUTHORIZED',
    'FORBIDDEN',
    'USER_NOT_FOUND',
    'NFT_NOT_FOUND',
    'SERVICE_UNAVAILABLE',
  ],
});

export const claimTokenOperation = operation({
  ...shared,
  operationId: 'claimToken',
  method: 'POST',
  route: '/user/tokens/{contract_address}/claim',
  summary: 'Claim a reserved token: mint it to a wallet of the user of the access token',
  description: [
    'The wallet must be linked for some time, which the stage sets (`nft.claimAfterSeconds`, a day by default).',
    'The response does not wait for the chain: `is_confirmed` becomes true as soon as the token is final. If the transaction fails, the token is reserved for the user again and can be claimed again. A repeated call with the same wallet returns the token.',
    'From then on the application that issued the token sees the wallet’s address as the token’s destination.',
  ].join(' '),
  path: contractPathSchema,
  body: claimSchema,
  success: { status: 200, description: 'The token', body: userTokenSchema },
  errors: [
    'BAD_REQUEST',
    'UNAUTHORIZED',
    'FORBIDDEN',
    'WALLET_NOT_LINKED',
    'WALLET_TOO_NEW',
    'USER_NOT_FOUND',
    'CONTRACT_NOT_FOUND',
    'NFT_NOT_FOUND',
    'CONTRACT_FAILED',
    'NFT_FAILED',
    'NFT_ALREADY_CLAIMED',
    'CLAIM_IN_PROGRESS',
    'CONFLICT',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'LIMIT_TOO_SMALL',
    'DAILY_LIMIT_REACHED',
    'CHAIN_UNAVAILABLE',
    'SERVICE_UNAVAILABLE',
  ],
});
