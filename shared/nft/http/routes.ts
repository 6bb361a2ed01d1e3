/**
 * Definitions that all NFT operations share. They have a file of their own, so that functions that only read do not
 * load the schemas of requests that write.
 */
import * as z from 'zod';
import { writtenAddressSchema } from '../../chain/hex.ts';

export const contracts = '/api/v1/nft/contracts';
export const contract = `${contracts}/{contract_address}`;

export const shared = { api: 'base', tag: 'NFT', security: 'api-key' } as const;

const contractAddressSchema = writtenAddressSchema.meta({
  description: 'The address of one of your contracts',
  examples: ['0x5FbDB2315678afecb367f032d93F642f64180aa3'],
});

export const contractPathSchema = z.object({ contract_address: contractAddressSchema });
export type ContractPath = z.output<typeof contractPathSchema>;

export const tokenIdSchema = z
  .string()
  .regex(/^(0|[1-9]\d{0,14})$/, 'Must be a token id: a whole number of at most 15 digits');

export const tokenPathSchema = z.object({
  contract_address: contractAddressSchema,
  id: tokenIdSchema.meta({ description: 'The id of a token, decimal', examples: ['1'] }),
});
export type TokenPath = z.output<typeof tokenPathSchema>;
