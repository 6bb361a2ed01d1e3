import * as z from 'zod';
import { writtenReceiverSchema } from '../../chain/hex.ts';
import { pageQuery } from '../../platform/http/page-query.ts';
import { nftStatusSchema } from '../tokens/status.ts';

export const listQuerySchema = z.strictObject(pageQuery);
export type PageQuery = z.output<typeof listQuerySchema>;

export const listTokensQuerySchema = z.strictObject({
  ...pageQuery,
  destination: writtenReceiverSchema
    .optional()
    .describe(
      'An address: only tokens that were minted to it, even if another address holds them now. Your `application_user_sub` of a user: only tokens that are reserved for the user',
    ),
  status: nftStatusSchema.optional().describe('Only tokens with this status'),
});
export type ListTokensQuery = z.output<typeof listTokensQuerySchema>;
