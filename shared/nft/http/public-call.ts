import { createHash } from 'node:crypto';
import type { Address } from '../../chain/hex.ts';
import type { HttpResponse } from '../../platform/http/http-function.ts';
import type { HttpRequest } from '../../platform/http/request.ts';
import type { Contract } from '../collections/contract.ts';
import { ContractNotFoundError, NftNotFoundError } from '../errors.ts';
import type { Contracts } from '../ports/contracts.ts';
import type { Nfts } from '../ports/nfts.ts';
import { isBurnt } from '../tokens/gone.ts';
import type { Nft } from '../tokens/nft.ts';
import type { TokenPath } from './routes.ts';

/** A contract whose deployment failed does not exist on the chain, so it has no public metadata. */
export const findPublicContract = async (
  contracts: Pick<Contracts, 'findPublic'>,
  address: Address,
): Promise<Contract> => {
  const contract = await contracts.findPublic(address);
  if (contract === undefined || contract.status === 'failed') throw new ContractNotFoundError({ address });
  return contract;
};

/** A burnt, reserved or failed token has no public metadata. */
export const findPublicToken = async (
  {
    contracts,
    nfts,
  }: { readonly contracts: Pick<Contracts, 'findPublic'>; readonly nfts: Pick<Nfts, 'find'> },
  { contract_address: address, id: tokenId }: TokenPath,
): Promise<Nft> => {
  const { applicationId } = await findPublicContract(contracts, address);
  const nft = await nfts.find({ applicationId, contract: address, tokenId });
  const isMinted = nft?.status === 'pending' || nft?.status === 'confirmed';
  if (!isMinted || isBurnt(nft)) throw new NftNotFoundError({ address, tokenId });
  return nft;
};

/** Whether the If-None-Match header lists this ETag. The comparison is weak (RFC 9110, 13.1.2). */
const isNamedBy = (header: string | undefined, etag: string): boolean =>
  (header ?? '')
    .split(',')
    .map((named) => named.trim().replace(/^W\//, ''))
    .some((named) => named === etag || named === '*');

/**
 * Caches may store public metadata, but must revalidate it before each use (`no-cache`), so that they never serve old
 * metadata after a change. If the metadata is unchanged, revalidation costs only a 304 response.
 * `Vary` is set here because API Gateway compresses responses but does not set this header itself.
 */
export const publicMetadataAnswer = (
  request: Pick<HttpRequest<unknown, unknown, unknown>, 'header'>,
  metadata: Readonly<Record<string, unknown>>,
): HttpResponse => {
  const hash = createHash('sha256').update(JSON.stringify(metadata)).digest('base64url');
  const etag = `"${hash}"`;
  const headers = { 'cache-control': 'public, no-cache', etag, vary: 'Accept-Encoding' };
  return isNamedBy(request.header('if-none-match'), etag)
    ? { status: 304, headers }
    : { status: 200, headers, body: metadata };
};
