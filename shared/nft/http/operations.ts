import * as z from 'zod';
import { operation } from '../../http/operation.ts';
import { pageQuery } from '../../http/page.ts';
import {
  contractAnswerSchema,
  contractMetadataSchema,
  nftAnswerSchema,
  nftBatchAnswerSchema,
  tokenMetadataSchema,
} from './answers.ts';
import {
  batchBodyBytesAtMost,
  contractPathSchema,
  createContractSchema,
  mintBatchSchema,
  mintTokenSchema,
  tokenPathSchema,
} from './requests.ts';

const contracts = '/api/v1/nft/contracts';
const contract = `${contracts}/{contract_address}`;

const shared = { api: 'base', tag: 'NFT', security: 'api-key' } as const;

const idempotency = {
  'Idempotency-Key': {
    schema: z.string().min(1).max(255).optional(),
    description:
      'Makes a repetition safe: the same key with the same body answers what the first request made, as it is now.',
  },
};

const costly = [
  'BAD_REQUEST',
  'FORBIDDEN',
  'IDEMPOTENCY_KEY_IN_USE',
  'IDEMPOTENCY_KEY_REUSED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'DAILY_LIMIT_REACHED',
  'CHAIN_UNAVAILABLE',
  'SERVICE_UNAVAILABLE',
] as const;

const listQuerySchema = z.strictObject(pageQuery);
export type PageQuery = z.output<typeof listQuerySchema>;

const pageHeaders = { Link: 'The next page, with `rel="next"`; absent on the last (RFC 8288)' };
const madeHeaders = { Location: 'Where it can be read from now on' };

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

export const createContractOperation = operation({
  ...shared,
  operationId: 'createContract',
  method: 'POST',
  route: contracts,
  documentedRoute: `${contracts}/`,
  summary: 'Deploy a contract, which is a collection',
  description:
    'The address is known at once and tokens can be minted right away; `is_confirmed` turns true when the chain has made it final.',
  requestHeaders: idempotency,
  body: createContractSchema,
  success: { status: 201, description: 'The contract', body: contractAnswerSchema, headers: madeHeaders },
  errors: costly,
});

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

export const mintTokenOperation = operation({
  ...shared,
  operationId: 'mintToken',
  method: 'POST',
  route: `${contract}/mint`,
  summary: 'Mint a token into a contract',
  description:
    'The contract need not be confirmed. `is_confirmed` turns true when the chain has made the token final.',
  requestHeaders: idempotency,
  path: contractPathSchema,
  body: mintTokenSchema,
  success: { status: 201, description: 'The token', body: nftAnswerSchema, headers: madeHeaders },
  errors: [...costly, 'CONTRACT_NOT_FOUND', 'CONTRACT_FAILED'],
});

export const mintBatchOperation = operation({
  ...shared,
  operationId: 'mintBatch',
  method: 'POST',
  route: `${contract}/mint/batch`,
  summary: 'Mint up to 95 tokens into a contract at once',
  description:
    'One transaction makes all of the tokens or none of them, with consecutive ids in the order of the request. Each is then a token like any other. A token of it costs about two thirds of the gas of one that is minted alone. The body may have 256 KB.',
  requestHeaders: idempotency,
  path: contractPathSchema,
  body: mintBatchSchema,
  bodyBytesAtMost: batchBodyBytesAtMost,
  success: { status: 201, description: 'The tokens', body: nftBatchAnswerSchema },
  errors: [...costly, 'CONTRACT_NOT_FOUND', 'CONTRACT_FAILED'],
});

export const listTokensOperation = operation({
  ...shared,
  operationId: 'listTokens',
  method: 'GET',
  route: `${contract}/tokens`,
  documentedRoute: `${contract}/tokens/`,
  summary: 'List the tokens of a contract, newest first',
  description: 'Of a contract of the application whose key is sent.',
  path: contractPathSchema,
  query: listQuerySchema,
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
