import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { documentedAddresses } from '../../shared/platform/documentation/stage-document.ts';
import type { Operation } from '../../shared/platform/http/operation.ts';
import { errorResponses, sharedResponses } from './errors.ts';
import { headersOf } from './headers.ts';
import { type Components, collectComponents, type Json } from './schemas.ts';
import { webhooks } from './webhooks.ts';

/** The three APIs have different addresses, so each path in the document states the address of its API. */
const servers: Readonly<Record<Operation['api'], Json>> = {
  base: { url: documentedAddresses.base, description: 'The base API: NFTs and OTT events' },
  b2b: { url: documentedAddresses.b2b, description: 'The business-to-business API' },
  profile: { url: documentedAddresses.profile, description: 'The profile API' },
};

export const serversOf = (api: Operation['api']): readonly Json[] => [servers[api]];

const tags: Readonly<Record<string, string>> = {
  NFT: 'Collections and tokens of an application',
  'NFT metadata': 'The public metadata that `contractURI` and `tokenURI` on the chain point to',
  'User data': "Users' data, and each application's identifiers for users",
  Account: 'What a user can do about the whole account, in all applications at once',
  Wallets: 'The wallets that users have linked to their accounts',
  Tokens: 'The tokens that are reserved for a user, or that the user has claimed',
  'OTT events': 'Events and their streams, filtered for the viewer, the client and the country',
  Catalogue: 'The catalogue of events, for editors',
  Notifications: 'The notifications of an application and their deliveries',
  Webhooks: "The messages that are POSTed to a customer's endpoints",
  Documentation: 'This document',
};

const parametersOf = (place: 'path' | 'query', schema: z.ZodType | undefined, components: Components) => {
  if (schema === undefined) return [];
  if (!(schema instanceof z.ZodObject)) throw new Error('Path and query are objects');
  return Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, value]) => {
    // With `input`, the schema describes the text that a caller sends, before the text is parsed.
    const { description, examples, ...json } = components.schemaOf(value, 'input');
    return {
      name,
      in: place,
      required: place === 'path' || !value.safeParse(undefined).success,
      ...(description !== undefined && { description }),
      schema: json,
      ...(Array.isArray(examples) ? { example: examples[0] } : {}),
    };
  });
};

const requestHeadersOf = ({ requestHeaders }: Operation, components: Components) =>
  Object.entries(requestHeaders ?? {}).map(([name, { schema, description }]) => ({
    name,
    in: 'header',
    required: !schema.safeParse(undefined).success,
    description,
    schema: components.schemaOf(schema, 'input'),
  }));

const securityOf: Record<Operation['security'], Json[]> = {
  none: [],
  'api-key': [{ apiKey: [] }],
  'editor-key': [{ apiKey: [] }],
  'access-token': [{ accessToken: [] }],
  'optional-access-token': [{}, { accessToken: [] }],
};

const contentOf = (schema: z.ZodType, direction: 'input' | 'output', components: Components): Json => {
  const json = components.schemaOf(schema, direction);
  return { 'application/json': { schema: json, example: components.exampleOf(json) } };
};

const describeOperation = (operation: Operation, components: Components): Json => {
  const { operationId, tag, summary, description, security, path, query, body, success } = operation;
  const responseOf = (means: string): Json => ({
    description: means,
    ...headersOf(success.headers),
    ...(success.body !== undefined && { content: contentOf(success.body, 'output', components) }),
  });
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    security: securityOf[security],
    parameters: [
      ...parametersOf('path', path, components),
      ...parametersOf('query', query, components),
      ...requestHeadersOf(operation, components),
    ],
    ...(body !== undefined && {
      requestBody: { required: true, content: contentOf(body, 'input', components) },
    }),
    responses: {
      [success.status]: responseOf(success.description),
      ...(success.created !== undefined && { 201: responseOf(success.created) }),
      ...errorResponses(operation, components),
    },
  };
};

/**
 * The OpenAPI 3.1 document of the operations.
 *
 * @throws when two APIs have the same path, when two different schemas have the same name, or when a body has no
 * example.
 */
export const openApiDocument = (operations: readonly Operation[]): Json => {
  const components = collectComponents();
  const paths: Record<string, Json> = {};
  const apiOf = new Map<string, Operation['api']>();
  for (const operation of operations) {
    const path = operation.documentedRoute ?? operation.route;
    if ((apiOf.get(path) ?? operation.api) !== operation.api)
      throw new Error(`Two APIs have the path ${path}`);
    apiOf.set(path, operation.api);
    paths[path] = {
      servers: serversOf(operation.api),
      ...paths[path],
      [operation.method.toLowerCase()]: describeOperation(operation, components),
    };
  }
  const messages = webhooks(components);
  const responses = sharedResponses(components);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Marquee',
      version: '1',
      summary: 'NFT collections, user data and OTT events',
      description: readFileSync(new URL('introduction.md', import.meta.url), 'utf8'),
      contact: { name: 'The operator of the stage' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: serversOf('base'),
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: messages,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'The key of a customer’s application or of an editor',
        },
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: "An access token issued by the stage's identity provider",
        },
      },
      responses,
      schemas: components.all(),
    },
  };
};
