import * as z from 'zod';
import { writtenAddressSchema } from '../../chain/hex.ts';
import { pageQuery } from '../../platform/http/page-query.ts';
import { tokenIdSchema } from './routes.ts';

export const claimSchema = z
  .strictObject({
    address: writtenAddressSchema.describe('One of the user’s linked wallets'),
    id: tokenIdSchema.describe('The id of the token'),
  })
  .meta({
    id: 'ClaimRequest',
    description: 'A reserved token, and the wallet to which it is minted.',
    examples: [{ address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', id: '7' }],
  });
export type ClaimRequest = z.output<typeof claimSchema>;

export const userTokensQuerySchema = z.strictObject(pageQuery);
export type UserTokensQuery = z.output<typeof userTokensQuerySchema>;
