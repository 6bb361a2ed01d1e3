import { createHash } from 'node:crypto';
import type { HttpResponse } from '../../http/http-function.ts';
import type { HttpRequest } from '../../http/request.ts';
import type { Contract } from '../collection/contract.ts';
import { ContractNotFoundError } from '../errors.ts';
import type { Address } from '../hex.ts';
import type { Contracts } from '../ports/contracts.ts';

/** What failed was never made, so it has no metadata. */
export const findPublicContract = async (
  contracts: Pick<Contracts, 'findPublic'>,
  address: Address,
): Promise<Contract> => {
  const contract = await contracts.findPublic(address);
  if (contract === undefined || contract.status === 'failed') throw new ContractNotFoundError({ address });
  return contract;
};

/** Whether one of the caller's validators matches this one; If-None-Match compares weakly (RFC 9110, 13.1.2). */
const isNamedBy = (header: string | undefined, etag: string): boolean =>
  (header ?? '')
    .split(',')
    .map((named) => named.trim().replace(/^W\//, ''))
    .some((named) => named === etag || named === '*');

/**
 * Public metadata may be stored, but must be revalidated each time (`no-cache`), so that nobody sees what was there
 * before a change. Revalidation is cheap: unchanged metadata is a 304.
 * `Vary`, since API Gateway compresses for those who accept it and does not say so to a cache.
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
