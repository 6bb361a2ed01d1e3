import { type FieldIssue, ServiceError } from '../platform/errors.ts';

/** No user has this identifier, or the identifier belongs to another application. */
export class UserNotFoundError extends ServiceError {
  readonly code = 'USER_NOT_FOUND';

  constructor({ cause }: { readonly cause?: unknown } = {}) {
    super({ message: 'No such user', cause });
  }
}

export class UserChangedMeanwhileError extends ServiceError {
  readonly code = 'CONFLICT';

  constructor({ cause }: { readonly cause?: unknown } = {}) {
    super({ message: 'The user has changed since it was read', cause });
  }
}

/** The user does not meet the caller's precondition. Nothing was changed. */
export class UserNotAsExpectedError extends ServiceError {
  readonly code = 'PRECONDITION_FAILED';

  constructor() {
    super({ message: 'The user does not meet the precondition of the request' });
  }
}

/** The change contains keys that only the operator may write. Nothing was changed. */
export class FieldNotWritableError extends ServiceError {
  readonly code = 'FIELD_NOT_WRITABLE';

  constructor({ keys }: { readonly keys: readonly string[] }) {
    const errors = keys.map(
      (key): FieldIssue => ({ path: `user_data.${key}`, message: 'Only the operator writes it' }),
    );
    super({
      message: `Only the operator can write ${keys.join(', ')}, with "users set".`,
      details: { errors },
    });
  }
}

export class UserDataTooLargeError extends ServiceError {
  readonly code = 'PAYLOAD_TOO_LARGE';

  constructor({ bytes, maximum }: { readonly bytes: number; readonly maximum: number }) {
    super({ message: `The user data would be ${bytes} bytes long; at most ${maximum} can be stored` });
  }
}

/** The user has made as many changes within an hour as the stage allows. Nothing was changed. */
export class TooManyChangesError extends ServiceError {
  readonly code = 'TOO_MANY_CHANGES';

  constructor({
    limit,
    retryAfterSeconds,
  }: {
    readonly limit: number;
    readonly retryAfterSeconds: number;
  }) {
    super({
      message: `A user can change their data ${limit} times in an hour`,
      headers: { 'retry-after': String(retryAfterSeconds) },
    });
  }
}

/** The user has erased the account as often within a day as is allowed. Nothing was changed. */
export class TooManyErasuresError extends ServiceError {
  readonly code = 'TOO_MANY_ERASURES';

  constructor({
    limit,
    retryAfterSeconds,
  }: {
    readonly limit: number;
    readonly retryAfterSeconds: number;
  }) {
    super({
      message: `A user can erase the account ${limit} times in a day`,
      headers: { 'retry-after': String(retryAfterSeconds) },
    });
  }
}
