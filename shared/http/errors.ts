import { BadRequestError, type ErrorCode, type ServiceError } from '../errors.ts';

export const statusByCode = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  FIELD_NOT_WRITABLE: 403,
  LOGIN_REQUIRED: 403,
  PURCHASE_REQUIRED: 403,
  ENTITLEMENT_DENIED: 403,
  CONTRACT_NOT_FOUND: 404,
  NFT_NOT_FOUND: 404,
  USER_NOT_FOUND: 404,
  EVENT_NOT_FOUND: 404,
  ENDPOINT_NOT_FOUND: 404,
  REPLAY_NOT_FOUND: 404,
  STREAM_NOT_AVAILABLE: 404,
  CONFLICT: 409,
  CONTRACT_FAILED: 409,
  NFT_FAILED: 409,
  IDEMPOTENCY_KEY_IN_USE: 409,
  IDEMPOTENCY_KEY_REUSED: 422,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  DAILY_LIMIT_REACHED: 429,
  INTERNAL_ERROR: 500,
  CHAIN_UNAVAILABLE: 503,
  ENTITLEMENT_UNAVAILABLE: 503,
  SERVICE_UNAVAILABLE: 503,
} as const satisfies Record<ErrorCode, number>;

/**
 * `detailed`: a 400 lists what is wrong, field by field. `bare`: `{status, message}` and nothing more, as
 * the interface document fixes it for the business-to-business API (part 7).
 */
export type ErrorStyle = 'detailed' | 'bare';

export interface ErrorAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
}

/** What is a malformed request to callers who know of nothing more exact. */
const malformed: ReadonlySet<ErrorCode> = new Set(['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']);

/**
 * Part 7 knows 400, 403 and 404 and nothing else: a body that is too large or no JSON is a malformed request there,
 * and a key that is no application's is answered as the gateway answers a wrong one.
 */
const bareAnswer = (error: ServiceError): ErrorAnswer => {
  const { headers } = error;
  const code = malformed.has(error.code) ? 'BAD_REQUEST' : error.code;
  const status = statusByCode[code];
  if (code === 'FORBIDDEN') return { status, body: { message: 'Forbidden' }, headers };
  return { status, body: bodyOf(status, code), headers };
};

const bodyOf = (status: number, code: ErrorCode): Record<string, unknown> =>
  code === 'USER_NOT_FOUND' ? { status, error_fields: code } : { status, message: code };

/** What a caller is told of an error that was raised on purpose. */
export const answerFor = (error: ServiceError, style: ErrorStyle): ErrorAnswer => {
  if (style === 'bare') return bareAnswer(error);
  const status = statusByCode[error.code];
  const body = { ...bodyOf(status, error.code), ...error.details };
  const issues = error instanceof BadRequestError ? { errors: error.issues } : {};
  return { status, body: { ...body, ...issues }, headers: error.headers };
};
