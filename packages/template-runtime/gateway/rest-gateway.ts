import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type FastifyError, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { type Clock, monotonicClock } from '../clock.ts';
import type { Firewalls } from '../engines/firewall/types.ts';
import type { Identities } from '../engines/iam/types.ts';
import type { LambdaEngine } from '../engines/lambda/types.ts';
import type { Metrics } from '../engines/metrics/types.ts';
import { ServiceFault } from '../engines/service-fault.ts';
import { whyRefused } from '../local-caller.ts';
import { answerer } from './answer.ts';
import { createApiKeys } from './api-keys.ts';
import { type GatewayRequest, grouped } from './gateway-request.ts';
import { readApiDocument } from './read-api-document.ts';
import { RestApi } from './rest-api.ts';
import { type ApiName, emptyBasePath, type Pages, type RestGateway } from './types.ts';
import { Usage } from './usage.ts';

export interface RestGatewayOptions {
  readonly lambda: LambdaEngine;
  readonly identities: Pick<Identities, 'authorizeRole' | 'trusts'>;
  readonly stateDirectory: string;
  readonly logDirectory: string;
  readonly clock: Clock;
  /** The clock by which throttles refill their token buckets. @default monotonicClock */
  readonly elapsed?: Clock;
  /** How many times longer than its timeout an integration may take. @default 1 */
  readonly patience?: number | undefined;
  readonly metrics?: Pick<Metrics, 'put'>;
  /** @default no firewall */
  readonly firewalls?: Pick<Firewalls, 'judge'>;
  /** Whether to trust the client's `X-Forwarded-For`. */
  readonly trustForwardedFor: boolean;
  readonly report: (line: string) => void;
}

/** No other page, not even of this machine, may load a page or its files, which may contain keys. */
const pageHeaders = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** API Gateway's size limit for a request body. */
const bodyLimitBytes = 10 * 1024 * 1024;

export const createRestGateway = (options: RestGatewayOptions): RestGateway => {
  const apis = new Map<string, RestApi>();
  const apisByPrefix = new Map<string, RestApi>();
  const keys = createApiKeys(join(options.stateDirectory, 'api-keys.json'));
  const { clock, elapsed = monotonicClock } = options;
  const usage = new Usage({ clock, elapsed });
  const answer = answerer({ ...options, keys, usage });
  const server = fastify({
    bodyLimit: bodyLimitBytes,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    // Paths are matched against the template's resources later, so Fastify sees only the path `/`.
    rewriteUrl: () => '/',
  });

  const folders = new Map<string, Pages>();
  /** APIs that were imported without a stage. Nobody can call these. */
  const imported = new Map<string, ApiName>();

  const api = (id: string): RestApi => {
    const found = apis.get(id);
    if (found === undefined) throw new Error(`the API ${id} does not exist`);
    return found;
  };

  const serve = async (request: FastifyRequest, reply: FastifyReply, isTooLarge: boolean) => {
    const [, prefix = '', path = '', query = ''] =
      /^\/([^/?]*)([^?]*)\??(.*)$/s.exec(request.originalUrl) ?? [];
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const page = isRead ? folders.get(prefix)?.get(path) : undefined;
    // On AWS, an API answers pages of any origin, too. Its functions decide which pages may read the answer.
    const refusal = whyRefused(
      {
        method: request.method,
        headers: page === undefined ? { host: request.headers.host } : request.headers,
      },
      { otherSites: 'link' },
    );
    if (refusal !== undefined) return reply.code(403).send({ message: `Refused: ${refusal}.` });
    if (page !== undefined) {
      const { contentType, body, location, headers = {} } = await page();
      reply.headers({ ...pageHeaders, ...headers });
      if (location !== undefined) reply.code(302).header('location', location);
      return reply.type(contentType).send(body);
    }
    const isPrefix = apisByPrefix.has(prefix);
    const served = apisByPrefix.get(isPrefix ? prefix : emptyBasePath);
    const stage = served?.served;
    if (served === undefined || stage === undefined) {
      return reply.code(403).type('application/json').send('{"message":"Forbidden"}');
    }
    const pathInApi = isPrefix ? path : `/${prefix}${path}`;
    const gatewayRequest = readRequest({ request, path: pathInApi || '/', query, options });
    const { status, headers, body } = await answer({
      api: served,
      ...stage,
      request: gatewayRequest,
      label: `${request.method} /${prefix}${path}`,
      isTooLarge,
    });
    reply.code(status);
    reply.header('x-amzn-RequestId', gatewayRequest.requestId);
    reply.header('x-amz-apigw-id', gatewayRequest.extendedRequestId);
    reply.header('X-Amzn-Trace-Id', gatewayRequest.traceId);
    for (const [name, values] of Object.entries(grouped(headers) ?? {})) {
      reply.header(name, values.length === 1 ? values[0] : values);
    }
    if (reply.getHeader('content-type') === undefined) reply.header('Content-Type', 'application/json');
    // Fastify adds a charset to the content type of a string, but not to that of a buffer.
    return reply.send(body);
  };

  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  server.setErrorHandler((error: FastifyError, request, reply) => {
    if (error.statusCode === 413) return serve(request, reply, true);
    options.report(
      `${request.method} ${request.originalUrl} failed in the gateway: ${error.stack ?? error.message}`,
    );
    return reply
      .code(error.statusCode ?? 500)
      .type('application/json')
      .send('{"message":"Internal server error"}');
  });
  server.all('/', (request, reply) => serve(request, reply, false));

  return {
    keys,
    addApi: (api) => {
      const { id, name } = api;
      const prefix = name.slice(name.lastIndexOf('-') + 1);
      if (apisByPrefix.has(prefix)) throw new Error(`two APIs would be served under /${prefix}`);
      const added = new RestApi(api);
      apis.set(id, added);
      apisByPrefix.set(prefix, added);
    },
    addMapping: ({ basePath, apiId }) => {
      if (apisByPrefix.has(basePath)) {
        throw new ServiceFault({
          code: 'ConflictException',
          message: 'Base path already exists for this domain name',
          status: 409,
        });
      }
      apisByPrefix.set(basePath, api(apiId));
    },
    removeMapping: (basePath) => {
      if (!apisByPrefix.delete(basePath)) {
        throw new ServiceFault({
          code: 'NotFoundException',
          message: 'Invalid base path mapping identifier specified',
          status: 404,
        });
      }
    },
    rootResourceId: (apiId) => api(apiId).definition.resources.rootId,
    addResource: ({ apiId, ...resource }) => api(apiId).definition.addResource(resource),
    addMethod: (method) => api(method.apiId).definition.addMethod(method),
    putDocument: (apiId, document) => {
      api(apiId).definition = readApiDocument(document, apiId).definition;
    },
    importApi: (document, replaced) => {
      if (replaced !== undefined && !imported.has(replaced)) throw new Error(`${replaced} was not imported`);
      const id = replaced ?? randomBytes(5).toString('hex');
      const { name } = readApiDocument(document, id);
      imported.set(id, { id, name });
      return { id, name };
    },
    listApis: () => [...[...apis.values()].map(({ id, name }) => ({ id, name })), ...imported.values()],
    deleteImportedApi: (id) => imported.delete(id),
    addDeployment: ({ apiId, id }) => api(apiId).deploy(id),
    addStage: (stage) => api(stage.apiId).setStage(stage, options.logDirectory),
    addGatewayResponse: (apiId, response) => api(apiId).definition.addGatewayResponse(response),
    servePages: (folder, pages) => {
      folders.set(folder, pages);
    },
    listen: async ({ host, port }) => {
      for (const one of apis.values()) one.check(options.lambda);
      const url = await server.listen({ host, port });
      return Number(new URL(url).port);
    },
    stop: async () => {
      await server.close();
      for (const { served } of apis.values()) served?.accessLog?.close();
    },
  };
};

const readRequest = ({
  request,
  path,
  query,
  options,
}: {
  readonly request: FastifyRequest;
  readonly path: string;
  readonly query: string;
  readonly options: RestGatewayOptions;
}): GatewayRequest => {
  const receivedAt = options.clock();
  const headers: Array<readonly [string, string]> = [];
  const { rawHeaders } = request.raw;
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '']);
  const header = (name: string): string | undefined => {
    const value = request.headers[name];
    return Array.isArray(value) ? value.at(-1) : value;
  };
  const forwarded = options.trustForwardedFor
    ? header('x-forwarded-for')?.split(',', 1)[0]?.trim()
    : undefined;
  const random = randomBytes(23);
  return {
    requestId: randomUUID(),
    extendedRequestId: random.toString('base64', 0, 11),
    traceId: `Root=1-${Math.floor(receivedAt / 1000).toString(16)}-${random.toString('hex', 11)}`,
    method: request.method,
    path,
    query,
    protocol: `HTTP/${request.raw.httpVersion}`,
    headers,
    header,
    sourceIp: forwarded || (request.socket.remoteAddress ?? '127.0.0.1'),
    receivedAt,
    body: Buffer.isBuffer(request.body) ? request.body : undefined,
  };
};
