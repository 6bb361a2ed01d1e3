import { ServiceError } from '../platform/errors.ts';

/** The client of the access token may not make calls about the user's whole account. */
export class ClientNotAllowedError extends ServiceError {
  readonly code = 'CLIENT_NOT_ALLOWED';

  constructor({ clientId }: { readonly clientId: string | undefined }) {
    super({ message: `Client ${clientId ?? '(none)'} is not one of userData.accountClients` });
  }
}
