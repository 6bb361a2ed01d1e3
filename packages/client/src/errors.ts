export interface FieldIssue {
  /** The field, parameter or header, such as `metadata.attributes.0.value`. */
  readonly path: string;
  /** An explanation for people. The text may change. */
  readonly message: string;
}

export class MarqueeError extends Error {
  constructor(message?: string, options?: { readonly cause?: unknown }) {
    super(message);
    // `Error` of browsers before 2021 takes no `cause`.
    if (options) Object.defineProperty(this, 'cause', { value: options.cause });
  }
}

export interface Refusal {
  readonly status: number;
  /** A stable code, such as `CONTRACT_NOT_FOUND`, or `Forbidden` if API Gateway refuses the API key. */
  readonly code: string;
  /** The fields that the response names as invalid, usually with status 400. */
  readonly fields: readonly FieldIssue[];
  /** The operator can find the request by this id. */
  readonly requestId: string | undefined;
  /** Seconds after which the same request can succeed, if the response says so. */
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Headers;
  /** For people: what the client knows about the refusal. */
  readonly explanation?: string | undefined;
}

/** The service refused the request. */
export class ApiError extends MarqueeError implements Refusal {
  declare readonly status: number;
  declare readonly code: string;
  declare readonly fields: readonly FieldIssue[];
  declare readonly requestId: string | undefined;
  declare readonly retryAfterSeconds: number | undefined;
  declare readonly headers: Headers;

  constructor({ explanation, ...refusal }: Refusal) {
    const which = refusal.fields.map(({ path, message }) => ` ${path}: ${message}.`).join('');
    super(`${refusal.status} ${refusal.code}.${which}${explanation === undefined ? '' : ` ${explanation}`}`);
    Object.assign(this, refusal);
  }
}

/** 400: the request is not as documented. `fields` names the invalid fields. */
export class BadRequestError extends ApiError {}
/** 401: the access token is missing or not valid. */
export class UnauthorizedError extends ApiError {}
/** 403: `code` says why, such as `PURCHASE_REQUIRED`. */
export class ForbiddenError extends ApiError {}
/** 404: the resource does not exist, or is hidden from this caller. */
export class NotFoundError extends ApiError {}
/** 409, 412 and 422: the present state does not allow the request. */
export class ConflictError extends ApiError {}
/** 429: the rate or the daily limit was exceeded for longer than the client waits. */
export class TooManyRequestsError extends ApiError {}
/** 5xx: the service failed or was unavailable for longer than the client waits. */
export class UnavailableError extends ApiError {}

/** No readable response came in time. Whether the request was executed is not known. */
export class NoAnswerError extends MarqueeError {}

/**
 * The received message is not authentic, or was meant for another receiver. Respond with 403, so that SNS does not send
 * the message again.
 */
export class UntrustedMessageError extends MarqueeError {}

/** The contract or token has failed on the chain. */
export class ConfirmationFailedError extends MarqueeError {
  readonly reason: string | undefined;

  constructor(reason: string | undefined) {
    super(`The contract or token failed on the chain: ${reason ?? 'the reason is unknown'}`);
    this.reason = reason;
  }
}

// Error names are set explicitly, because a minifier changes the names of classes.
const names = {
  MarqueeError,
  ApiError,
  BadRequestError,
  UnauthorizedError,
  ForbiddenError,
  NotFoundError,
  ConflictError,
  TooManyRequestsError,
  UnavailableError,
  NoAnswerError,
  UntrustedMessageError,
  ConfirmationFailedError,
};
for (const [name, Named] of Object.entries(names)) Named.prototype.name = name;

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

/** The seconds until a retry, from a `Retry-After` header, which contains a number or a date (RFC 9110). */
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

const keys = new WeakMap<Response, string>();

const apiNames: Readonly<Record<string, string>> = {
  base: 'base API',
  b2b: 'business-to-business API',
  profile: 'profile API',
};

/**
 * Remembers which API answered which key, for the message of the error. Messages are logged, so only the end of the key
 * is kept, and nothing of a key that is too short to be one of API Gateway's.
 */
export const rememberKey = (response: Response, api: string, key: string | null): void => {
  const name = apiNames[api] ?? api;
  if (!key) keys.set(response, `The ${name} got no API key.`);
  else if (key.length < 20)
    keys.set(response, `The ${name} refused a key that is too short to be an API key.`);
  else keys.set(response, `The ${name} refused the key that ends in …${key.slice(-4)}.`);
};

/** The error for a refused request. The body can have any content, because it may come from a proxy. */
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
    explanation: code === 'Forbidden' ? keys.get(response) : undefined,
  });
};
