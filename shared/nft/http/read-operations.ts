import * as z from 'zod';
import { operation } from '../../platform/http/operation.ts';
import { contractAnswerSchema, nftAnswerSchema, ownerAnswerSchema } from './answers.ts';
import { tokenHistorySchema } from './history-answers.ts';
import { contractMetadataSchema, tokenMetadataSchema } from './metadata-answers.ts';
import { listQuerySchema, listTokensQuerySchema } from './read-requests.ts';
import { contract, contractPathSchema, contracts, shared, tokenPathSchema } from './routes.ts';

const pageHeaders = {
  Link: 'The URL of the next page, with `rel="next"` (RFC 8288). Absent on the last page',
};
const metadataHeaders = {
  'Cache-Control': '`no-cache`: the response may be stored, but must be revalidated before each use',
  ETag: 'The version of the metadata. If you send it as `If-None-Match`, the response is 304 as long as the metadata has not changed',
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
  description: 'Lists the contracts of the application whose API key is sent.',
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
  description:
    '`is_confirmed` becomes true as soon as the deployment is final on the chain. It never becomes false again.',
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
    'The contract must belong to the application whose API key is sent. With a filter, a page may have fewer tokens than `limit`, or none, without being the last. The last page has no `Link` header.',
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
  description:
    '`is_confirmed` becomes true as soon as the mint is final on the chain. It never becomes false again.',
  path: tokenPathSchema,
  success: { status: 200, description: 'The token', body: nftAnswerSchema },
  errors: ['BAD_REQUEST', 'FORBIDDEN', 'CONTRACT_NOT_FOUND', 'NFT_NOT_FOUND'],
});

export const getTokenHistoryOperation = operation({
  ...shared,
  operationId: 'getTokenHistory',
  method: 'GET',
  route: `${contract}/tokens/{id}/history`,
  summary: 'Get what happened to a token',
  description:
    'Who had the token while it was reserved, its transactions, and when it was void, oldest first. Users are named by your identifiers for them, if they are still registered. Who got the token on the chain after it was minted is not in the history: ask for its owner. A transaction of the last second may be missing.',
  path: tokenPathSchema,
  success: { status: 200, description: 'The history', body: tokenHistorySchema },
  errors: ['BAD_REQUEST', 'FORBIDDEN', 'CONTRACT_NOT_FOUND', 'NFT_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
});

export const getTokenOwnerOperation = operation({
  ...shared,
  operationId: 'getTokenOwner',
  method: 'GET',
  route: `${contract}/tokens/{id}/owner`,
  summary: 'Get the current owner of a token',
  description:
    'Reads the owner from the newest block of the chain. Returns 404 until the token is on the chain, also while it is reserved, and after it has been burnt.',
  path: tokenPathSchema,
  success: { status: 200, description: 'The owner', body: ownerAnswerSchema },
  errors: ['BAD_REQUEST', 'FORBIDDEN', 'CONTRACT_NOT_FOUND', 'NFT_NOT_FOUND', 'CHAIN_UNAVAILABLE'],
});

export const getContractMetadataOperation = operation({
  ...publicShared,
  operationId: 'getContractMetadata',
  route: `${contract}/metadata`,
  summary: 'Get a contract’s metadata',
  description: 'The contract’s `contractURI` points to this URL (ERC-7572). No API key is needed.',
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
  description: 'The token’s `tokenURI` points to this URL (ERC-721). No API key is needed.',
  path: tokenPathSchema,
  success: {
    status: 200,
    description: 'The metadata',
    body: tokenMetadataSchema,
    headers: metadataHeaders,
  },
  errors: ['BAD_REQUEST', 'CONTRACT_NOT_FOUND', 'NFT_NOT_FOUND'],
});
