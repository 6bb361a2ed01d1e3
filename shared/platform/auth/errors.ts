import { ServiceError, ServiceUnavailableError } from '../errors.ts';

/** The bearer token is missing, malformed, forged, expired, or issued for another service. */
export class InvalidTokenError extends ServiceError {
  readonly code = 'UNAUTHORIZED';

  /** `reason` is only logged. A caller never learns which check failed. */
  constructor({ reason }: { readonly reason: string }) {
    super({
      message: `access token refused: ${reason}`,
      // RFC 6750, 3. API Gateway renames this header to x-amzn-remapped-www-authenticate.
      headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
    });
  }
}

export class IssuerUnavailableError extends ServiceUnavailableError {
  constructor({
    issuer,
    ...why
  }: { readonly issuer: string; readonly cause?: unknown; readonly retryAfterSeconds?: number }) {
    super({ message: `the signing keys of ${issuer} cannot be read now`, ...why });
  }
}
