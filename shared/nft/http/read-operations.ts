import * as z from 'zod';
import { operation } from '../../http/operation.ts';
import { pageQuery } from '../../http/page.ts';
import { nftSchema } from '../collection/nft.ts';
import { writtenAddressSchema } from '../hex.ts';
import {
  contractAnswerSchema,
  contractMetadataSchema,
  nftAnswerSchema,
  ownerAnswerSchema,
  tokenMetadataSchema,
} from './answers.ts';
import { contract, contractPathSchema, contracts, shared, tokenPathSchema } from './routes.ts';

const listQuerySchema = z.strictObject(pageQuery);
export type PageQuery = z.output<typeof listQuerySchema>;

const listTokensQuerySchema = z.strictObject({
  ...pageQuery,
  destination: writtenAddressSchema
    .optional()
    .describe('Only tokens that were minted to this address, whoever holds them now'),
  status: nftSchema.shape.status.optional().describe('Only tokens with this status'),
});
export type ListTokensQuery = z.output<typeof listTokensQuerySchema>;

const pageHeaders = { Link: 'The next page, with `rel="next"`; absent on the last (RFC 8288)' };
const metadataHeaders = {
  'Cache-Control': '`no-cache`: it may be kept, and has to be asked for before each use',
  ETag: 'Sent back as `If-None-Match`, the answer is 304 as long as nothing has changed',
};

const publicShared = {
  api: 'base',
  method: 'GET',
  tag: 'NFT metadata',
  security: 'none',
  cors: true,
} as const;

export const listContractsOperation = operation({
  ...shared,
  operationId: 'listContracts',
  method: 'GET',
  route: contracts,
  documentedRoute: `${contracts}/`,
  summary: 'List contracts, newest first',
  description: 'Those of the application whose key is sent.',
  query: listQuerySchema,
  success: {
    status: 200,
    description: 'A page of contracts',
    body: z.array(contractAnswerSchema),
    headers: pageHeaders,
  },
  errors: ['BAD_REQUEST', 'FORBIDDEN'],
});

export const getContractOperation = operation({
  ...shared,
  operationId: 'getContract',
  method: 'GET',
  route: contract,
  summary: 'Get a contract',
  description: '`is_confirmed` turns true when the chain has made it final, and never turns back.',
  path: contractPathSchema,
  success: { status: 200, description: 'The contract', body: contractAnswerSchema },
  errors: ['BAD_REQUEST', 'FORBIDDEN', 'CONTRACT_NOT_FOUND'],
});

export const listTokensOperation = operation({
  ...shared,
  operationId: 'listTokens',
  method: 'GET',
  route: `${contract}/tokens`,
  documentedRoute: `${contract}/tokens/`,
  summary: 'List the tokens of a contract, newest first',
  description:
    'Of a contract of the application whose key is sent. With a filter a page may have fewer tokens than `limit`, or none, and yet not be the last: only the absence of `Link` says that.',
  path: contractPathSchema,
  query: listTokensQuerySchema,
  success: {
    status: 200,
    description: 'A page of tokens',
    body: z.array(nftAnswerSchema),
    headers: pageHeaders,
  },
  errors: ['BAD_REQUEST', 'FORBIDDEN', 'CONTRACT_NOT_FOUND'],
});

export const getTokenOperation = operation({
  ...shared,
  operationId: 'getToken',
  method: 'GET',
  route: `${contract}/tokens/{id}`,
  summary: 'Get a token',
  description: '`is_confirmed` turns true when the chain has made it final, and never turns back.',
  path: tokenPathSchema,
  success: { status: 200, description: 'The token', body: nftAnswerSchema },
  errors: ['BAD_REQUEST', 'FORBIDDEN', 'CONTRACT_NOT_FOUND', 'NFT_NOT_FOUND'],
});

export const getTokenOwnerOperation = operation({
  ...shared,
  operationId: 'getTokenOwner',
  method: 'GET',
  route: `${contract}/tokens/{id}/owner`,
  summary: 'Get who holds a token now',
  description:
    'As the chain has it at its newest block. 404 before the token is on the chain, and after it was burnt.',
  path: tokenPathSchema,
  success: { status: 200, description: 'The owner', body: ownerAnswerSchema },
  errors: ['BAD_REQUEST', 'FORBIDDEN', 'CONTRACT_NOT_FOUND', 'NFT_NOT_FOUND', 'CHAIN_UNAVAILABLE'],
});

export const getContractMetadataOperation = operation({
  ...publicShared,
  operationId: 'getContractMetadata',
  route: `${contract}/metadata`,
  summary: 'Get a contract’s metadata',
  description: 'ERC-7572: what `contractURI` on the chain points to. Open to everybody.',
  path: contractPathSchema,
  success: {
    status: 200,
    description: 'The metadata',
    body: contractMetadataSchema,
    headers: metadataHeaders,
  },
  errors: ['BAD_REQUEST', 'CONTRACT_NOT_FOUND'],
});

export const getTokenMetadataOperation = operation({
  ...publicShared,
  operationId: 'getTokenMetadata',
  route: `${contract}/metadata/{id}`,
  summary: 'Get a token’s metadata',
  description: 'ERC-721: what `tokenURI` on the chain points to. Open to everybody.',
  path: tokenPathSchema,
  success: {
    status: 200,
    description: 'The metadata',
    body: tokenMetadataSchema,
    headers: metadataHeaders,
  },
  errors: ['BAD_REQUEST', 'CONTRACT_NOT_FOUND', 'NFT_NOT_FOUND'],
});
