import { readFile } from 'node:fs/promises';
import { type IncomingMessage, request as send } from 'node:http';
import { join } from 'node:path';
import { gunzipSync, inflateSync } from 'node:zlib';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFirewalls } from '../../engines/firewall/engine.ts';
import type { CustomResponse } from '../../engines/firewall/types.ts';
import { createIdentities } from '../../engines/iam/engine.ts';
import type { Identities } from '../../engines/iam/types.ts';
import { createLambdaEngine } from '../../engines/lambda/engine.ts';
import type { LambdaEngine } from '../../engines/lambda/types.ts';
import type { Metrics } from '../../engines/metrics/types.ts';
import { createRestGateway } from '../../gateway/rest-gateway.ts';
import { emptyBasePath, type Method, type RestGateway, type Stage } from '../../gateway/types.ts';
import { bundleFunction, temporaryDirectory } from '../../testing/bundles.ts';
import { waitFor } from '../../testing/wait.ts';

const roleArn = 'arn:aws:iam::000000000000:role/test-role';
const functionArn = 'arn:aws:lambda:us-east-1:000000000000:function:fn';

let lambda: LambdaEngine;
let identities: Identities;
let gateway: RestGateway;
let firewalls: ReturnType<typeof createFirewalls>;
let logDirectory: string;
let port = 0;
let now = Date.parse('2026-11-20T12:00:00Z');
let elapsed = 0;
const terminal: string[] = [];
const measured: Parameters<Metrics['put']>[0][] = [];

const handlerSource = `export const handler = async (event) => {
  const mode = event.queryStringParameters?.mode;
  if (mode === 'throw') throw new Error('broken');
  if (mode === 'malformed') return { status: 200, body: {} };
  if (mode === 'slow') await new Promise((resolve) => setTimeout(resolve, 3000));
  if (mode === 'error') return { statusCode: 503, body: '{"status":503}' };
  const { bytes, status, type = 'application/json', coding } = event.queryStringParameters ?? {};
  if (bytes) return {
    statusCode: Number(status ?? 200),
    headers: { 'content-type': type, ...(coding && { 'content-encoding': coding }) },
    body: 'x'.repeat(Number(bytes)),
  };
  if (mode === 'headers') return {
    statusCode: 200,
    headers: { 'WWW-Authenticate': 'Bearer', Server: 'mine', 'X-One': 1 },
    multiValueHeaders: { 'Set-Cookie': ['a=1', 'b=2'] },
    body: 'text',
  };
  return { statusCode: 200, body: JSON.stringify(event) };
};`;

const method = (overrides: Partial<Method> & Pick<Method, 'resourceId' | 'httpMethod'>): Method => ({
  logicalId: `Method${overrides.resourceId}${overrides.httpMethod}`,
  apiId: 'api1',
  apiKeyRequired: false,
  integration: { type: 'AWS_PROXY', functionArn, timeoutMilliseconds: 29_000 },
  ...overrides,
});

const notFound = {
  type: 'MOCK' as const,
  requestTemplates: { 'application/json': '{"statusCode":404}' },
  passthroughBehavior: 'NEVER' as const,
  responses: [
    {
      statusCode: 404,
      parameters: { 'method.response.header.Access-Control-Allow-Origin': "'*'" },
      templates: { 'application/json': '{"status":404,"message":"NOT_FOUND"}' },
    },
  ],
};

const deployApi = (methodSettings: Stage['methodSettings'] = new Map()): void => {
  gateway.addApi({ id: 'api1', name: 'app-local-base', minimumCompressionBytes: 1_024 });
  const root = gateway.rootResourceId('api1');
  for (const [id, parentId, pathPart] of [
    ['things', root, 'things'],
    ['special', 'things', 'special'],
    ['thing', 'things', '{thing}'],
    ['parts', 'thing', 'parts'],
    ['proxy', root, '{proxy+}'],
  ] as const) {
    gateway.addResource({ id, apiId: 'api1', parentId, pathPart });
  }
  gateway.addMethod(method({ resourceId: 'things', httpMethod: 'GET', apiKeyRequired: true }));
  gateway.addMethod(method({ resourceId: 'things', httpMethod: 'POST' }));
  gateway.addMethod(method({ resourceId: 'special', httpMethod: 'GET' }));
  gateway.addMethod(method({ resourceId: 'thing', httpMethod: 'GET' }));
  gateway.addMethod(method({ resourceId: 'parts', httpMethod: 'GET' }));
  gateway.addMethod(method({ resourceId: 'proxy', httpMethod: 'ANY', integration: notFound }));
  const response = (responseType: string, body: string, statusCode?: number) =>
    gateway.addGatewayResponse('api1', {
      responseType,
      ...(statusCode && { statusCode }),
      parameters: { 'gatewayresponse.header.Access-Control-Allow-Origin': "'*'" },
      templates: { 'application/json': body },
    });
  response('INVALID_API_KEY', '{"message":"Forbidden"}', 403);
  response('MISSING_AUTHENTICATION_TOKEN', '{"status":404,"message":"NOT_FOUND"}', 404);
  response('THROTTLED', '{"status":429,"message":"TOO_MANY_REQUESTS"}', 429);
  response('DEFAULT_4XX', '{"message":$context.error.messageString,"id":"$context.requestId"}');
  response('DEFAULT_5XX', '{"message":$context.error.messageString}');
  settings = methodSettings;
};

let settings: Stage['methodSettings'] = new Map();
let deployments = 0;

/** Makes the stage serve the API as it is now. */
const publish = (): void => {
  const id = `deployment-${++deployments}`;
  gateway.addDeployment({ apiId: 'api1', id });
  gateway.addStage({
    apiId: 'api1',
    name: 'local',
    deploymentId: id,
    variables: {},
    methodSettings: settings,
    accessLogFormat:
      '{"path":"$context.path","status":"$context.status","key":"$context.identity.apiKeyId","bytes":"$context.responseLength"}',
  });
};

const permitAll = (): void =>
  lambda.permit({
    target: 'fn',
    statementId: 'gateway',
    action: 'lambda:InvokeFunction',
    principal: 'apigateway.amazonaws.com',
    sourceArn: 'arn:aws:execute-api:us-east-1:000000000000:api1/local/*',
  });

const listen = async (): Promise<void> => {
  publish();
  port = await gateway.listen({ host: '127.0.0.1', port: 0 });
};

const call = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}/base${path}`, init);

/** A call whose response body is not decoded. Its only `accept-encoding` is the given one. */
const raw = async (
  path: string,
  { method: verb = 'GET', acceptEncoding }: { method?: string; acceptEncoding: string | undefined },
) => {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding };
    send(`http://127.0.0.1:${port}/base${path}`, { method: verb, headers }, resolve)
      .on('error', reject)
      .end();
  });
  const body = Buffer.concat(await response.toArray());
  return { status: response.statusCode, headers: response.headers, body };
};

const report = (line: string): void => {
  terminal.push(line);
};

const openGateway = async (trustForwardedFor = false): Promise<RestGateway> =>
  createRestGateway({
    lambda,
    identities,
    stateDirectory: await temporaryDirectory(),
    logDirectory,
    clock: () => now,
    elapsed: () => elapsed,
    firewalls,
    metrics: { put: (value) => measured.push(value) },
    trustForwardedFor,
    report,
  });

beforeEach(async () => {
  terminal.length = 0;
  measured.length = 0;
  now = Date.parse('2026-11-20T12:00:00Z');
  logDirectory = await temporaryDirectory();
  firewalls = createFirewalls({ clock: () => now });
  identities = createIdentities();
  identities.registerRole({ arn: roleArn, name: 'test-role', trusts: ['lambda.amazonaws.com'] });
  lambda = createLambdaEngine({
    logDirectory,
    identities,
    awsEndpointUrl: () => 'http://127.0.0.1:4566',
    report,
  });
  lambda.register({
    name: 'fn',
    arn: functionArn,
    codeDirectory: await bundleFunction(handlerSource),
    handler: 'index.handler',
    environment: {},
    timeoutSeconds: 5,
    memoryMegabytes: 128,
    roleArn,
  });
  gateway = await openGateway();
});

afterEach(async () => {
  await gateway.stop();
  await lambda.stop();
});

describe('the REST gateway', () => {
  it('passes the event of a REST API to the function', async () => {
    deployApi();
    permitAll();
    await listen();

    const response = await call('/things/a%20b/parts/?x=1&x=2&y=%C3%BC', {
      headers: { 'X-Custom': 'one', 'x-forwarded-for': '203.0.113.9' },
    });

    expect(response.status).toBe(200);
    const event = (await response.json()) as APIGatewayProxyEvent;
    expect(event).toMatchObject({
      resource: '/things/{thing}/parts',
      path: '/things/a%20b/parts/',
      httpMethod: 'GET',
      queryStringParameters: { x: '2', y: 'ü' },
      multiValueQueryStringParameters: { x: ['1', '2'], y: ['ü'] },
      pathParameters: { thing: 'a%20b' },
      stageVariables: null,
      body: null,
      isBase64Encoded: false,
      requestContext: {
        stage: 'local',
        apiId: 'api1',
        resourcePath: '/things/{thing}/parts',
        path: '/local/things/a%20b/parts/',
        requestTime: '20/Nov/2026:12:00:00 +0000',
        identity: { sourceIp: '127.0.0.1', apiKey: null, apiKeyId: null },
      },
    });
    expect(event.headers['X-Forwarded-For']).toBe('203.0.113.9, 127.0.0.1');
    expect(event.headers).not.toHaveProperty('connection');
    expect(event.requestContext.requestId).toBe(response.headers.get('x-amzn-requestid'));
    expect(event.requestContext).not.toHaveProperty('authorizer');
  });

  it.each([
    ['/things/special', '/things/special', null],
    ['/things/other', '/things/{thing}', { thing: 'other' }],
    ['/things/other/', '/things/{thing}', { thing: 'other' }],
    ['/things/special/parts', '/things/{thing}/parts', { thing: 'special' }],
  ])('routes %s to %s', async (path, resource, pathParameters) => {
    deployApi();
    permitAll();
    await listen();

    expect(await (await call(path)).json()).toMatchObject({ resource, pathParameters });
  });

  it('serves an API with an empty base path at all paths without another mapping', async () => {
    deployApi();
    permitAll();
    await listen();
    const served = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      return response.ok ? ((await response.json()) as APIGatewayProxyEvent).path : response.status;
    };
    gateway.removeMapping('base');
    expect(await served('/things/one')).toBe(403);

    gateway.addMapping({ basePath: emptyBasePath, apiId: 'api1' });

    expect(await served('/things/one')).toBe('/things/one');
    gateway.addMapping({ basePath: 'things', apiId: 'api1' });
    expect(await served('/things/things/two')).toBe('/things/two');
  });

  it("answers unknown paths with the mock's response, and unknown methods with its own", async () => {
    deployApi();
    await listen();

    const unknown = await call('/nothing/here', { method: 'DELETE' });
    const unknownMethod = await call('/things/special', { method: 'DELETE' });

    expect(unknown.status).toBe(404);
    expect(await unknown.text()).toBe('{"status":404,"message":"NOT_FOUND"}');
    expect(unknown.headers.get('access-control-allow-origin')).toBe('*');
    expect(unknownMethod.status).toBe(404);
    expect(await unknownMethod.text()).toBe('{"status":404,"message":"NOT_FOUND"}');
  });

  it('answers with its own response when a mock has no template for the content type of the body', async () => {
    deployApi();
    gateway.addGatewayResponse('api1', {
      responseType: 'UNSUPPORTED_MEDIA_TYPE',
      statusCode: 404,
      parameters: {},
      templates: { 'application/json': '{"status":404,"message":"NOT_FOUND"}' },
    });
    await listen();

    const response = await call('/nothing', { method: 'POST', body: new URLSearchParams({ a: '1' }) });

    expect(response.status).toBe(404);
    expect(response.headers.get('x-amzn-errortype')).toBe('BadRequestException');
  });

  it('requires an enabled API key that is in a usage plan of the stage', async () => {
    deployApi();
    permitAll();
    await listen();
    const plan = { id: 'plan', name: 'plan', apiStages: [{ apiId: 'api1', stage: 'local' }] };
    const otherPlan = { id: 'other', name: 'other', apiStages: [{ apiId: 'api2', stage: 'local' }] };
    gateway.keys.putUsagePlan(plan);
    gateway.keys.putUsagePlan(otherPlan);
    const good = gateway.keys.createApiKey({ name: 'good', enabled: true });
    const disabled = gateway.keys.createApiKey({ name: 'disabled', enabled: false });
    const elsewhere = gateway.keys.createApiKey({ name: 'elsewhere', enabled: true });
    gateway.keys.createUsagePlanKey({ usagePlanId: 'plan', keyId: good.id });
    gateway.keys.createUsagePlanKey({ usagePlanId: 'plan', keyId: disabled.id });
    gateway.keys.createUsagePlanKey({ usagePlanId: 'other', keyId: elsewhere.id });

    const answers = await Promise.all(
      [good.value, disabled.value, elsewhere.value, 'x'.repeat(40), undefined].map((value) =>
        call('/things', value === undefined ? {} : { headers: { 'X-Api-Key': value } }),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual([200, 403, 403, 403, 403]);
    expect(await answers[4]?.text()).toBe('{"message":"Forbidden"}');
    expect(answers[4]?.headers.get('access-control-allow-origin')).toBe('*');
    expect(await answers[0]?.json()).toMatchObject({
      requestContext: { identity: { apiKeyId: good.id, apiKey: good.value } },
    });
  });

  it('measures and throttles each method by its own settings, which override those for all methods', async () => {
    deployApi(
      new Map([
        ['* *', { hasMetrics: false, throttle: { rateLimit: 1, burstLimit: 1 } }],
        ['/things/special GET', { hasMetrics: true, throttle: { rateLimit: 1, burstLimit: 2 } }],
        ['/things/{thing}/parts GET', { hasMetrics: true, throttle: {} }],
      ]),
    );
    permitAll();
    await listen();
    const statuses = async (path: string) => {
      const answers = [await call(path), await call(path), await call(path)];
      return answers.map(({ status }) => status);
    };

    expect(await statuses('/things/1')).toEqual([200, 429, 429]);
    expect(await statuses('/things/special')).toEqual([200, 200, 429]);
    expect(await statuses('/things/1/parts')).toEqual([200, 200, 200]);
    const counts = measured.filter(({ name }) => name === 'Count').map(({ dimensions }) => dimensions);
    const api = { ApiName: 'app-local-base' };
    const ofMethod = (Resource: string) => ({ ...api, Stage: 'local', Resource, Method: 'GET' });
    expect(counts.filter(({ Resource }) => Resource === undefined)).toEqual(Array(9).fill(api));
    expect(counts.filter(({ Resource }) => Resource !== undefined)).toEqual([
      ...Array(3).fill(ofMethod('/things/special')),
      ...Array(3).fill(ofMethod('/things/{thing}/parts')),
    ]);
  });

  it('throttles each API key separately, and counts its quota', async () => {
    deployApi();
    permitAll();
    await listen();
    gateway.keys.putUsagePlan({
      id: 'plan',
      name: 'plan',
      apiStages: [{ apiId: 'api1', stage: 'local' }],
      throttle: { rateLimit: 1, burstLimit: 2 },
      quota: { limit: 3, period: 'DAY' },
    });
    const [first, second] = ['first', 'second'].map((name) => {
      const key = gateway.keys.createApiKey({ name, enabled: true });
      gateway.keys.createUsagePlanKey({ usagePlanId: 'plan', keyId: key.id });
      return { headers: { 'x-api-key': key.value } };
    });
    const status = async (init?: RequestInit) => (await call('/things', init)).status;

    const burst = [await status(first), await status(first), await status(first), await status(second)];
    // Two seconds pass, but the machine's clock is set back by an hour.
    now -= 3_600_000;
    elapsed += 2_000;
    const afterPause = [await status(first), await status(first)];
    now += 2 * 86_400_000;
    elapsed += 86_400_000;

    expect(burst).toEqual([200, 200, 429, 200]);
    expect(afterPause).toEqual([200, 429]);
    expect(await status(first)).toBe(200);
  });

  it.each([
    ['throws', 'throw', 502],
    ['answers something malformed', 'malformed', 502],
  ])('answers 502 when the function %s, and prints the path of the log file', async (_what, mode, status) => {
    deployApi();
    permitAll();
    await listen();

    const response = await call(`/things/special?mode=${mode}`);

    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ message: 'Internal server error' });
    expect(terminal).toHaveLength(1);
    expect(terminal[0]).toContain('fn.log');
  });

  it('prints the path of the log file when the function itself answers 5xx', async () => {
    deployApi();
    permitAll();
    await listen();

    const response = await call('/things/special?mode=error');

    expect(response.status).toBe(503);
    expect(terminal).toEqual([expect.stringMatching(/^GET \/base\/things\/special answered 503 .*fn\.log/)]);
  });

  it("answers a throttled invocation with the template's response for a failed integration", async () => {
    deployApi();
    gateway.addGatewayResponse('api1', {
      responseType: 'INTEGRATION_FAILURE',
      statusCode: 503,
      parameters: { 'gatewayresponse.header.Retry-After': "'1'" },
      templates: { 'application/json': '{"status":503,"message":"SERVICE_UNAVAILABLE"}' },
    });
    permitAll();
    lambda.setFaults({ accountConcurrency: 0 });
    await listen();

    const response = await call('/things/special');

    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await response.json()).toEqual({ status: 503, message: 'SERVICE_UNAVAILABLE' });
  });

  it('answers a throttled invocation with 500 when the template has no response for it', async () => {
    deployApi();
    permitAll();
    lambda.setFaults({ accountConcurrency: 0 });
    await listen();

    const response = await call('/things/special');

    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ message: 'Internal server error' });
  });

  it('answers 504 when the function takes longer than the integration time-out', async () => {
    gateway.addApi({ id: 'api1', name: 'base' });
    gateway.addMethod(
      method({
        resourceId: gateway.rootResourceId('api1'),
        httpMethod: 'GET',
        integration: { type: 'AWS_PROXY', functionArn, timeoutMilliseconds: 50 },
      }),
    );
    permitAll();
    await listen();

    const response = await call('/?mode=slow');

    expect(response.status).toBe(504);
    expect(await response.json()).toEqual({ message: 'Endpoint request timed out' });
  });

  it('answers 500 when no Lambda permission allows API Gateway to invoke the function', async () => {
    deployApi();
    await listen();

    const response = await call('/things/special');

    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ message: 'Internal server error' });
    expect(terminal[0]).toContain('no AWS::Lambda::Permission');
  });

  describe('with an execution role for the integration', () => {
    const roleArn = 'arn:aws:iam::000000000000:role/invoker';
    const deploy = ({ service = 'apigateway.amazonaws.com', resource = functionArn }) => {
      identities.registerRole({ arn: roleArn, name: 'invoker', trusts: [service] });
      identities.attachPolicy('invoker', {
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: resource }],
      });
      gateway.addApi({ id: 'api1', name: 'base' });
      gateway.addMethod(
        method({
          resourceId: gateway.rootResourceId('api1'),
          httpMethod: 'GET',
          integration: { type: 'AWS_PROXY', functionArn, roleArn, timeoutMilliseconds: 29_000 },
        }),
      );
      return listen();
    };

    it('needs no Lambda permission', async () => {
      await deploy({});

      expect((await call('/')).status).toBe(200);
    });

    it.each([
      ['may not invoke this function', { resource: `${functionArn}x` }, 'is not authorized to perform'],
      ['does not trust API Gateway', { service: 'lambda.amazonaws.com' }, 'does not trust'],
    ])('answers 500 when the role %s', async (_, role, reason) => {
      await deploy(role);
      permitAll();

      const response = await call('/');

      expect(response.status).toBe(500);
      expect(await response.json()).toEqual({ message: 'Internal server error' });
      expect(terminal[0]).toContain(reason);
    });
  });

  it('serves what was deployed, until the stage gets another deployment', async () => {
    const served = async () => [(await call('/things/special')).status, (await call('/more')).status];
    deployApi();
    permitAll();
    await listen();

    const paths = {
      '/more': {
        get: {
          responses: { 200: { description: 'more' } },
          'x-amazon-apigateway-integration': {
            type: 'aws_proxy',
            httpMethod: 'POST',
            uri: `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/${functionArn}/invocations`,
          },
        },
      },
    };
    gateway.putDocument('api1', {
      openapi: '3.0.1',
      info: { title: 'app-local-base', version: '1' },
      paths,
    });
    const before = await served();
    publish();

    expect(before).toEqual([200, 404]);
    // The document has no response of its own for an unknown route.
    expect(await served()).toEqual([403, 200]);
  });

  it('refuses a stage without a deployment, and a deployment without a method', () => {
    deployApi();
    gateway.addApi({ id: 'empty', name: 'app-empty' });

    expect(() => gateway.addDeployment({ apiId: 'empty', id: 'one' })).toThrow("doesn't contain any methods");
    expect(() =>
      gateway.addStage({
        apiId: 'api1',
        name: 'local',
        deploymentId: 'none',
        variables: {},
        methodSettings: new Map(),
      }),
    ).toThrow('Deployment id does not exist');
  });

  it('does not start when a method names a function that does not exist', async () => {
    deployApi();
    gateway.addMethod(
      method({
        resourceId: 'special',
        httpMethod: 'PUT',
        integration: { type: 'AWS_PROXY', functionArn: `${functionArn}x`, timeoutMilliseconds: 1 },
      }),
    );

    await expect(listen()).rejects.toThrow(/MethodspecialPUT: PUT \/things\/special .*does not exist/);
  });

  it('renames reserved response headers, and sends repeated headers', async () => {
    deployApi();
    permitAll();
    await listen();

    const response = await call('/things/special?mode=headers');

    expect(response.headers.get('x-amzn-remapped-www-authenticate')).toBe('Bearer');
    expect(response.headers.get('www-authenticate')).toBeNull();
    expect(response.headers.get('x-amzn-remapped-server')).toBe('mine');
    expect(response.headers.get('x-one')).toBe('1');
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(response.headers.get('content-type')).toBe('application/json');
  });

  it('passes a body of any type as text, and rejects a body over 10 MB', async () => {
    deployApi();
    permitAll();
    await listen();

    const small = await call('/things', {
      method: 'POST',
      body: 'a=1',
      headers: { 'content-type': 'text/odd' },
    });
    const large = await call('/things', { method: 'POST', body: 'x'.repeat(10 * 1024 * 1024 + 1) });

    expect(await small.json()).toMatchObject({ body: 'a=1' });
    expect(large.status).toBe(413);
    expect(await large.json()).toEqual({
      message: 'Request Too Long',
      id: large.headers.get('x-amzn-requestid'),
    });
  });

  it.each([
    // AWS's page "Content codings supported by API Gateway": its codings, and the rule for an unknown preferred coding.
    ['bytes=1024', 'gzip', 'gzip'],
    ['bytes=1023', 'gzip', undefined],
    ['bytes=1024', undefined, undefined],
    ['bytes=1024', '', undefined],
    ['bytes=1024', '*', undefined],
    ['bytes=1024', 'deflate,gzip', 'deflate'],
    ['bytes=1024', 'gzip, deflate, br', 'gzip'],
    ['bytes=1024', 'deflate;q=0.5,gzip;q=1.0', 'gzip'],
    ['bytes=1024', 'GZIP;q=1.0, identity;q=0.5, *;q=0', 'gzip'],
    ['bytes=1024', 'identity;q=1.0, gzip;q=0.5', undefined],
    ['bytes=1024', 'br;q=1.0, gzip;q=0.5', undefined],
    ['bytes=1024', 'gzip;q=0', undefined],
    ['bytes=1024&type=image/png', 'gzip', 'gzip'],
    ['bytes=1024&status=503', 'gzip', 'gzip'],
    ['bytes=1024&coding=br', 'gzip', 'br'],
  ])('%s with Accept-Encoding %s has Content-Encoding %s', async (query, acceptEncoding, expected) => {
    deployApi();
    permitAll();
    await listen();

    const { headers, body } = await raw(`/things/special?${query}`, { acceptEncoding });

    const decode = { gzip: gunzipSync, deflate: inflateSync }[expected ?? ''];
    expect(headers['content-encoding']).toBe(expected);
    expect(headers['content-length']).toBe(String(body.length));
    expect((decode?.(body) ?? body).toString()).toBe('x'.repeat(Number(/\d+/.exec(query)?.[0])));
    expect(headers.vary).toBeUndefined();
    if (decode === undefined) return;
    await waitFor(async () =>
      expect(await readFile(join(logDirectory, 'access-app-local-base.log'), 'utf8')).toContain(
        `"bytes":"${body.length}"`,
      ),
    );
  });

  it('also compresses its own responses and those of mocks, and sends no body for HEAD', async () => {
    deployApi();
    gateway.addMethod(method({ resourceId: 'special', httpMethod: 'HEAD' }));
    gateway.addGatewayResponse('api1', {
      responseType: 'INVALID_API_KEY',
      statusCode: 403,
      parameters: {},
      templates: { 'application/json': JSON.stringify({ message: 'x'.repeat(1_024) }) },
    });
    permitAll();
    await listen();

    const refused = await raw('/things', { acceptEncoding: 'gzip' });
    const short = await raw('/missing', { acceptEncoding: 'gzip' });
    const head = await raw('/things/special?bytes=2000', { method: 'HEAD', acceptEncoding: 'gzip' });

    expect([refused.status, refused.headers['content-encoding']]).toEqual([403, 'gzip']);
    expect(JSON.parse(gunzipSync(refused.body).toString())).toEqual({ message: 'x'.repeat(1_024) });
    expect([short.status, short.headers['content-encoding']]).toEqual([404, undefined]);
    expect([head.status, head.headers['content-encoding'], head.body.length]).toEqual([200, 'gzip', 0]);
  });

  it('uses the client address in X-Forwarded-For only if it is configured to trust it', async () => {
    await gateway.stop();
    gateway = await openGateway(true);
    deployApi();
    permitAll();
    await listen();

    const response = await call('/things/special', {
      headers: { 'x-forwarded-for': '203.0.113.9, 10.0.0.1' },
    });

    expect(await response.json()).toMatchObject({
      requestContext: { identity: { sourceIp: '203.0.113.9' } },
    });
  });

  it('writes the access log of the stage', async () => {
    deployApi();
    await listen();

    await call('/missing');

    await waitFor(async () =>
      expect(await readFile(join(logDirectory, 'access-app-local-base.log'), 'utf8')).toBe(
        '{"path":"/local/missing","status":"404","key":"-","bytes":"36"}\n',
      ),
    );
  });

  it('answers a CORS preflight with the origin of the request if its template allows that origin', async () => {
    deployApi();
    const preflight = (allowed: readonly string[], template?: string): Method['integration'] => ({
      type: 'MOCK',
      requestTemplates: { 'application/json': '{ statusCode: 200 }' },
      passthroughBehavior: 'WHEN_NO_MATCH',
      responses: [
        {
          statusCode: 204,
          parameters: {
            'method.response.header.Access-Control-Allow-Origin': `'${allowed[0]}'`,
            'method.response.header.Vary': "'Origin'",
          },
          templates: {
            'application/json':
              template ??
              [
                '#set($origin = $input.params().header.get("Origin"))',
                '#if($origin == "")',
                '  #set($origin = $input.params().header.get("origin"))',
                '#end',
                `#foreach($allowed in ["${allowed.join('", "')}"])`,
                '  #if($origin == $allowed)',
                '    #set($context.responseOverride.header.Access-Control-Allow-Origin = $allowed)',
                '  #end',
                '#end',
              ].join('\n'),
          },
        },
      ],
    });
    const origins = ['https://www.example.com', 'https://tv.example.com'];
    gateway.addMethod(
      method({ resourceId: 'things', httpMethod: 'OPTIONS', integration: preflight(origins) }),
    );
    await listen();
    const allowed = async (headers: Record<string, string>) => {
      const { status, headers: answered } = await call('/things', { method: 'OPTIONS', headers });
      return [status, answered.get('access-control-allow-origin'), answered.get('vary')];
    };

    expect(await allowed({ Origin: 'https://tv.example.com' })).toEqual([204, origins[1], 'Origin']);
    expect(await allowed({ origin: 'https://www.example.com' })).toEqual([204, origins[0], 'Origin']);
    expect(await allowed({ origin: 'https://tvXexample.com' })).toEqual([204, origins[0], 'Origin']);
    expect(await allowed({})).toEqual([204, origins[0], 'Origin']);
    for (const [template, named] of [
      ['#macro(x)a#end', '#macro'],
      ['#set($a = $context.requestId)', '$context.requestId'],
      ['#set($a = $input.body)', '$input.body'],
      ['#set($input.params().header.get("a") = "b")$util.urlEncode("a")', '$util.urlEncode'],
    ] as const) {
      const add = () =>
        gateway.addMethod(
          method({ resourceId: 'parts', httpMethod: 'OPTIONS', integration: preflight(origins, template) }),
        );

      expect(add).toThrow(named);
    }
  });

  it('rejects templates that it cannot render as API Gateway does', () => {
    gateway.addApi({ id: 'api1', name: 'base' });
    const add = (template: string) => () =>
      gateway.addGatewayResponse('api1', {
        responseType: 'THROTTLED',
        parameters: {},
        templates: { 'application/json': template },
      });

    expect(add('#set($x = 1)')).toThrow('#set');
    expect(add('{"a":$input.body}')).toThrow('$input');
    expect(add('{"a":$context.error.messageString}')).not.toThrow();
  });
});

describe('a firewall in front of the REST gateway', () => {
  const stage = 'arn:aws:apigateway:us-east-1::/restapis/api1/stages/local';
  const blocking = (response?: CustomResponse): void => {
    const rule = {
      metricName: 'rate',
      priority: 0,
      matches: () => true,
      rate: { limit: 1, windowSeconds: 60, keys: [{ kind: 'ip' as const }] },
    };
    firewalls.addAcl({
      arn: 'acl',
      id: 'acl',
      name: 'acl',
      metricName: 'all',
      rules: [{ ...rule, ...(response && { response }) }],
      written: {},
    });
    firewalls.associate(stage, 'acl');
  };

  it('blocks a request before any method is called, with the response of its rule', async () => {
    blocking({ status: 429, headers: [['Retry-After', '30']], body: '{"status":429}' });
    deployApi();
    permitAll();
    await listen();

    const answers = [await call('/things/1'), await call('/things/1'), await call('/nowhere')];

    expect(answers.map(({ status }) => status)).toEqual([200, 429, 429]);
    const [, refused] = answers;
    expect(refused?.headers.get('retry-after')).toBe('30');
    expect(refused?.headers.get('access-control-allow-origin')).toBeNull();
    expect(await refused?.json()).toEqual({ status: 429 });
  });

  it("blocks a request with the gateway's 403 if its rule has no response", async () => {
    blocking();
    deployApi();
    permitAll();
    await listen();
    await call('/things/1');

    const refused = await call('/things/1');

    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ message: 'Forbidden' });
  });
});
