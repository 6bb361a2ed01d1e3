/** One thing that is wrong with a request. */
export interface FieldIssue {
  /** The field, parameter or header, such as `metadata.attributes.0.value`. */
  readonly path: string;
  /** For people; it may change. */
  readonly message: string;
}

/** The base of whatever this client throws by itself. */
export class MarqueeError extends Error {
  // Written out, here and below: minified code has other names for its classes.
  static {
    MarqueeError.prototype.name = 'MarqueeError';
  }
}

/** What an answer that refuses says. */
export interface Refusal {
  readonly status: number;
  /** A code that stays, such as `CONTRACT_NOT_FOUND`; `Forbidden` where the gateway refuses a key. */
  readonly code: string;
  /** With 400: each wrong field. */
  readonly fields: readonly FieldIssue[];
  /** Tell it to the operator. */
  readonly requestId: string | undefined;
  /** Seconds after which the same request can work, where the answer says so. */
  readonly retryAfterSeconds: number | undefined;
  /** Of the answer. */
  readonly headers: Headers;
}

/** The service answered, and refused. */
export class ApiError extends MarqueeError implements Refusal {
  static {
    ApiError.prototype.name = 'ApiError';
  }

  readonly status: number;
  readonly code: string;
  readonly fields: readonly FieldIssue[];
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Headers;

  constructor(refusal: Refusal) {
    const { status, code, fields, requestId, retryAfterSeconds, headers } = refusal;
    const which = fields.map(({ path, message }) => ` ${path}: ${message}.`).join('');
    super(`${status} ${code}.${which}`);
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
    this.headers = headers;
  }
}

/** 400: the request is not as documented; `fields` says where. */
export class BadRequestError extends ApiError {
  static {
    BadRequestError.prototype.name = 'BadRequestError';
  }
}
/** 401: the access token is missing or not good. */
export class UnauthorizedError extends ApiError {
  static {
    UnauthorizedError.prototype.name = 'UnauthorizedError';
  }
}
/** 403: `code` says why, such as `PURCHASE_REQUIRED`. */
export class ForbiddenError extends ApiError {
  static {
    ForbiddenError.prototype.name = 'ForbiddenError';
  }
}
/** 404: there is no such thing, for this caller. */
export class NotFoundError extends ApiError {
  static {
    NotFoundError.prototype.name = 'NotFoundError';
  }
}
/** 409, 412 and 422: the state of things does not allow it. */
export class ConflictError extends ApiError {
  static {
    ConflictError.prototype.name = 'ConflictError';
  }
}
/** 429: above the rate or the limit of the day, for longer than the client waits. */
export class TooManyRequestsError extends ApiError {
  static {
    TooManyRequestsError.prototype.name = 'TooManyRequestsError';
  }
}
/** 5xx, for longer than the client waits. */
export class UnavailableError extends ApiError {
  static {
    UnavailableError.prototype.name = 'UnavailableError';
  }
}

/** No answer came in time, or none that could be read; whether the request was done is not known. */
export class NoAnswerError extends MarqueeError {
  static {
    NoAnswerError.prototype.name = 'NoAnswerError';
  }
}

/** A message that is not what it says, or not for this receiver. Answer 403, so that it does not come again. */
export class UntrustedMessageError extends MarqueeError {
  static {
    UntrustedMessageError.prototype.name = 'UntrustedMessageError';
  }
}

/** What was to be confirmed has failed on the chain. */
export class ConfirmationFailedError extends MarqueeError {
  static {
    ConfirmationFailedError.prototype.name = 'ConfirmationFailedError';
  }

  readonly reason: string | undefined;

  constructor(reason: string | undefined) {
    super(`It failed on the chain: ${reason ?? 'unknown reason'}`);
    this.reason = reason;
  }
}

const classes: Readonly<Record<number, typeof ApiError>> = {
  400: BadRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  412: ConflictError,
  422: ConflictError,
  429: TooManyRequestsError,
};

/** Seconds of a `Retry-After`, which is a number or a date (RFC 9110). */
export const retryAfterSecondsOf = (headers: Headers, now = Date.now()): number | undefined => {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1_000));
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const fieldsOf = (errors: unknown): FieldIssue[] =>
  Array.isArray(errors)
    ? errors.flatMap((one) =>
        isRecord(one) && typeof one.path === 'string'
          ? [{ path: one.path, message: String(one.message ?? '') }]
          : [],
      )
    : [];

/** The error of an answer that refuses. Its body may be anything: something in between may have made it. */
export const apiErrorOf = (response: Response, body: unknown): ApiError => {
  const said = isRecord(body) ? body : {};
  const code = said.message ?? said.error_fields;
  const requestId = said.request_id ?? response.headers.get('x-amzn-requestid');
  const { status } = response;
  const Class = classes[status] ?? (status >= 500 ? UnavailableError : ApiError);
  return new Class({
    status,
    code: typeof code === 'string' ? code : 'UNKNOWN',
    fields: fieldsOf(said.errors),
    requestId: typeof requestId === 'string' ? requestId : undefined,
    retryAfterSeconds: retryAfterSecondsOf(response.headers),
    headers: response.headers,
  });
};
