import * as z from 'zod';
import { voidTokensAtMost } from '../../shared/ott/tickets/void-token.ts';
import type { ErrorCode } from '../../shared/platform/errors.ts';
import { statusByCode } from '../../shared/platform/http/errors.ts';
import type { Operation } from '../../shared/platform/http/operation.ts';
import { headersOf } from './headers.ts';
import type { Components, Json } from './schemas.ts';

const fieldIssueSchema = z
  .object({
    path: z.string().describe('The field, parameter or header, such as `metadata.attributes[0].value`'),
    message: z.string().describe('An explanation for people. Its wording may change at any time'),
  })
  .meta({
    id: 'FieldIssue',
    description: 'One mistake in a request.',
    examples: [{ path: 'metadata.name', message: 'Must not be empty' }],
  });

const requestIdSchema = z
  .string()
  .describe('The id of the request: the operator finds the cause of the error with it');
const exampleRequestId = '3f1c9a52-0d53-4e0c-9d0e-6a1f6f6a7c11';

const errorSchema = z
  .object({
    message: z.string().describe('A stable code, such as `CONTRACT_NOT_FOUND`. New codes may be added'),
    status: z
      .int()
      .optional()
      .describe('The HTTP status of the response. Absent if `message` is `Forbidden`'),
    available_from: z.iso
      .datetime()
      .optional()
      .describe('With `STREAM_NOT_AVAILABLE`: when the stream becomes available, if that is in the future'),
    available_at: z.iso
      .datetime()
      .optional()
      .describe('With `WALLET_TOO_NEW`: when the wallet can be used for a claim'),
    limit: z.int().optional().describe('With `LIMIT_TOO_SMALL`: the daily limit'),
    left: z.int().optional().describe('With `SUPPLY_EXHAUSTED`: how many tokens can still be minted'),
    sessions: z
      .array(
        z
          .object({
            session: z.string(),
            event_id: z.string(),
            began_at: z.iso.datetime(),
            ends_at: z.iso.datetime().describe('When the session ends if it is not renewed'),
          })
          .meta({
            id: 'ViewerSession',
            description: 'A stream that the viewer plays.',
            examples: [
              {
                session: '3f0c6c1e-52a0-4d4c-9d52-0a2f5a3f1e11',
                event_id: 'training-session',
                began_at: '2026-05-29T09:00:00.000Z',
                ends_at: '2026-05-29T09:01:00.000Z',
              },
            ],
          }),
      )
      .optional()
      .describe('With `TOO_MANY_STREAMS`: the viewer’s current sessions'),
    request_id: requestIdSchema
      .optional()
      .describe(
        `${requestIdSchema.description}. Absent in errors of the gateway and, except with status 500, in the business-to-business calls about users. Their header \`x-amzn-requestid\` has the same id`,
      ),
  })
  .meta({
    id: 'Error',
    description: 'The error response of the service, or of the gateway in front of it.',
    examples: [{ status: 404, message: 'CONTRACT_NOT_FOUND' }],
  });

const badRequestSchema = z
  .object({
    status: z.int(),
    message: z.string(),
    errors: z.array(fieldIssueSchema),
    request_id: requestIdSchema.optional(),
  })
  .meta({
    id: 'BadRequest',
    description: 'The request is not as documented; `errors` names each wrong field.',
    examples: [
      {
        status: 400,
        message: 'BAD_REQUEST',
        errors: [{ path: 'metadata.name', message: 'Must not be empty' }],
      },
    ],
  });

const fieldNotWritableSchema = z
  .object({
    status: z.int(),
    message: z.string(),
    errors: z.array(fieldIssueSchema),
    request_id: requestIdSchema.optional(),
  })
  .meta({
    id: 'FieldNotWritable',
    description: 'The change contains fields that only the operator writes; `errors` names each of them.',
    examples: [
      {
        status: 403,
        message: 'FIELD_NOT_WRITABLE',
        errors: [{ path: 'user_data.is_club', message: 'Only the operator writes it' }],
      },
    ],
  });

const userNotFoundSchema = z
  .object({
    status: z.int(),
    error_fields: z.string(),
    request_id: requestIdSchema
      .optional()
      .describe(`${requestIdSchema.description}. Absent in the business-to-business calls about users`),
  })
  .meta({
    id: 'UserNotFound',
    description: 'No user of the application has this identifier.',
    examples: [{ status: 404, error_fields: 'USER_NOT_FOUND' }],
  });

/** What each code means. */
export const meaningOf = {
  BAD_REQUEST: 'The request is not as documented; nothing was changed',
  UNAUTHORIZED: 'The access token is missing or invalid',
  INSUFFICIENT_USER_AUTHENTICATION:
    'The user must log in again, because the access token does not say that this was in the last ten minutes; nothing was changed',
  FORBIDDEN: 'Not allowed with these credentials',
  FIELD_NOT_WRITABLE: 'The change contains fields that only the operator writes; nothing was changed',
  CLIENT_NOT_ALLOWED: 'The client of the access token may not make calls about a user’s whole account',
  SIGNATURE_INVALID:
    'The signature does not prove that the user controls the wallet: the signature is wrong, or the challenge is unknown, already used, expired or belongs to another user',
  WALLET_NOT_LINKED: 'The address is not one of the user’s linked wallets; link it first',
  WALLET_TOO_NEW:
    'The wallet was linked too recently for a claim; `available_at` and `Retry-After` say when the same call succeeds',
  LOGIN_REQUIRED: 'The stream is paid and the viewer is not logged in',
  PURCHASE_REQUIRED:
    'The stream is paid, and the viewer has not bought access and holds no ticket for the event',
  ENTITLEMENT_DENIED: 'The entitlement service denied access',
  SESSION_REQUIRED:
    'The parameter `session` is required, because the application, or one that sold the access or issues the event’s tickets, limits how many streams a viewer plays at the same time',
  TOO_MANY_STREAMS:
    'The viewer already plays as many streams as the application, or one that sold the access or issues the event’s tickets, allows; `sessions` lists the viewer’s sessions. To take over one of them, send it as `take_over`',
  SESSION_ENDED:
    'Another session of the viewer took over this session, or another device renewed it; start again with a new `session`',
  TOO_MANY_SESSION_CHANGES:
    'Sessions of the viewer were ended early, moved to other events or begun again too often; `Retry-After` says when the same call succeeds',
  CONTRACT_NOT_FOUND: 'The application has no such contract',
  NFT_NOT_FOUND: 'The contract has no such token',
  USER_NOT_FOUND: 'There is no such user, or the caller may not read the user’s data',
  ENDPOINT_NOT_FOUND: 'The application has no such endpoint',
  REPLAY_NOT_FOUND: 'There is no replay with this id, or it was requested more than 30 days ago',
  EVENT_NOT_FOUND: 'There is no such event for this viewer, client and country',
  STREAM_NOT_AVAILABLE: 'The event exists, but its stream cannot be played now',
  EVENT_IS_LIVE: 'The event is LIVE, and a LIVE event is not deleted; set another status first',
  PATH_OVERLAPS:
    'A signature for the event’s stream would also give access to the stream of another event, or the other way round, at a time when both can be played; `overlaps_with` names these events',
  CONFLICT: 'Another request changed the resource at the same time; retry',
  PRECONDITION_FAILED: 'The precondition of the request does not hold; nothing was changed',
  PRECONDITION_REQUIRED:
    'The call needs `If-Match` with the entity tag that was read, or `If-None-Match: *` to create; nothing was changed',
  NFT_FAILED: 'The token’s mint failed, so it cannot be changed',
  ENDPOINT_ENDED: 'The endpoint has unsubscribed or did not confirm in time, so nothing is sent to it',
  CONTRACT_FAILED:
    'The contract’s deployment failed, so the contract cannot be changed and no tokens can be minted',
  WALLET_LIMIT_REACHED: 'The user already has five wallets; unlink one first',
  VOID_LIMIT_REACHED: `The contract already has ${voidTokensAtMost} void tokens, and more are not allowed`,
  SUPPLY_EXHAUSTED:
    'The request would exceed the contract’s `max_supply`; `left` says how many tokens can still be minted. Nothing was minted',
  NOT_REVOCABLE: 'The contract was created without `revocable`, so its tokens can never be revoked',
  NFT_NOT_RESERVED:
    'The token is not reserved any more, or only some of the tokens are: change reserved and minted tokens in separate calls',
  NOT_TRANSFERABLE:
    'The contract was created with `transferable: false`, so a reserved token cannot be given to another user',
  NFT_ALREADY_CLAIMED: 'The user has already claimed the token, to another address',
  CLAIM_IN_PROGRESS: 'Another claim of the same user in this contract is in progress; retry in a moment',
  IDEMPOTENCY_KEY_IN_USE: 'The first request with this key is still in progress; retry in a moment',
  IDEMPOTENCY_KEY_REUSED: 'The idempotency key was already used with a different body',
  PAYLOAD_TOO_LARGE:
    'The body or the resulting data is too large. The limit is 32 KB, or 256 KB for a batch of tokens',
  UNSUPPORTED_MEDIA_TYPE: 'The `Content-Type` is not JSON, or the body is compressed',
  TOO_MANY_REPLAYS:
    'No replay was started, because one is running and ten are waiting; retry after one of them has ended',
  TOO_MANY_TESTS: 'The application already sent ten test notifications in the current minute',
  TOO_MANY_CHALLENGES: 'The user already requested ten challenges in the current hour (UTC)',
  TOO_MANY_CHANGES: 'The user has changed their data too often within an hour; nothing was changed',
  TOO_MANY_ERASURES: 'The user has erased the account too often within a day; nothing was changed',
  DAILY_LIMIT_REACHED: 'The daily limit is reached; nothing was changed',
  LIMIT_TOO_SMALL:
    'This single request exceeds the daily limit; split it, or ask the operator for a higher limit',
  INTERNAL_ERROR: 'An error in the service; the operator can find its cause with the `request_id`',
  CHAIN_UNAVAILABLE:
    'The chain is unavailable; the request changed nothing and will not be carried out later',
  ENTITLEMENT_UNAVAILABLE:
    'The viewer’s access could not be checked, because the entitlement service or the chain (for tickets) is unavailable; retry',
  SERVICE_UNAVAILABLE:
    'A required service is busy or unavailable; retry in a moment. If the request creates something, retry with the same idempotency key, because the first request may have succeeded',
} as const satisfies Record<ErrorCode, string>;

/** Responses that API Gateway itself sends, either before it calls a function or because the function failed. */
const gatewayMeaningOf: Readonly<Record<number, readonly [message: string, meaning: string]>> = {
  403: [
    'Forbidden',
    'The gateway refuses the request: the API key is missing or wrong, or the firewall takes the request for an attack',
  ],
  413: ['REQUEST_TOO_LARGE', 'The body is larger than 10 MB'],
  429: ['TOO_MANY_REQUESTS', 'Too many requests in a short time; retry later'],
  500: ['INTERNAL_ERROR', meaningOf.INTERNAL_ERROR],
  502: ['BAD_GATEWAY', 'The service gave no valid response; the outcome of the request is unknown'],
  503: ['SERVICE_UNAVAILABLE', meaningOf.SERVICE_UNAVAILABLE],
  504: ['GATEWAY_TIMEOUT', 'The request took too long; its outcome is unknown'],
};

const descriptions: Readonly<Record<number, string>> = {
  400: 'The request is not as documented; nothing was changed',
  401: 'The access token is missing or invalid',
  403: 'Not allowed',
  404: 'The resource does not exist, or is hidden from the caller',
  409: 'The present state does not allow the request',
  412: 'The precondition of the request does not hold',
  413: 'The body is too large',
  415: 'The body is not JSON, or it is compressed',
  428: 'The call needs a precondition',
  422: 'The idempotency key was already used with a different body, or this single request exceeds the daily limit',
  431: 'The request line and the headers exceed 10,240 bytes, so the gateway refuses the request. The body of the response may differ from this schema',
  429: 'Too many requests, or the daily limit is reached',
  500: 'An error in the service',
  502: 'The service gave no valid response; the outcome of the request is unknown',
  503: 'A required service is unavailable; retry later',
  504: 'The request took too long; its outcome is unknown',
};

/** Statuses whose responses may have `Retry-After`, because the same request can succeed later. */
const retriedLater = [409, 429, 503];

/** Codes of other statuses whose responses have `Retry-After`. */
const retriedCodes = ['TOO_MANY_SESSION_CHANGES', 'WALLET_TOO_NEW'] as const satisfies readonly ErrorCode[];

/** Statuses that any request can get, with a response body from API Gateway. */
const always = [403, 429, 431, 500, 502, 503, 504];

const sharedNames: Readonly<Record<number, string>> = {
  403: 'Forbidden',
  413: 'RequestTooLarge',
  429: 'TooManyRequests',
  431: 'HeadersTooLarge',
  500: 'InternalError',
  502: 'BadGateway',
  503: 'ServiceUnavailable',
  504: 'GatewayTimeout',
};

const bodyOf = ({ status, code, bare, field }: Refusal): unknown => {
  const requestId = bare ? {} : { request_id: exampleRequestId };
  if (code === 'USER_NOT_FOUND') return { status, error_fields: code, ...requestId };
  if (code === 'BAD_REQUEST' && !bare) {
    return { status, message: code, errors: [{ path: field, message: 'Invalid input' }], ...requestId };
  }
  if (code === 'FIELD_NOT_WRITABLE') {
    const errors = [{ path: 'user_data.is_club', message: 'Only the operator writes it' }];
    return { status, message: code, errors, ...requestId };
  }
  return { status, message: code, ...requestId };
};

interface Refusal {
  readonly status: number;
  readonly code: ErrorCode;
  readonly bare: boolean;
  readonly field: string;
}

const gatewayExample = (status: number): Json => {
  const [message = '', summary = ''] = gatewayMeaningOf[status] ?? [];
  if (status === 403) return { [message]: { summary, value: { message } } };
  const requestId = status === 500 ? { request_id: exampleRequestId } : {};
  return { [message]: { summary, value: { status, message, ...requestId } } };
};

const firstFieldOf = ({ body, query, path }: Operation): string => {
  for (const schema of [body, query, path]) {
    const [name] = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
    if (name !== undefined) return name;
  }
  return 'body';
};

/** The error responses that are the same for every operation, as `components.responses`. */
export const sharedResponses = (components: Components): Json =>
  Object.fromEntries(
    Object.entries(sharedNames).map(([status, name]) => [
      name,
      responseOf({ status: Number(status), schemas: [errorSchema], examples: {}, components }),
    ]),
  );

const responseOf = ({
  status,
  schemas,
  examples,
  components,
}: {
  readonly status: number;
  readonly schemas: readonly z.ZodType[];
  readonly examples: Json;
  readonly components: Components;
}): Json => {
  const description = descriptions[status] ?? 'Refused';
  const references = schemas.map((schema) => components.schemaOf(schema, 'output'));
  const [only] = references;
  return {
    description,
    ...(retriedLater.includes(status) || retriedCodes.some((code) => code in examples)
      ? headersOf({ 'Retry-After': retryAfter })
      : {}),
    content: {
      'application/json': {
        schema: references.length === 1 ? only : { anyOf: references },
        examples: { ...examples, ...(status in gatewayMeaningOf ? gatewayExample(status) : {}) },
      },
    },
  };
};

const retryAfter = 'The number of seconds after which a retry may succeed. Not always set';

const schemaFor = (code: ErrorCode, bare: boolean): z.ZodType => {
  if (code === 'USER_NOT_FOUND') return userNotFoundSchema;
  if (code === 'FIELD_NOT_WRITABLE') return fieldNotWritableSchema;
  return code === 'BAD_REQUEST' && !bare ? badRequestSchema : errorSchema;
};

/** All error responses of an operation, by status: those that its function sends and those that API Gateway sends. */
export const errorResponses = (operation: Operation, components: Components): Json => {
  const { errorStyle = 'detailed' } = operation;
  const bare = errorStyle === 'bare';
  // In the business-to-business API, the responses with these codes have the same body as API Gateway's own.
  const codes = operation.errors.filter(
    (code) =>
      errorStyle === 'detailed' ||
      !['FORBIDDEN', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'].includes(code),
  );
  const statuses = new Set([
    ...codes.map((code) => statusByCode[code]),
    ...always,
    ...(operation.body === undefined ? [] : [413]),
  ]);
  return Object.fromEntries(
    [...statuses]
      .sort((one, other) => one - other)
      .map((status) => {
        const own = codes.filter((code) => statusByCode[code] === status);
        if (own.length === 0) return [status, { $ref: `#/components/responses/${sharedNames[status]}` }];
        const field = firstFieldOf(operation);
        const examples = Object.fromEntries(
          own.map((code) => [
            code,
            { summary: meaningOf[code], value: bodyOf({ status, code, bare, field }) },
          ]),
        );
        // API Gateway itself refuses wrong API keys (403) and, in the business-to-business API, bodies over its own
        // limit (400). Neither response lists invalid fields.
        const isGatewaysToo =
          status === 403 || (status === 400 && errorStyle === 'named' && operation.body !== undefined);
        const gateway = isGatewaysToo ? [errorSchema] : [];
        const schemas = [...new Set([...own.map((code) => schemaFor(code, bare)), ...gateway])];
        return [status, responseOf({ status, schemas, examples, components })];
      }),
  );
};
