import { ServiceError } from '../errors.ts';

/** Another application already uses the id, a key or a client, or the application has changed since it was read. */
export class ApplicationConflictError extends ServiceError {
  readonly code = 'CONFLICT';

  constructor({ id, cause }: { readonly id: string; readonly cause?: unknown }) {
    super({
      message: `Application ${id} was changed meanwhile, or its id, a key or a client is already in use`,
      cause,
    });
  }
}
