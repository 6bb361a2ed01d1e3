import type * as z from 'zod';
import { reservedKeys } from './parsing/json.ts';

/** The codes in error responses. `shared/platform/http/errors.ts` maps each code to a status. */
export type ErrorCode =
  | 'BAD_REQUEST'
  | 'SESSION_REQUIRED'
  | 'UNAUTHORIZED'
  | 'INSUFFICIENT_USER_AUTHENTICATION'
  | 'FORBIDDEN'
  | 'FIELD_NOT_WRITABLE'
  | 'CLIENT_NOT_ALLOWED'
  | 'SIGNATURE_INVALID'
  | 'WALLET_NOT_LINKED'
  | 'WALLET_TOO_NEW'
  | 'LOGIN_REQUIRED'
  | 'PURCHASE_REQUIRED'
  | 'ENTITLEMENT_DENIED'
  | 'TOO_MANY_STREAMS'
  | 'SESSION_ENDED'
  | 'TOO_MANY_SESSION_CHANGES'
  | 'CONTRACT_NOT_FOUND'
  | 'NFT_NOT_FOUND'
  | 'USER_NOT_FOUND'
  | 'EVENT_NOT_FOUND'
  | 'ENDPOINT_NOT_FOUND'
  | 'REPLAY_NOT_FOUND'
  | 'STREAM_NOT_AVAILABLE'
  | 'EVENT_IS_LIVE'
  | 'PATH_OVERLAPS'
  | 'PRECONDITION_REQUIRED'
  | 'CONFLICT'
  | 'CONTRACT_FAILED'
  | 'WALLET_LIMIT_REACHED'
  | 'VOID_LIMIT_REACHED'
  | 'SUPPLY_EXHAUSTED'
  | 'NOT_REVOCABLE'
  | 'NFT_NOT_RESERVED'
  | 'NOT_TRANSFERABLE'
  | 'NFT_ALREADY_CLAIMED'
  | 'CLAIM_IN_PROGRESS'
  | 'ENDPOINT_ENDED'
  | 'PRECONDITION_FAILED'
  | 'NFT_FAILED'
  | 'IDEMPOTENCY_KEY_IN_USE'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'DAILY_LIMIT_REACHED'
  | 'TOO_MANY_REPLAYS'
  | 'TOO_MANY_TESTS'
  | 'TOO_MANY_CHALLENGES'
  | 'TOO_MANY_CHANGES'
  | 'TOO_MANY_ERASURES'
  | 'LIMIT_TOO_SMALL'
  | 'INTERNAL_ERROR'
  | 'CHAIN_UNAVAILABLE'
  | 'ENTITLEMENT_UNAVAILABLE'
  | 'SERVICE_UNAVAILABLE';

/**
 * The base class of every error that Marquee throws on purpose. `code` is stable and meant for callers. `message` is
 * only logged. `headers` and `details` are part of the response.
 */
export abstract class ServiceError extends Error {
  abstract readonly code: ErrorCode;
  readonly headers: Readonly<Record<string, string>>;
  /** Additional fields of the response body. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor({
    message,
    cause,
    headers = {},
    details = {},
  }: {
    readonly message: string;
    readonly cause?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
    readonly details?: Readonly<Record<string, unknown>>;
  }) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.headers = headers;
    this.details = details;
  }
}

export interface FieldIssue {
  /** The field as the caller knows it: a path such as `tokens[3].metadata.name`, a query parameter or a header. */
  readonly path: string;
  readonly message: string;
}

/** How the message for an unknown field begins. It goes on with the fields that exist, if they are known. */
export const unknownField = 'Unknown field';
export const repeatedParameter = 'Must not be repeated';
export const inexactInteger = 'This integer cannot be stored exactly; send it as a string';
export const inexactNumber = 'This number cannot be stored exactly; send it as a string';
export const reservedKey = `${reservedKeys.join(', ')} cannot be used as keys`;

/**
 * Errors with these messages are logged without the field's path, because a caller can choose any names in it, such as
 * an e-mail address.
 */
const ofChosenNames = [unknownField, repeatedParameter, inexactInteger, inexactNumber, reservedKey];

export const required = 'Required';

/** The fields of the object in which zod found an unknown field. */
const fieldsOf = ({ inst }: z.core.$ZodRawIssue): readonly string[] =>
  inst !== undefined && 'shape' in inst._zod.def ? Object.keys(Object(inst._zod.def.shape)) : [];

const listed = (names: readonly string[]): string =>
  names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names.join();

const unknownFieldOf = (fields: readonly string[]): string => {
  if (fields.length === 0) return unknownField;
  return `${unknownField}. ${fields.length > 1 ? 'The fields are' : 'The only field is'} ${listed(fields)}`;
};

/**
 * For Zod's `error` option. Without it, Zod's message for a missing field would only name JavaScript types ("expected
 * string, received undefined"), which tell a caller little. Its message for an unknown field would not name the others.
 */
export const missingField = (issue: z.core.$ZodRawIssue): string | undefined => {
  if (issue.code === 'unrecognized_keys') return unknownFieldOf(fieldsOf(issue));
  return issue.code === 'invalid_type' && issue.input === undefined ? required : undefined;
};

const logged = ({ path, message }: FieldIssue): string =>
  ofChosenNames.some((beginning) => message.startsWith(beginning)) ? message : `${path}: ${message}`;

/** The request is invalid. Nothing was changed. */
export class BadRequestError extends ServiceError {
  readonly code = 'BAD_REQUEST';
  readonly issues: readonly FieldIssue[];

  constructor({ issues, cause }: { readonly issues: readonly FieldIssue[]; readonly cause?: unknown }) {
    super({ message: issues.map(logged).join('; '), cause });
    this.issues = issues;
  }
}

/** The credentials are valid but do not allow the request. */
export class ForbiddenError extends ServiceError {
  readonly code = 'FORBIDDEN';
}

/** A required service does not answer, or throttles calls. The same request may succeed a moment later. */
export class ServiceUnavailableError extends ServiceError {
  readonly code = 'SERVICE_UNAVAILABLE';

  constructor({
    retryAfterSeconds = 1,
    ...what
  }: { readonly message: string; readonly cause?: unknown; readonly retryAfterSeconds?: number }) {
    super({ ...what, headers: { 'retry-after': String(retryAfterSeconds) } });
  }
}
