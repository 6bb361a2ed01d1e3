import * as z from 'zod';
import { operation } from '../../platform/http/operation.ts';
import { challengeSchema, walletSchema } from './answers.ts';
import { addressPathSchema, newChallengeSchema, proofSchema } from './requests.ts';

const shared = {
  api: 'profile',
  tag: 'Wallets',
  security: 'access-token',
  cors: true,
} as const;

const route = '/user/wallets';

export const createChallengeOperation = operation({
  ...shared,
  operationId: 'createWalletChallenge',
  method: 'POST',
  route: `${route}/challenges`,
  summary: 'Get a message to link a wallet to the user of the access token',
  description:
    'The wallet must sign the message within ten minutes. Send the signature to `PUT /user/wallets/{address}`. The message names the page, the account and the chain. A user can get at most ten messages an hour.',
  body: newChallengeSchema,
  success: { status: 201, description: 'The message', body: challengeSchema },
  errors: [
    'BAD_REQUEST',
    'UNAUTHORIZED',
    'FORBIDDEN',
    'USER_NOT_FOUND',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'TOO_MANY_CHALLENGES',
    'SERVICE_UNAVAILABLE',
  ],
});

export const linkWalletOperation = operation({
  ...shared,
  operationId: 'linkWallet',
  method: 'PUT',
  route: `${route}/{address}`,
  summary: 'Link a wallet to the user of the access token',
  description: [
    'Requires the wallet’s signature over a challenge. A repeated call returns 200 and changes nothing.',
    'A wallet is linked to only one user. If it is linked to another user, the call moves it to this user. After this move, the wallet’s tokens give access to no event until all streams that were signed for the other user have ended: ten seconds longer than `ticketSeconds`, a setting of the stage.',
    'A user can link at most five wallets. After three wrong signatures, a challenge can no longer be used.',
  ].join(' '),
  path: addressPathSchema,
  body: proofSchema,
  success: { status: 200, description: 'The wallet', body: walletSchema },
  errors: [
    'BAD_REQUEST',
    'UNAUTHORIZED',
    'SIGNATURE_INVALID',
    'CONFLICT',
    'WALLET_LIMIT_REACHED',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'CHAIN_UNAVAILABLE',
    'SERVICE_UNAVAILABLE',
  ],
});

export const listWalletsOperation = operation({
  ...shared,
  operationId: 'listWallets',
  method: 'GET',
  route,
  summary: 'List the wallets of the user of the access token',
  description:
    'Lists the wallets in the order in which they were linked. No other call reveals a user’s wallets.',
  success: { status: 200, description: 'The wallets', body: z.array(walletSchema) },
  errors: ['UNAUTHORIZED', 'USER_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
});

export const unlinkWalletOperation = operation({
  ...shared,
  operationId: 'unlinkWallet',
  method: 'DELETE',
  route: `${route}/{address}`,
  summary: 'Unlink a wallet from the user of the access token',
  description:
    'Afterwards the wallet’s tokens no longer give the user access to events. The call also returns 204 if the wallet was not linked.',
  path: addressPathSchema,
  success: { status: 204, description: 'The wallet is not linked' },
  errors: ['BAD_REQUEST', 'UNAUTHORIZED', 'USER_NOT_FOUND', 'CONFLICT', 'SERVICE_UNAVAILABLE'],
});
