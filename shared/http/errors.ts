import { BadRequestError, type ErrorCode, type ServiceError } from '../errors.ts';

export const statusByCode = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  LOGIN_REQUIRED: 403,
  PURCHASE_REQUIRED: 403,
  ENTITLEMENT_DENIED: 403,
  CONTRACT_NOT_FOUND: 404,
  NFT_NOT_FOUND: 404,
  USER_NOT_FOUND: 404,
  EVENT_NOT_FOUND: 404,
  APPLICATION_NOT_FOUND: 404,
  CONFLICT: 409,
  CONTRACT_FAILED: 409,
  IDEMPOTENCY_KEY_IN_USE: 409,
  IDEMPOTENCY_KEY_REUSED: 422,
  PAYLOAD_TOO_LARGE: 413,
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

/** What a caller is told of an error that was raised on purpose. */
export const answerFor = (error: ServiceError, style: ErrorStyle): ErrorAnswer => {
  const status = statusByCode[error.code];
  const body: Record<string, unknown> =
    error.code === 'USER_NOT_FOUND' ? { status, error_fields: error.code } : { status, message: error.code };
  if (style === 'detailed' && error instanceof BadRequestError) body.errors = error.issues;
  return { status, body, headers: error.headers };
};
