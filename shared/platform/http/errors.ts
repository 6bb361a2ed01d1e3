import { BadRequestError, type ErrorCode, type FieldIssue, type ServiceError } from '../errors.ts';

export const statusByCode = {
  BAD_REQUEST: 400,
  SESSION_REQUIRED: 400,
  UNAUTHORIZED: 401,
  INSUFFICIENT_USER_AUTHENTICATION: 401,
  FORBIDDEN: 403,
  FIELD_NOT_WRITABLE: 403,
  CLIENT_NOT_ALLOWED: 403,
  SIGNATURE_INVALID: 403,
  WALLET_NOT_LINKED: 403,
  WALLET_TOO_NEW: 403,
  LOGIN_REQUIRED: 403,
  PURCHASE_REQUIRED: 403,
  ENTITLEMENT_DENIED: 403,
  TOO_MANY_STREAMS: 403,
  SESSION_ENDED: 403,
  TOO_MANY_SESSION_CHANGES: 403,
  CONTRACT_NOT_FOUND: 404,
  NFT_NOT_FOUND: 404,
  USER_NOT_FOUND: 404,
  EVENT_NOT_FOUND: 404,
  ENDPOINT_NOT_FOUND: 404,
  REPLAY_NOT_FOUND: 404,
  STREAM_NOT_AVAILABLE: 404,
  CONFLICT: 409,
  EVENT_IS_LIVE: 409,
  PATH_OVERLAPS: 409,
  CONTRACT_FAILED: 409,
  SUPPLY_EXHAUSTED: 409,
  NOT_REVOCABLE: 409,
  NFT_NOT_RESERVED: 409,
  NOT_TRANSFERABLE: 409,
  NFT_ALREADY_CLAIMED: 409,
  CLAIM_IN_PROGRESS: 409,
  ENDPOINT_ENDED: 409,
  NFT_FAILED: 409,
  WALLET_LIMIT_REACHED: 409,
  VOID_LIMIT_REACHED: 409,
  IDEMPOTENCY_KEY_IN_USE: 409,
  IDEMPOTENCY_KEY_REUSED: 422,
  LIMIT_TOO_SMALL: 422,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  PRECONDITION_REQUIRED: 428,
  UNSUPPORTED_MEDIA_TYPE: 415,
  DAILY_LIMIT_REACHED: 429,
  TOO_MANY_REPLAYS: 429,
  TOO_MANY_TESTS: 429,
  TOO_MANY_CHALLENGES: 429,
  TOO_MANY_CHANGES: 429,
  TOO_MANY_ERASURES: 429,
  INTERNAL_ERROR: 500,
  CHAIN_UNAVAILABLE: 503,
  ENTITLEMENT_UNAVAILABLE: 503,
  SERVICE_UNAVAILABLE: 503,
} as const satisfies Record<ErrorCode, number>;

/**
 * - `detailed`: a 400 lists the invalid fields, and every body has the request id.
 * - `bare`: only `{status, message}`, which is fixed for reading users (docs/interface.md#readuserdata).
 * - `named`: the statuses of `bare`. A 400 lists the invalid fields. Every body that is not API Gateway's too has the
 *   request id.
 */
export type ErrorStyle = 'detailed' | 'bare' | 'named';

export interface ErrorAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
}

/** In the error formats `bare` and `named`, an error with one of these codes becomes a 400. */
const malformed: Partial<Record<ErrorCode, FieldIssue>> = {
  PAYLOAD_TOO_LARGE: { path: 'body', message: 'Too large' },
  UNSUPPORTED_MEDIA_TYPE: { path: 'content-type', message: 'Must be application/json, uncompressed' },
};

/**
 * A malformed request always gets a 400 here (docs/interface.md#readuserdata), also if its body is too large or not
 * JSON. A key without an application gets the same response as API Gateway gives to a wrong key.
 */
const bareAnswer = (error: ServiceError, named?: { readonly requestId: string }): ErrorAnswer => {
  const { headers } = error;
  const issue = malformed[error.code];
  const code = issue === undefined ? error.code : 'BAD_REQUEST';
  const status = statusByCode[code];
  if (code === 'FORBIDDEN') return { status, body: { message: 'Forbidden' }, headers };
  const issues = error instanceof BadRequestError ? error.issues : issue && [issue];
  const body = bodyOf(status, code);
  if (named === undefined) return { status, body, headers };
  return {
    status,
    body: { ...body, ...(issues && { errors: issues }), request_id: named.requestId },
    headers,
  };
};

const bodyOf = (status: number, code: ErrorCode): Record<string, unknown> =>
  code === 'USER_NOT_FOUND' ? { status, error_fields: code } : { status, message: code };

/** `requestId` is API Gateway's id of the request. The log lines of the request have it too. */
export const answerFor = (error: ServiceError, style: ErrorStyle, requestId: string): ErrorAnswer => {
  if (style !== 'detailed') return bareAnswer(error, style === 'named' ? { requestId } : undefined);
  const status = statusByCode[error.code];
  const issues = error instanceof BadRequestError ? { errors: error.issues } : {};
  const body = { ...bodyOf(status, error.code), ...error.details, ...issues, request_id: requestId };
  return { status, body, headers: error.headers };
};
