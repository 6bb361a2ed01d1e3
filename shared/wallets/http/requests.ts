import * as z from 'zod';
import { type Hex, writtenAddressSchema } from '../../chain/hex.ts';

const address = writtenAddressSchema.meta({
  description: 'The address of a wallet',
  examples: ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
});

export const addressPathSchema = z.object({ address });
export type AddressPath = z.output<typeof addressPathSchema>;

export const newChallengeSchema = z
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

/** The maximum length of a signature: 8 KB, at two hexadecimal digits for each byte. */
const signatureDigitsAtMost = 2 * 8 * 1_024;

export const proofSchema = z
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
