import * as z from 'zod';
import { ApiDefinition } from './api-definition.ts';
import { checkMappings, proxyIntegration } from './integration.ts';
import type { Integration, MockResponse } from './types.ts';

/*
 * What API Gateway makes of an OpenAPI document, as its developer guide describes under "Develop REST APIs using OpenAPI
 * in API Gateway", "OpenAPI extensions for API Gateway", and "Quotas and important notes". An import with
 * `failonwarnings` refuses all that API Gateway would leave out, so every schema here is strict.
 */

const texts = z.record(z.string(), z.string());

/** "Integration timeout" of the quotas of a REST API. */
const timeout = z.int().min(50).max(29_000).default(29_000);

const proxy = z.strictObject({
  type: z.literal('aws_proxy'),
  /** Lambda is always invoked with POST, whatever the method of the client's request. */
  httpMethod: z.literal('POST'),
  uri: z.string(),
  credentials: z.string().optional(),
  passthroughBehavior: z.enum(['when_no_match', 'when_no_templates', 'never']).optional(),
  timeoutInMillis: timeout,
});

const passthrough = {
  when_no_match: 'WHEN_NO_MATCH',
  when_no_templates: 'WHEN_NO_TEMPLATES',
  never: 'NEVER',
} as const;

const mock = z.strictObject({
  type: z.literal('mock'),
  passthroughBehavior: z.enum(['when_no_match', 'when_no_templates', 'never']).default('when_no_match'),
  requestTemplates: texts.default({}),
  /** Keyed by a pattern of the integration's status, or `default`. */
  responses: z.record(
    z.string(),
    z.strictObject({
      statusCode: z.string().regex(/^\d{3}$/),
      responseParameters: texts.default({}),
      responseTemplates: texts.default({}),
    }),
  ),
});

const header = z.strictObject({ schema: z.strictObject({ type: z.literal('string') }) });

const operation = z.strictObject({
  security: z.array(z.record(z.string(), z.tuple([]))).default([]),
  responses: z
    .record(
      // API Gateway leaves out a response `default`, and ranges such as `4XX`.
      z.string().regex(/^\d{3}$/, 'not a status'),
      z.strictObject({ description: z.string(), headers: z.record(z.string(), header).default({}) }),
    )
    .refine((responses) => Object.keys(responses).length > 0, 'OpenAPI wants at least one response'),
  'x-amazon-apigateway-integration': z.discriminatedUnion('type', [proxy, mock]),
});

const methods = {
  get: 'GET',
  head: 'HEAD',
  post: 'POST',
  put: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  options: 'OPTIONS',
  'x-amazon-apigateway-any-method': 'ANY',
} as const;

const methodFields = Object.keys(methods) as (keyof typeof methods)[];

const operations = Object.fromEntries(methodFields.map((field) => [field, operation.optional()])) as Record<
  keyof typeof methods,
  z.ZodOptional<typeof operation>
>;

const pathItem = z.strictObject({
  parameters: z
    .array(
      z.strictObject({
        name: z.string(),
        in: z.literal('path'),
        required: z.literal(true),
        schema: z.strictObject({ type: z.literal('string') }),
      }),
    )
    .default([]),
  ...operations,
});

const document = z.strictObject({
  openapi: z.string().regex(/^3\.0\.\d+$/, 'API Gateway imports OpenAPI 2.0 and 3.0'),
  info: z.strictObject({ title: z.string().min(1), version: z.string(), description: z.string().optional() }),
  servers: z
    .array(
      z.strictObject({
        url: z.string(),
        'x-amazon-apigateway-endpoint-configuration': z
          .strictObject({ disableExecuteApiEndpoint: z.boolean() })
          .optional(),
      }),
    )
    .optional(),
  paths: z.record(z.string(), pathItem),
  components: z
    .strictObject({
      securitySchemes: z.record(
        z.string(),
        // "x-amazon-apigateway-api-key-source": API Gateway reads keys from this header only.
        z.strictObject({
          type: z.literal('apiKey'),
          name: z.literal('x-api-key'),
          in: z.literal('header'),
        }),
      ),
    })
    .default({ securitySchemes: {} }),
  'x-amazon-apigateway-api-key-source': z.literal('HEADER').optional(),
  'x-amazon-apigateway-minimum-compression-size': z.int().min(0).max(10_485_760).optional(),
  'x-amazon-apigateway-gateway-responses': z
    .record(
      z.string(),
      z.strictObject({
        statusCode: z.coerce.number().pipe(z.int().min(200).max(599)).optional(),
        responseParameters: texts.default({}),
        responseTemplates: texts.default({}),
      }),
    )
    .default({}),
});

type Document = z.output<typeof document>;
type Operation = z.output<typeof operation>;

/** "Maximum size of an OpenAPI file" of the quotas of a REST API. */
const bytesAtMost = 6 * 1024 * 1024;

export interface ReadDocument {
  readonly name: string;
  readonly definition: ApiDefinition;
}

/** Reads a document as API Gateway imports it with `failonwarnings`. Throws on what API Gateway refuses or leaves out. */
export const readApiDocument = (input: unknown, apiId: string): ReadDocument => {
  if (Buffer.byteLength(JSON.stringify(input)) > bytesAtMost) throw new Error('the document is over 6 MB');
  const parsed = document.safeParse(input);
  if (!parsed.success) throw new Error(`the OpenAPI document:\n${z.prettifyError(parsed.error)}`);
  const read = parsed.data;
  const definition = new ApiDefinition(apiId);
  for (const [path, item] of Object.entries(read.paths)) {
    inPath(path, () => {
      const resourceId = addResources(definition, path);
      requireParameters(path, item.parameters);
      for (const field of methodFields) {
        const one = item[field];
        if (one === undefined) continue;
        const httpMethod = methods[field];
        definition.addMethod({
          logicalId: `${httpMethod} ${path}`,
          apiId,
          resourceId,
          httpMethod,
          apiKeyRequired: needsKey(one, read),
          integration: integrationOf(one),
        });
      }
    });
  }
  for (const [responseType, response] of Object.entries(read['x-amazon-apigateway-gateway-responses'])) {
    definition.addGatewayResponse({
      responseType,
      ...(response.statusCode !== undefined && { statusCode: response.statusCode }),
      parameters: response.responseParameters,
      templates: response.responseTemplates,
    });
  }
  return { name: read.info.title, definition };
};

const inPath = (path: string, work: () => void): void => {
  try {
    work();
  } catch (cause) {
    throw new Error(`${path}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
};

/** CreateResource: "Resource's path part only allow a-zA-Z0-9._-: or a valid greedy path variable …". */
const pathPart = /^([\w.:-]+|\{[\w.-]+\+?\})$/;

/** Adds the resource of a path and those above it. Returns its id. */
const addResources = (definition: ApiDefinition, path: string): string => {
  if (!path.startsWith('/')) throw new Error('a path begins with a slash');
  const parts = path === '/' ? [] : path.slice(1).split('/');
  let parentId = definition.resources.rootId;
  let above = '';
  for (const [index, part] of parts.entries()) {
    if (!pathPart.test(part)) throw new Error(`${part} is not a path part that API Gateway accepts`);
    if (part.endsWith('+}') && index < parts.length - 1) throw new Error(`${part} can only end a path`);
    above = `${above}/${part}`;
    const id = `${definition.resources.rootId}${above}`;
    if (definition.resources.resource(id) === undefined) {
      definition.addResource({ id, parentId, pathPart: part });
    }
    parentId = id;
  }
  return parentId;
};

/** OpenAPI: each expression of a path's template must have a parameter with `in: path`, and each parameter one. */
const requireParameters = (path: string, declared: readonly { readonly name: string }[]): void => {
  const named = [...path.matchAll(/\{([\w.-]+)\+?\}/g)].map(([, name]) => name).sort();
  const given = declared.map(({ name }) => name).sort();
  if (JSON.stringify(named) === JSON.stringify(given)) return;
  throw new Error(`the path has the parameters [${named}] but declares [${given}]`);
};

const needsKey = ({ security }: Operation, { components }: Document): boolean => {
  for (const name of security.flatMap((each) => Object.keys(each))) {
    if (!Object.hasOwn(components.securitySchemes, name)) {
      throw new Error(`there is no security scheme ${name}`);
    }
  }
  return security.length > 0;
};

const integrationOf = (one: Operation): Integration => {
  const integration = one['x-amazon-apigateway-integration'];
  if (integration.type === 'aws_proxy') {
    const { uri, credentials, timeoutInMillis } = integration;
    return proxyIntegration({ uri, credentials, timeoutMilliseconds: timeoutInMillis });
  }
  const responses = Object.entries(integration.responses).map(
    ([pattern, { statusCode, responseParameters, responseTemplates }]): MockResponse => ({
      statusCode: Number(statusCode),
      ...(pattern !== 'default' && { selectionPattern: pattern }),
      parameters: responseParameters,
      templates: responseTemplates,
    }),
  );
  checkMappings(
    responses,
    Object.entries(one.responses).map(([status, { headers }]) => ({
      status: Number(status),
      headers: Object.keys(headers).map((name) => `method.response.header.${name}`),
    })),
  );
  return {
    type: 'MOCK',
    requestTemplates: integration.requestTemplates,
    passthroughBehavior: passthrough[integration.passthroughBehavior],
    responses,
  };
};
