import { describe, expect, it } from 'vitest';
import { readApiDocument } from '../../gateway/read-api-document.ts';

const invoke = {
  type: 'aws_proxy',
  httpMethod: 'POST',
  uri: 'arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/arn:aws:lambda:us-east-1:000000000000:function:fn/invocations',
};

const mock = {
  type: 'mock',
  requestTemplates: { 'application/json': '{"statusCode":204}' },
  responses: {
    default: { statusCode: '204', responseParameters: { 'method.response.header.X-One': "'1'" } },
  },
};

const header = { schema: { type: 'string' } };

const aDocument = () => ({
  openapi: '3.0.1',
  info: { title: 'app-base', version: '1' },
  paths: {
    '/things/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: {
        security: [{ key: [] }],
        responses: { 200: { description: 'the thing' } },
        'x-amazon-apigateway-integration': invoke,
      },
      options: {
        responses: { 204: { description: 'preflight', headers: { 'X-One': header } } },
        'x-amazon-apigateway-integration': mock,
      },
    },
  },
  components: { securitySchemes: { key: { type: 'apiKey', name: 'x-api-key', in: 'header' } } },
  'x-amazon-apigateway-gateway-responses': {
    THROTTLED: { statusCode: 429, responseTemplates: { 'application/json': '{"status":429}' } },
  },
});

type Change = (document: ReturnType<typeof aDocument>) => unknown;

/** What is said of the document after a change, which may break its type. */
const refusal = (change: Change): string => {
  const document = aDocument();
  const changed = change(document) ?? document;
  try {
    readApiDocument(changed, 'api');
    return 'imported';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

const set = (target: object, values: object) => void Object.assign(target, values);

describe('an OpenAPI document', () => {
  it('becomes resources, methods and gateway responses', () => {
    const { name, definition } = readApiDocument(aDocument(), 'api');

    const route = definition.resources.match('/things/7/');
    expect(name).toBe('app-base');
    expect(route?.parameters).toEqual({ id: '7' });
    expect(route && definition.methodOf(route.resource, 'GET')).toMatchObject({
      apiKeyRequired: true,
      integration: { type: 'AWS_PROXY', timeoutMilliseconds: 29_000 },
    });
    expect(route && definition.methodOf(route.resource, 'OPTIONS')).toMatchObject({
      apiKeyRequired: false,
      integration: { type: 'MOCK', passthroughBehavior: 'WHEN_NO_MATCH' },
    });
    expect([...definition.responses.all]).toMatchObject([{ responseType: 'THROTTLED', statusCode: 429 }]);
  });

  // Each source is a page of the API Gateway Developer Guide or Reference, or of OpenAPI 3.0.
  it.each<readonly [what: string, source: string, said: RegExp, change: Change]>([
    ['of OpenAPI 3.1', 'Important notes: OpenAPI 3.0', /openapi/, (d) => set(d, { openapi: '3.1.0' })],
    ['without a title', 'OpenAPI: Info Object', /title/, (d) => set(d, { info: { version: '1' } })],
    ['with a field of its own', 'ImportRestApi: failonwarnings', /x-ours/, (d) => set(d, { 'x-ours': true })],
    [
      'with models',
      'ImportRestApi: failonwarnings',
      /schemas/,
      (d) => set(d.components, { schemas: { A: {} } }),
    ],
    [
      'with another header for keys',
      'x-amazon-apigateway-api-key-source: x-api-key',
      /name/,
      (d) => set(d.components.securitySchemes.key, { name: 'authorization' }),
    ],
    [
      'whose method names an unknown security scheme',
      'OpenAPI: Security Requirement Object',
      /no security scheme other/,
      (d) => set(d.paths['/things/{id}'].get, { security: [{ other: [] }] }),
    ],
    [
      'with a method without an integration',
      'CreateDeployment: no integration defined for method',
      /x-amazon-apigateway-integration/,
      (d) => set(d.paths['/things/{id}'].get, { 'x-amazon-apigateway-integration': undefined }),
    ],
    [
      'that invokes a function with GET',
      'x-amazon-apigateway-integration: httpMethod',
      /httpMethod/,
      (d) =>
        set(d.paths['/things/{id}'].get, {
          'x-amazon-apigateway-integration': { ...invoke, httpMethod: 'GET' },
        }),
    ],
    [
      'that waits for more than 29 seconds',
      'Quotas: integration timeout',
      /timeoutInMillis/,
      (d) =>
        set(d.paths['/things/{id}'].get, {
          'x-amazon-apigateway-integration': { ...invoke, timeoutInMillis: 29_001 },
        }),
    ],
    [
      'whose URI names no function',
      'x-amazon-apigateway-integration: uri',
      /does not name a function/,
      (d) =>
        set(d.paths['/things/{id}'].get, {
          'x-amazon-apigateway-integration': { ...invoke, uri: 'https://x' },
        }),
    ],
    [
      'with a response for all other statuses',
      'Important notes: default',
      /default/,
      (d) => set(d.paths['/things/{id}'].get, { responses: { default: { description: 'any' } } }),
    ],
    [
      'without any response of a method',
      'OpenAPI: Responses Object',
      /at least one response/,
      (d) => set(d.paths['/things/{id}'].get, { responses: {} }),
    ],
    [
      'whose mock returns a status that the method does not declare',
      'x-amazon-apigateway-integration.response',
      /does not declare the status 204/,
      (d) => set(d.paths['/things/{id}'].options, { responses: { 200: { description: 'other' } } }),
    ],
    [
      'whose mock returns a header that the method does not declare',
      'x-amazon-apigateway-integration.responseParameters',
      /does not declare method\.response\.header\.X-One/,
      (d) => set(d.paths['/things/{id}'].options, { responses: { 204: { description: 'none' } } }),
    ],
    [
      'with a parameter of the path that is not declared',
      'OpenAPI: Path Templating',
      /has the parameters \[id\] but declares \[\]/,
      (d) => set(d.paths['/things/{id}'], { parameters: [] }),
    ],
    [
      'with two names for the parameter of one place',
      'CreateResource: only one variable path part',
      /two resources/,
      (d) =>
        set(d.paths, {
          '/things/{other}': {
            ...d.paths['/things/{id}'],
            parameters: [{ name: 'other', in: 'path', required: true, schema: { type: 'string' } }],
          },
        }),
    ],
    [
      'with a greedy parameter in the middle of a path',
      'Set up a proxy integration with a proxy resource',
      /can only end a path/,
      (d) =>
        set(d.paths, {
          '/{id+}/more': { ...d.paths['/things/{id}'] },
        }),
    ],
    [
      'with a character in a path that API Gateway does not accept',
      'CreateResource: path part',
      /not a path part/,
      (d) => set(d.paths, { '/a b': { get: d.paths['/things/{id}'].get } }),
    ],
    [
      'with an unknown gateway response',
      'Gateway response types',
      /not a type of gateway response/,
      (d) => set(d['x-amazon-apigateway-gateway-responses'], { TEAPOT: {} }),
    ],
    [
      'with a header of a gateway response that is not quoted',
      'Gateway responses: static values in single quotes',
      /mapping of 1/,
      (d) =>
        set(d['x-amazon-apigateway-gateway-responses'].THROTTLED, {
          responseParameters: { 'gatewayresponse.header.Retry-After': '1' },
        }),
    ],
  ])('%s is refused (%s)', (_, __, said, change) => {
    expect(refusal(() => undefined)).toBe('imported');
    expect(refusal(change)).toMatch(said);
  });
});
