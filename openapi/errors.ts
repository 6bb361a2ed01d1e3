import * as z from 'zod';
import type { ErrorCode } from '../shared/errors.ts';
import { statusByCode } from '../shared/http/errors.ts';
import type { Operation } from '../shared/http/operation.ts';
import { headersOf } from './headers.ts';
import type { Components, Json } from './schemas.ts';

const fieldIssueSchema = z
  .object({
    path: z.string().describe('The field, parameter or header, such as `metadata.attributes.0.value`'),
    message: z.string().describe('For people; it may change'),
  })
  .meta({
    id: 'FieldIssue',
    description: 'One thing that is wrong with a request.',
    examples: [{ path: 'metadata.name', message: 'Must not be empty' }],
  });

const errorSchema = z
  .object({
    message: z.string().describe('A code that stays, such as `CONTRACT_NOT_FOUND`; others may be added'),
    status: z.int().optional().describe('The status of the answer; not beside `Forbidden`'),
    available_from: z.iso
      .datetime()
      .optional()
      .describe('With `STREAM_NOT_AVAILABLE`: when it may be played, where that is ahead'),
    limit: z.int().optional().describe('With `LIMIT_TOO_SMALL`: the limit of a day'),
    left: z.int().optional().describe('With `SUPPLY_EXHAUSTED`: how many tokens can still be minted'),
    sessions: z
      .array(
        z.object({
          session: z.string(),
          event_id: z.string(),
          began_at: z.iso.datetime(),
          ends_at: z.iso.datetime().describe('When its lease ends unless it is renewed'),
        }),
      )
      .optional()
      .describe('With `TOO_MANY_STREAMS`: the viewer’s own sessions'),
    request_id: z.string().optional().describe('With 500: tell it to the operator'),
  })
  .meta({
    id: 'Error',
    description: 'What the service, or the gateway in front of it, refuses a request with.',
    examples: [{ status: 404, message: 'CONTRACT_NOT_FOUND' }],
  });

const badRequestSchema = z
  .object({ status: z.int(), message: z.string(), errors: z.array(fieldIssueSchema) })
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
  .object({ status: z.int(), message: z.string(), errors: z.array(fieldIssueSchema) })
  .meta({
    id: 'FieldNotWritable',
    description: 'The change names what only the operator writes; `errors` names each such field.',
    examples: [
      {
        status: 403,
        message: 'FIELD_NOT_WRITABLE',
        errors: [{ path: 'user_data.is_club', message: 'Only the operator writes it' }],
      },
    ],
  });

const userNotFoundSchema = z.object({ status: z.int(), error_fields: z.string() }).meta({
  id: 'UserNotFound',
  description: 'No user of the application has this identifier.',
  examples: [{ status: 404, error_fields: 'USER_NOT_FOUND' }],
});

const meaningOf = {
  BAD_REQUEST: 'The request is not as documented; nothing was changed',
  UNAUTHORIZED: 'The access token is missing or not good',
  FORBIDDEN: 'Not allowed with these credentials',
  FIELD_NOT_WRITABLE: 'The change names what only the operator writes; nothing was changed',
  SIGNATURE_INVALID:
    'The signature does not show that the wallet is the user’s: it is wrong, or the challenge is unknown, another’s, used or over',
  LOGIN_REQUIRED: 'The stream is paid and the viewer is not logged in',
  PURCHASE_REQUIRED:
    'The stream is paid and the viewer has not bought access, nor holds a ticket that opens it',
  ENTITLEMENT_DENIED: 'The entitlement service says no',
  SESSION_REQUIRED: 'The application limits how many streams a viewer plays at once: send `session`',
  TOO_MANY_STREAMS:
    'The viewer plays as many streams as the application allows; `sessions` are theirs, of which one can be taken over',
  SESSION_ENDED: 'Another session of the viewer took this one over; begin again with a new `session`',
  TOO_MANY_SESSION_CHANGES:
    'Three sessions of the viewer were ended early within ten minutes; `Retry-After` says when the next can be',
  CONTRACT_NOT_FOUND: 'There is no such contract, for this application',
  NFT_NOT_FOUND: 'There is no such token in the contract',
  USER_NOT_FOUND: 'There is no such user, for this caller',
  ENDPOINT_NOT_FOUND: 'The application has no such endpoint',
  REPLAY_NOT_FOUND: 'No replay of this id, or it was asked for more than 30 days ago',
  EVENT_NOT_FOUND: 'There is no such event, for this viewer, client and country',
  STREAM_NOT_AVAILABLE: 'The event is there, and its stream may not be played now',
  CONFLICT: 'It was changed by someone else at the same time; send it again',
  PRECONDITION_FAILED: 'It is no longer what the request says it is; nothing was changed',
  NFT_FAILED: 'The token was never made, so nothing of it can be changed',
  ENDPOINT_ENDED: 'The endpoint has unsubscribed, or never confirmed: nothing is sent to it',
  CONTRACT_FAILED: 'The contract could not be deployed and takes no tokens',
  WALLET_LIMIT_REACHED: 'The user has five wallets; unlink one first',
  VOID_LIMIT_REACHED: '40 tokens of the contract are void, and no more can be',
  SUPPLY_EXHAUSTED:
    'The contract has a `max_supply`, of which fewer tokens are left; `left` says how many. Nothing was taken',
  NOT_REVOCABLE: 'The contract was created without `revocable`: nobody can ever take its tokens back',
  IDEMPOTENCY_KEY_IN_USE: 'The first request with this key is still under way; send it again in a moment',
  IDEMPOTENCY_KEY_REUSED: 'The idempotency key was used with another body',
  PAYLOAD_TOO_LARGE:
    'The body, or what would be stored, is larger than 32 KB, or than 256 KB where it is about many tokens',
  UNSUPPORTED_MEDIA_TYPE: 'The body is not JSON by its `Content-Type`, or it is compressed',
  TOO_MANY_REPLAYS: 'One replay runs and ten wait; ask again when one of them has ended. Nothing was started',
  TOO_MANY_CHALLENGES: 'The user asked for ten challenges within the hour',
  DAILY_LIMIT_REACHED: 'The limit of the day is reached; nothing was changed',
  LIMIT_TOO_SMALL:
    'The request needs more than the limit of a whole day; send it in parts, or ask the operator for a higher limit',
  INTERNAL_ERROR: 'A fault of the service; the request id helps to find it',
  CHAIN_UNAVAILABLE: 'The chain is out of reach; nothing was taken and nothing will happen',
  ENTITLEMENT_UNAVAILABLE:
    'The entitlement service, or the chain that tells who holds a ticket, is out of reach; not a no',
  SERVICE_UNAVAILABLE:
    'Something that is needed is busy or out of reach; send it again in a moment, what makes something with its idempotency key, since it may have been made',
} as const satisfies Record<ErrorCode, string>;

/** Responses of the gateway, before or instead of a function's. */
const gatewayMeaningOf: Readonly<Record<number, readonly [message: string, meaning: string]>> = {
  403: ['Forbidden', 'The gateway refuses it: the API key is missing or wrong, or a firewall says no'],
  413: ['REQUEST_TOO_LARGE', 'The body is larger than 10 MB'],
  429: ['TOO_MANY_REQUESTS', 'Too many requests in a short time; send it again later'],
  500: ['INTERNAL_ERROR', meaningOf.INTERNAL_ERROR],
  502: ['BAD_GATEWAY', 'The service did not answer as it should; what happened is not known'],
  503: ['SERVICE_UNAVAILABLE', meaningOf.SERVICE_UNAVAILABLE],
  504: ['GATEWAY_TIMEOUT', 'It took too long; what happened is not known'],
};

const descriptions: Readonly<Record<number, string>> = {
  400: 'The request is not as documented; nothing was changed',
  401: 'The access token is missing or not good',
  403: 'Not allowed',
  404: 'There is no such thing, or the caller may not know of it',
  409: 'The state of things does not allow it',
  412: 'It is no longer what the request says it is',
  413: 'The body is too large',
  422: 'The idempotency key was used with another body',
  431: 'The request line and the headers take more than 10,240 bytes; refused in front of everything, also with another body',
  429: 'Too many requests, or the limit of the day is reached',
  500: 'A fault of the service',
  502: 'The service did not answer as it should; what happened is not known',
  503: 'A service that is needed is out of reach; try again later',
  504: 'It took too long; what happened is not known',
};

/** Statuses whose `Retry-After` may say when the same request can succeed. */
const retriedLater = [409, 429, 503];

/** Statuses that every request may get, with the gateway's own body. */
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
  if (code === 'USER_NOT_FOUND') return { status, error_fields: code };
  if (code === 'BAD_REQUEST' && !bare) {
    return { status, message: code, errors: [{ path: field, message: 'Invalid input' }] };
  }
  if (code === 'FIELD_NOT_WRITABLE') {
    const errors = [{ path: 'user_data.is_club', message: 'Only the operator writes it' }];
    return { status, message: code, errors };
  }
  return { status, message: code };
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
  const requestId = status === 500 ? { request_id: '3f1c9a52-0d53-4e0c-9d0e-6a1f6f6a7c11' } : {};
  return { [message]: { summary, value: { status, message, ...requestId } } };
};

const firstFieldOf = ({ body, query, path }: Operation): string => {
  for (const schema of [body, query, path]) {
    const [name] = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
    if (name !== undefined) return name;
  }
  return 'body';
};

/** Refusals that are the same for every operation, as `components.responses`. */
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
    ...(retriedLater.includes(status) || 'TOO_MANY_SESSION_CHANGES' in examples
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

const retryAfter = 'Seconds after which the same request can work; not always there';

const schemaFor = (code: ErrorCode, bare: boolean): z.ZodType => {
  if (code === 'USER_NOT_FOUND') return userNotFoundSchema;
  if (code === 'FIELD_NOT_WRITABLE') return fieldNotWritableSchema;
  return code === 'BAD_REQUEST' && !bare ? badRequestSchema : errorSchema;
};

/** All refusals of an operation by status: its own and the gateway's. */
export const errorResponses = (operation: Operation, components: Components): Json => {
  const { errorStyle = 'detailed' } = operation;
  const bare = errorStyle === 'bare';
  // A business-to-business caller sees these errors only in the gateway's form.
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
        // The gateway refuses keys, and bodies that exceed its own limit, without naming a field.
        const isGatewaysToo =
          status === 403 || (status === 400 && errorStyle === 'named' && operation.body !== undefined);
        const gateway = isGatewaysToo ? [errorSchema] : [];
        const schemas = [...new Set([...own.map((code) => schemaFor(code, bare)), ...gateway])];
        return [status, responseOf({ status, schemas, examples, components })];
      }),
  );
};
