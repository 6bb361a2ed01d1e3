import * as z from 'zod';
import { checksummed, type Hex, writtenAddressSchema } from '../../chain/hex.ts';
import { operation } from '../../platform/http/operation.ts';
import { contractLinkDays, type LinkedWallet } from '../wallet.ts';

const address = writtenAddressSchema.meta({
  description: 'The address of a wallet',
  examples: ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
});

const addressPathSchema = z.object({ address });
export type AddressPath = z.output<typeof addressPathSchema>;

const newChallengeSchema = z
  .strictObject({
    address,
    origin: z
      .string()
      .max(255)
      .describe(
        'The origin of the page, as the browser sends it. It must be one of the application’s configured origins',
      ),
  })
  .meta({
    id: 'WalletChallengeRequest',
    description: 'The wallet to link, and the page on which it signs.',
    examples: [{ address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', origin: 'https://fans.example.com' }],
  });
export type NewChallenge = z.output<typeof newChallengeSchema>;

const challengeSchema = z
  .strictObject({
    challenge_id: z.string(),
    message: z.string().describe('The wallet signs exactly this text (`personal_sign`)'),
    expires_at: z.iso.datetime().describe('UTC'),
  })
  .meta({
    id: 'WalletChallenge',
    description: 'A Sign-In with Ethereum message (EIP-4361) for the wallet to sign.',
    examples: [
      {
        challenge_id: '5f1e0c9d2b3a48679c0e1d2f3a4b5c6d',
        message: 'fans.example.com wants you to sign in with your Ethereum account: …',
        expires_at: '2026-05-29T09:10:00.000Z',
      },
    ],
  });

/** The maximum length of a signature: 8 KB, at two hexadecimal digits for each byte. */
const signatureDigitsAtMost = 2 * 8 * 1_024;

const proofSchema = z
  .strictObject({
    challenge_id: z.string().max(64),
    signature: z
      .string()
      .regex(/^0x([0-9a-fA-F]{2})*$/, 'Must be hexadecimal: 0x and two digits for each byte')
      .max(2 + signatureDigitsAtMost, 'Must be at most 8 KB')
      .describe(
        'As the wallet returns it. A signature that the wallet’s own key did not make is verified by the wallet’s contract (ERC-1271, or ERC-6492 before the contract is deployed)',
      )
      .transform((text) => text.toLowerCase() as Hex),
  })
  .meta({
    id: 'WalletProof',
    description: 'A challenge, and the wallet’s signature over its message.',
    examples: [{ challenge_id: '5f1e0c9d2b3a48679c0e1d2f3a4b5c6d', signature: `0x${'5a'.repeat(65)}` }],
  });
export type Proof = z.output<typeof proofSchema>;

const walletSchema = z
  .strictObject({
    address: z.string(),
    linked_at: z.iso.datetime().describe('UTC'),
    expires_at: z.iso
      .datetime()
      .optional()
      .describe(
        `UTC. From then on the wallet’s tickets give no access until the wallet is linked again. Only if the wallet’s contract has verified the signature: ${contractLinkDays} days after the last proof`,
      ),
  })
  .meta({
    id: 'Wallet',
    description: 'A wallet that is linked to the user.',
    examples: [
      { address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', linked_at: '2026-05-29T09:01:12.000Z' },
    ],
  });

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

export const walletAnswer = ({
  address,
  linkedAt,
  opensUntil,
}: LinkedWallet): z.output<typeof walletSchema> => ({
  address: checksummed(address),
  linked_at: new Date(linkedAt).toISOString(),
  ...(opensUntil !== undefined && { expires_at: new Date(opensUntil).toISOString() }),
});
