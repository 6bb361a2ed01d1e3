import { ServiceError } from '../platform/errors.ts';

/** The client of the access token may not make calls about the user's whole account. */
export class ClientNotAllowedError extends ServiceError {
  readonly code = 'CLIENT_NOT_ALLOWED';

  constructor({ clientId }: { readonly clientId: string | undefined }) {
    super({ message: `Client ${clientId ?? '(none)'} is not one of userData.accountClients` });
  }
}

/** The user's login is too long ago for what the call does, or unknown (RFC 9470). Nothing was changed. */
export class InsufficientUserAuthenticationError extends ServiceError {
  readonly code = 'INSUFFICIENT_USER_AUTHENTICATION';

  constructor({
    reason,
    maximumAgeSeconds,
  }: { readonly reason: string; readonly maximumAgeSeconds: number }) {
    super({
      message: `a fresh login is needed: ${reason}`,
      headers: {
        'WWW-Authenticate': `Bearer error="insufficient_user_authentication", max_age=${maximumAgeSeconds}`,
      },
    });
  }
}
