import * as z from 'zod';
import { checksummed } from '../../chain/hex.ts';
import { contractLinkDays, type LinkedWallet } from '../wallet.ts';

export const challengeSchema = z
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

export const walletSchema = z
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

export const walletAnswer = ({
  address,
  linkedAt,
  opensUntil,
}: LinkedWallet): z.output<typeof walletSchema> => ({
  address: checksummed(address),
  linked_at: new Date(linkedAt).toISOString(),
  ...(opensUntil !== undefined && { expires_at: new Date(opensUntil).toISOString() }),
});
