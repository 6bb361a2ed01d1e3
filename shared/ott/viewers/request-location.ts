import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { originVerifyHeader } from '../../platform/origin-verify.ts';
import { OriginNotVerifiedError } from '../errors.ts';
import { type Country, countryCodeSchema } from './countries.ts';

export interface RequestHeaders {
  header(name: string): string | undefined;
  isRepeated(name: string): boolean;
  /** The peer address that API Gateway saw. */
  readonly sourceIp: string;
}

export interface RequestLocation {
  readonly address: string;
  readonly country: Country;
}

export type LocateRequest = (request: RequestHeaders) => Promise<RequestLocation>;

/** The header in which CloudFront names the viewer's country. */
export const viewerCountryHeader = 'cloudfront-viewer-country';

/** Without a CloudFront distribution, only the peer address is trusted, because callers can write any header. */
export const locateByPeer: LocateRequest = async ({ sourceIp }) => ({
  address: sourceIp,
  country: undefined,
});

export interface OriginValues {
  /** The values known so far. */
  read(): Promise<readonly string[]>;
  /** Reads the secret again. */
  refresh(): Promise<readonly string[]>;
}

/**
 * Trusts the headers of a CloudFront distribution if the secret in `x-origin-verify` proves that the request came
 * through the distribution. The secret may have two values, so that it can be rotated while the distribution still
 * sends the old one. A value that is not known may be a new one, so the secret is then read again. The web ACL refuses
 * calls with a wrong value before, so this is rare.
 * @throws OriginNotVerifiedError
 */
export const locateByDistribution =
  (originValues: OriginValues): LocateRequest =>
  async (request) => {
    const presented = request.header(originVerifyHeader);
    const isVerified =
      isOneOf(presented, await originValues.read()) || isOneOf(presented, await originValues.refresh());
    if (!isVerified) throw new OriginNotVerifiedError();
    const country = countryCodeSchema.safeParse(request.header(viewerCountryHeader));
    return {
      address: addressOf(request.header('cloudfront-viewer-address')) ?? '',
      country: country.success ? country.data : undefined,
    };
  };

/** Always compares with every value in full, so that the time reveals nothing about the values. */
const isOneOf = (presented: string | undefined, values: readonly string[]): boolean => {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const presentedDigest = digest(presented ?? '');
  const matches = values.filter((value) => timingSafeEqual(digest(value), presentedDigest));
  return presented !== undefined && presented !== '' && matches.length > 0;
};

/** The header `CloudFront-Viewer-Address` has an address and a port. It writes IPv6 addresses without brackets. */
const addressOf = (header: string | undefined): string | undefined => {
  const address = header?.slice(0, Math.max(0, header.lastIndexOf(':'))).replace(/^\[(.*)\]$/, '$1');
  return address !== undefined && isIP(address) !== 0 ? address : undefined;
};
