import { idempotencyKeySchema, repeatedHeaders } from '../../platform/http/idempotency-key.ts';
import { operation } from '../../platform/http/operation.ts';
import {
  contractAnswerSchema,
  nftAnswerSchema,
  nftBatchAnswerSchema,
  nftListAnswerSchema,
} from './answers.ts';
import { metadataSchema } from './metadata-requests.ts';
import {
  batchBodyBytesAtMost,
  contractMetadataUpdateSchema,
  createContractSchema,
  destinationSchema,
  metadataBatchSchema,
  mintBatchSchema,
  mintTokenSchema,
  royaltyUpdateSchema,
} from './requests.ts';
import { contract, contractPathSchema, contracts, shared, tokenPathSchema } from './routes.ts';

const idempotency = {
  'Idempotency-Key': {
    schema: idempotencyKeySchema.optional(),
    description:
      'Makes a retry safe: a request with the same key and the same body returns what the first request created, in its current state.',
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
  'LIMIT_TOO_SMALL',
  'CHAIN_UNAVAILABLE',
  'SERVICE_UNAVAILABLE',
] as const;

const madeHeaders = { Location: 'The URL of the created resource', ...repeatedHeaders };

export const createContractOperation = operation({
  ...shared,
  operationId: 'createContract',
  method: 'POST',
  route: contracts,
  documentedRoute: `${contracts}/`,
  summary: 'Deploy a contract (a collection of tokens)',
  description:
    'The response contains the contract’s address, and tokens can be minted immediately. `is_confirmed` becomes true as soon as the contract is final on the chain.',
  requestHeaders: idempotency,
  body: createContractSchema,
  success: { status: 201, description: 'The contract', body: contractAnswerSchema, headers: madeHeaders },
  errors: costly,
});

export const mintTokenOperation = operation({
  ...shared,
  operationId: 'mintToken',
  method: 'POST',
  route: `${contract}/mint`,
  summary: 'Mint a token into a contract',
  description:
    'The contract need not be confirmed yet. The token’s `is_confirmed` becomes true as soon as the token is final on the chain. If `destination` is your `application_user_sub` of a user, the token is reserved for the user, who needs no wallet: it is minted when the user claims it, or when you set its destination to an address.',
  requestHeaders: idempotency,
  path: contractPathSchema,
  body: mintTokenSchema,
  success: { status: 201, description: 'The token', body: nftAnswerSchema, headers: madeHeaders },
  errors: [...costly, 'CONTRACT_NOT_FOUND', 'USER_NOT_FOUND', 'CONTRACT_FAILED', 'SUPPLY_EXHAUSTED'],
});

export const mintBatchOperation = operation({
  ...shared,
  operationId: 'mintBatch',
  method: 'POST',
  route: `${contract}/mint/batch`,
  summary: 'Mint up to 95 tokens into a contract in one transaction',
  description:
    'The transaction mints all of the tokens or none of them. Their ids are consecutive, in the order of the request. After the mint, each token can be used like any other token. A token in a full batch costs about two thirds of the gas of a token that is minted alone. The destinations are either all addresses or all users, for whom the tokens are then reserved. The body may be up to 256 KB.',
  requestHeaders: idempotency,
  path: contractPathSchema,
  body: mintBatchSchema,
  bodyBytesAtMost: batchBodyBytesAtMost,
  success: { status: 201, description: 'The tokens', body: nftBatchAnswerSchema, headers: repeatedHeaders },
  errors: [...costly, 'CONTRACT_NOT_FOUND', 'USER_NOT_FOUND', 'CONTRACT_FAILED', 'SUPPLY_EXHAUSTED'],
});

const updating = { ...shared, method: 'PUT', requestHeaders: idempotency } as const;

export const updateTokenMetadataOperation = operation({
  ...updating,
  operationId: 'updateTokenMetadata',
  route: `${contract}/tokens/{id}/metadata`,
  summary: 'Replace the metadata of a token',
  description:
    'The metadata at the token’s `tokenURI` changes immediately. A transaction then announces the change (ERC-4906); `metadata_update.is_confirmed` becomes true as soon as the transaction is final. The call counts as one mint towards the daily limit. A reserved token needs no transaction and has no `metadata_update`, and the call is not counted.',
  path: tokenPathSchema,
  body: metadataSchema,
  success: { status: 200, description: 'The token', body: nftAnswerSchema, headers: repeatedHeaders },
  errors: [
    ...costly,
    'CONTRACT_NOT_FOUND',
    'CONTRACT_FAILED',
    'NFT_NOT_FOUND',
    'NFT_FAILED',
    'NFT_NOT_RESERVED',
    'CONFLICT',
  ],
});

export const updateMetadataBatchOperation = operation({
  ...updating,
  operationId: 'updateMetadataBatch',
  route: `${contract}/metadata/batch`,
  summary: 'Replace the metadata of up to 95 tokens in one call',
  description:
    'Replaces the metadata of every token whose id is from `from` to `to` (inclusive), or of none of them. One transaction announces the change (ERC-4906); `metadata_update.is_confirmed` of each token becomes true as soon as the transaction is final. The call counts as one mint towards the daily limit. If all the tokens are reserved, no transaction is needed; a call for reserved and minted tokens is refused. The body may be up to 256 KB.',
  path: contractPathSchema,
  body: metadataBatchSchema,
  bodyBytesAtMost: batchBodyBytesAtMost,
  success: { status: 200, description: 'The tokens', body: nftListAnswerSchema, headers: repeatedHeaders },
  errors: [
    ...costly,
    'CONTRACT_NOT_FOUND',
    'CONTRACT_FAILED',
    'NFT_NOT_FOUND',
    'NFT_FAILED',
    'NFT_NOT_RESERVED',
    'CONFLICT',
  ],
});

export const updateContractMetadataOperation = operation({
  ...updating,
  operationId: 'updateContractMetadata',
  route: `${contract}/metadata`,
  summary: 'Replace the metadata of a contract',
  description:
    'The metadata at the `contractURI` changes immediately. A transaction then announces the change (ERC-7572); `metadata_update.is_confirmed` becomes true as soon as the transaction is final. The call counts as one mint towards the daily limit.',
  path: contractPathSchema,
  body: contractMetadataUpdateSchema,
  success: { status: 200, description: 'The contract', body: contractAnswerSchema, headers: repeatedHeaders },
  errors: [...costly, 'CONTRACT_NOT_FOUND', 'CONTRACT_FAILED'],
});

export const revokeTokenOperation = operation({
  ...shared,
  operationId: 'revokeToken',
  method: 'POST',
  route: `${contract}/tokens/{id}/revoke`,
  summary: 'Revoke a token',
  description:
    'Burns the token for good, whoever holds it. The contract must have been created with `revocable`. `revocation.is_confirmed` becomes true as soon as the transaction is final; from then on a request for the token’s public metadata returns 404. If the token’s revocation is already pending or confirmed, the call only returns the token. The call counts as one mint towards the daily limit. A reserved token needs no transaction: it is `failed` at once, with `failure_reason` `revoked`, and its place in a limited supply is free again. The request has no body.',
  requestHeaders: idempotency,
  path: tokenPathSchema,
  success: { status: 200, description: 'The token', body: nftAnswerSchema, headers: repeatedHeaders },
  errors: [
    ...costly,
    'CONTRACT_NOT_FOUND',
    'CONTRACT_FAILED',
    'NFT_NOT_FOUND',
    'NFT_FAILED',
    'NOT_REVOCABLE',
    'CONFLICT',
  ],
});

export const setDestinationOperation = operation({
  ...updating,
  operationId: 'setTokenDestination',
  route: `${contract}/tokens/{id}/destination`,
  summary: 'Give a reserved token to another user, or mint it to an address',
  description:
    'Possible as long as the token is reserved. With your `application_user_sub` of another user, the token is reserved for that user from then on; no transaction is needed. With an address, the token is minted to it, as if the user had claimed it; this counts as one mint towards the daily limit, and if the transaction fails, the token is reserved for the user again. If the token goes there already, the call only returns the token.',
  path: tokenPathSchema,
  body: destinationSchema,
  success: { status: 200, description: 'The token', body: nftAnswerSchema, headers: repeatedHeaders },
  errors: [
    ...costly,
    'CONTRACT_NOT_FOUND',
    'CONTRACT_FAILED',
    'NFT_NOT_FOUND',
    'NFT_FAILED',
    'NFT_NOT_RESERVED',
    'NOT_TRANSFERABLE',
    'USER_NOT_FOUND',
    'CLAIM_IN_PROGRESS',
    'CONFLICT',
  ],
});

export const setRoyaltyOperation = operation({
  ...updating,
  operationId: 'setRoyalty',
  route: `${contract}/royalty`,
  summary: 'Set or remove the royalty of a contract',
  description:
    'One transaction sets the royalty of every token (ERC-2981); `royalty.is_confirmed` becomes true as soon as the transaction is final. The call counts as one mint towards the daily limit.',
  path: contractPathSchema,
  body: royaltyUpdateSchema,
  success: { status: 200, description: 'The contract', body: contractAnswerSchema, headers: repeatedHeaders },
  errors: [...costly, 'CONTRACT_NOT_FOUND', 'CONTRACT_FAILED'],
});
