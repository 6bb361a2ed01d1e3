import * as z from 'zod';
import type { ErrorCode } from '../shared/errors.ts';
import { statusByCode } from '../shared/http/errors.ts';
import type { Operation } from '../shared/http/operation.ts';

type Json = Record<string, unknown>;

/** Where the APIs answer; `undefined` leaves the addresses to the reader, as in the committed document. */
export interface Addresses {
  readonly origin: string;
  readonly prefixes: Readonly<Record<Operation['api'], string>>;
}

/** What each API is reached under when no address is given. */
const placeholders: Addresses['prefixes'] = { base: '/base', b2b: '/b2b', profile: '/profile' };

const descriptions: Record<Operation['api'], string> = {
  base: 'NFT and OTT',
  b2b: 'Business to business',
  profile: 'Profile',
};

const tags: Readonly<Record<string, string>> = {
  NFT: 'Collections and tokens of an application',
  'NFT metadata': 'What the URIs on the chain lead to; public',
  'User data': "Users' data, and what each application calls a user",
  'OTT events': 'Events and their streams, as the viewer, the client and the country may see them',
};

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const {
    $schema,
    '~standard': _standard,
    ...json
  } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
  }) as Json;
  return json;
};

const shapeOf = (schema: z.ZodType | undefined): Record<string, z.ZodType> => {
  if (schema === undefined) return {};
  if (!(schema instanceof z.ZodObject)) throw new Error('Path and query are objects');
  return schema.shape as Record<string, z.ZodType>;
};

/** What a caller may send as text: a parameter that is parsed into a number is still described by its text. */
const parametersOf = (place: 'path' | 'query', schema: z.ZodType | undefined): Json[] =>
  Object.entries(shapeOf(schema)).map(([name, value]) => {
    const { description, ...json } = schemaOf(value, 'input');
    return {
      name,
      in: place,
      required: place === 'path' || !value.safeParse(undefined).success,
      ...(description === undefined ? {} : { description }),
      schema: json,
    };
  });

const headersOf = (operation: Operation): Json[] =>
  Object.entries(operation.requestHeaders ?? {}).map(([name, { schema, description }]) => ({
    name,
    in: 'header',
    required: !schema.safeParse(undefined).success,
    description,
    schema: schemaOf(schema, 'input'),
  }));

const meanings: Record<number, string> = {
  400: 'The request is not as documented; nothing was changed',
  401: 'The access token is missing or not good',
  403: 'Not allowed',
  404: 'There is no such thing, or the caller may not know of it',
  409: 'The state of things does not allow it',
  413: 'The body is too large',
  422: 'The idempotency key was used with another body',
  431: 'The request line and headers are larger than API Gateway takes: 10,240 bytes',
  429: 'Too many requests, or the limit of the day is reached',
  500: 'A fault of the service; the request id helps to find it',
  503: 'A service that is needed is out of reach; try again later',
  504: 'It took too long; what happened is not known',
};

const fieldIssues: Json = {
  type: 'array',
  description: 'What is wrong, field by field',
  items: {
    type: 'object',
    properties: { path: { type: 'string' }, message: { type: 'string' } },
    required: ['path', 'message'],
    additionalProperties: false,
  },
};

const errorSchema = (operation: Operation, status: number, codes: readonly ErrorCode[]): Json => {
  const userNotFound = codes.includes('USER_NOT_FOUND');
  const named = codes.filter((code) => code !== 'USER_NOT_FOUND');
  const bodies: Json[] = [];
  if (named.length > 0) {
    const detailed = status === 400 && operation.errorStyle !== 'bare';
    bodies.push({
      type: 'object',
      properties: {
        status: { type: 'integer', const: status },
        message: { type: 'string', enum: named },
        ...(detailed ? { errors: fieldIssues } : {}),
      },
      required: ['status', 'message', ...(detailed ? ['errors'] : [])],
      additionalProperties: false,
    });
  }
  if (userNotFound) {
    bodies.push({
      type: 'object',
      properties: {
        status: { type: 'integer', const: status },
        error_fields: { type: 'string', const: 'USER_NOT_FOUND' },
      },
      required: ['status', 'error_fields'],
      additionalProperties: false,
    });
  }
  bodies.push(...gatewayBodies(status));
  return bodies.length === 1 ? (bodies[0] as Json) : { anyOf: bodies };
};

/** Bodies that the gateway answers with before a function is asked. */
const gatewayBodies = (status: number): Json[] => {
  if (status === 403) {
    return [
      {
        type: 'object',
        properties: { message: { type: 'string', const: 'Forbidden' } },
        required: ['message'],
        additionalProperties: false,
      },
    ];
  }
  if (status === 500) {
    return [
      {
        type: 'object',
        properties: {
          status: { type: 'integer', const: 500 },
          message: { type: 'string' },
          request_id: { type: 'string' },
        },
        required: ['status', 'message'],
        additionalProperties: false,
      },
    ];
  }
  // Refused before the gateway's templates are asked.
  if (status === 431) return [{ type: 'object' }];
  if ([400, 404, 413, 429, 504].includes(status)) {
    return [
      {
        type: 'object',
        properties: { status: { type: 'integer', const: status }, message: { type: 'string' } },
        required: ['status', 'message'],
        additionalProperties: false,
      },
    ];
  }
  return [];
};

const errorResponses = (operation: Operation): Json => {
  const codesByStatus = new Map<number, ErrorCode[]>();
  const add = (status: number, code?: ErrorCode) => {
    codesByStatus.set(status, [...(codesByStatus.get(status) ?? []), ...(code === undefined ? [] : [code])]);
  };
  for (const code of operation.errors) add(statusByCode[code], code);
  for (const status of [413, 429, 431, 500, 504]) add(status);
  if (operation.security === 'api-key') add(403);
  return Object.fromEntries(
    [...codesByStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, codes]) => [
        String(status),
        {
          description: [
            meanings[status] ?? 'Refused',
            codes.length > 0 ? ` (${codes.map((c) => `\`${c}\``).join(', ')})` : '',
          ].join(''),
          content: { 'application/json': { schema: errorSchema(operation, status, codes) } },
        },
      ]),
  );
};

const securityOf: Record<Operation['security'], Json[]> = {
  none: [],
  'api-key': [{ apiKey: [] }],
  'access-token': [{ accessToken: [] }],
  'optional-access-token': [{}, { accessToken: [] }],
};

const describeOperation = (operation: Operation): Json => ({
  operationId: operation.operationId,
  tags: [operation.tag],
  summary: operation.summary,
  ...(operation.description === undefined ? {} : { description: operation.description }),
  security: securityOf[operation.security],
  parameters: [
    ...parametersOf('path', operation.path),
    ...parametersOf('query', operation.query),
    ...headersOf(operation),
  ],
  ...(operation.body === undefined
    ? {}
    : {
        requestBody: {
          required: true,
          content: { 'application/json': { schema: schemaOf(operation.body, 'input') } },
        },
      }),
  responses: {
    [operation.success.status]: {
      description: operation.success.description,
      ...(operation.success.headers === undefined
        ? {}
        : {
            headers: Object.fromEntries(
              Object.entries(operation.success.headers).map(([name, description]) => [
                name,
                { description, schema: { type: 'string' } },
              ]),
            ),
          }),
      content: { 'application/json': { schema: schemaOf(operation.success.body, 'output') } },
    },
    ...errorResponses(operation),
  },
});

/** The OpenAPI 3.1 document of the operations, at `addresses` or, without, at placeholders. */
export const openApiDocument = (operations: readonly Operation[], addresses?: Addresses): Json => {
  const prefixes = addresses?.prefixes ?? placeholders;
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const path = `${prefixes[operation.api]}${operation.documentedRoute ?? operation.route}`;
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describeOperation(operation) };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Marquee',
      version: '1',
      summary: 'NFT collections, user data and OTT events',
      description: Object.entries(prefixes)
        .map(
          ([api, prefix]) =>
            `\`${prefix}\` stands for the address of the ${descriptions[api as Operation['api']]} API.`,
        )
        .join('\n'),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      addresses === undefined
        ? {
            url: 'https://{host}',
            description: 'A stage',
            variables: { host: { default: 'api.marquee.invalid' } },
          }
        : { url: addresses.origin, description: 'This system' },
    ],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name, description: tags[name] })),
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'The key of a customer application',
        },
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: "An access token of the stage's identity provider",
        },
      },
    },
  };
};
