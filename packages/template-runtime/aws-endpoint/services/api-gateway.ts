import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { region } from '../../engines/account.ts';
import { ServiceFault } from '../../engines/service-fault.ts';
import { type ApiKey, ApiKeyConflict, type ApiKeys, type UsagePlan } from '../../gateway/api-keys.ts';
import { type ApiName, emptyBasePath, type RestGateway } from '../../gateway/types.ts';
import type { Call } from '../call.ts';
import { parseJson } from '../json-protocol.ts';
import { type AwsAnswer, type AwsRequest, unsupported } from '../request.ts';

type Gateway = Pick<
  RestGateway,
  'keys' | 'addMapping' | 'removeMapping' | 'importApi' | 'deleteImportedApi' | 'listApis'
>;

interface RouteInput {
  readonly keys: ApiKeys;
  readonly gateway: Gateway;
  readonly path: readonly string[];
  readonly request: AwsRequest;
}

interface Route {
  readonly method: string;
  readonly pattern: RegExp;
  readonly run: (input: RouteInput) => { readonly status: number; readonly body?: unknown };
}

const newKey = z.object({
  name: z.string().optional(),
  value: z.string().min(20).max(128).optional(),
  description: z.string().optional(),
  enabled: z.boolean().default(false),
  generateDistinctId: z.boolean().optional(),
  tags: z.record(z.string(), z.string()).optional(),
});
const newPlanKey = z.object({ keyId: z.string(), keyType: z.literal('API_KEY') });
/** The local server is the only domain name, whatever the request calls it. */
const newMapping = z.object({
  basePath: z
    .string()
    .transform((path) => path || emptyBasePath)
    .default(emptyBasePath),
  restApiId: z.string(),
  stage: z.string(),
});
const patch = z.object({
  patchOperations: z.array(
    z.object({
      op: z.literal('replace'),
      path: z.enum(['/name', '/description', '/enabled']),
      value: z.string(),
    }),
  ),
});

/** The stages of a usage plan are added and removed one by one, as `<API's id>:<stage>`. */
const planPatch = z.object({
  patchOperations: z.array(
    z.object({
      op: z.enum(['add', 'remove']),
      path: z.literal('/apiStages'),
      value: z.string().regex(/^[^:]+:[^:]+$/),
    }),
  ),
});

const invalid = (message: string): ServiceFault => new ServiceFault({ code: 'BadRequestException', message });
const missing = (what: string): ServiceFault =>
  new ServiceFault({
    code: 'NotFoundException',
    message: `Invalid ${what} identifier specified`,
    status: 404,
  });

const parse = <Body>(schema: z.ZodType<Body>, request: AwsRequest): Body => {
  const parsed = schema.safeParse(parseJson(request.body));
  if (!parsed.success) throw invalid(z.prettifyError(parsed.error));
  return parsed.data;
};

const shownKey = (key: ApiKey, withValue: boolean) => ({
  id: key.id,
  name: key.name,
  description: key.description,
  enabled: key.enabled,
  createdDate: key.createdDate,
  lastUpdatedDate: key.createdDate,
  stageKeys: [],
  tags: key.tags,
  ...(withValue && { value: key.value }),
});

const shownPlan = (plan: UsagePlan) => plan;
const shownPlanKey = (key: ApiKey) => ({ id: key.id, type: 'API_KEY', name: key.name });

const wantsValues = (request: AwsRequest, parameter: string): boolean =>
  request.query.get(parameter) === 'true';

const found = <Found>(value: Found | undefined, what: string): Found => {
  if (value === undefined) throw missing(what);
  return value;
};

/** Imports the document in the body, with warnings as errors: this runtime understands nothing that it would leave out. */
const imported = (gateway: Gateway, request: AwsRequest, replaced?: string): ApiName => {
  if (request.query.get('failonwarnings') !== 'true') throw invalid('failonwarnings must be true');
  const document = parseJson(request.body);
  try {
    return gateway.importApi(document, replaced);
  } catch (cause) {
    throw invalid(cause instanceof Error ? cause.message : String(cause));
  }
};

const routes: readonly Route[] = [
  {
    method: 'GET',
    pattern: /^\/restapis$/,
    run: ({ gateway }) => ({ status: 200, body: { item: gateway.listApis() } }),
  },
  {
    method: 'POST',
    pattern: /^\/restapis$/,
    run({ gateway, request }) {
      if (request.query.get('mode') !== 'import') throw unsupported(request, 'NotFoundException');
      // Without it, API Gateway makes an edge-optimized API, which this runtime does not have.
      if (request.query.get('endpointConfigurationTypes') !== 'REGIONAL')
        throw invalid('endpointConfigurationTypes must be REGIONAL');
      return { status: 201, body: imported(gateway, request) };
    },
  },
  {
    method: 'PUT',
    pattern: /^\/restapis\/([^/]+)$/,
    run({ gateway, path: [id = ''], request }) {
      if (request.query.get('mode') !== 'overwrite') throw unsupported(request, 'NotFoundException');
      if (!gateway.listApis().some((api) => api.id === id)) throw missing('API');
      return { status: 200, body: imported(gateway, request, id) };
    },
  },
  {
    method: 'DELETE',
    pattern: /^\/restapis\/([^/]+)$/,
    run({ gateway, path: [id = ''] }) {
      if (!gateway.deleteImportedApi(id)) throw missing('API');
      return { status: 202 };
    },
  },
  {
    method: 'POST',
    pattern: /^\/apikeys$/,
    run({ keys, request }) {
      const { generateDistinctId: _, ...wanted } = parse(newKey, request);
      const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
      return { status: 201, body: shownKey(keys.createApiKey(given), true) };
    },
  },
  {
    method: 'GET',
    pattern: /^\/apikeys$/,
    run({ keys, request }) {
      const name = request.query.get('name');
      const item = keys
        .getApiKeys()
        .filter((key) => name === null || key.name.startsWith(name))
        .map((key) => shownKey(key, wantsValues(request, 'includeValues')));
      return { status: 200, body: { item } };
    },
  },
  {
    method: 'GET',
    pattern: /^\/apikeys\/([^/]+)$/,
    run: ({ keys, path: [id = ''], request }) => ({
      status: 200,
      body: shownKey(found(keys.getApiKey(id), 'API Key'), wantsValues(request, 'includeValue')),
    }),
  },
  {
    method: 'PATCH',
    pattern: /^\/apikeys\/([^/]+)$/,
    run({ keys, path: [id = ''], request }) {
      const changes: { name?: string; description?: string; enabled?: boolean } = {};
      for (const { path, value } of parse(patch, request).patchOperations) {
        if (path === '/enabled') changes.enabled = value === 'true';
        else changes[path === '/name' ? 'name' : 'description'] = value;
      }
      return { status: 200, body: shownKey(found(keys.updateApiKey(id, changes), 'API Key'), false) };
    },
  },
  {
    method: 'DELETE',
    pattern: /^\/apikeys\/([^/]+)$/,
    run({ keys, path: [id = ''] }) {
      if (!keys.deleteApiKey(id)) throw missing('API Key');
      return { status: 202 };
    },
  },
  {
    method: 'GET',
    pattern: /^\/usageplans$/,
    run({ keys, request }) {
      const keyId = request.query.get('keyId');
      const item = keys
        .listUsagePlans()
        .filter((plan) => keyId === null || keys.listUsagePlanKeys(plan.id).some(({ id }) => id === keyId))
        .map(shownPlan);
      return { status: 200, body: { item } };
    },
  },
  {
    method: 'GET',
    pattern: /^\/usageplans\/([^/]+)$/,
    run: ({ keys, path: [id = ''] }) => ({
      status: 200,
      body: shownPlan(found(keys.getUsagePlan(id), 'Usage Plan')),
    }),
  },
  {
    method: 'PATCH',
    pattern: /^\/usageplans\/([^/]+)$/,
    run({ keys, path: [id = ''], request }) {
      const plan = found(keys.getUsagePlan(id), 'Usage Plan');
      const named = ({ apiId, stage }: UsagePlan['apiStages'][number]) => `${apiId}:${stage}`;
      let { apiStages } = plan;
      for (const { op, value } of parse(planPatch, request).patchOperations) {
        const others = apiStages.filter((each) => named(each) !== value);
        if (op === 'remove' && others.length === apiStages.length) throw missing('API Stage');
        const [apiId = '', stage = ''] = value.split(':');
        apiStages = op === 'add' ? [...others, { apiId, stage }] : others;
      }
      const changed = { ...plan, apiStages };
      keys.putUsagePlan(changed);
      return { status: 200, body: shownPlan(changed) };
    },
  },
  {
    method: 'POST',
    pattern: /^\/usageplans\/([^/]+)\/keys$/,
    run({ keys, path: [usagePlanId = ''], request }) {
      const { keyId } = parse(newPlanKey, request);
      found(keys.getUsagePlan(usagePlanId), 'Usage Plan');
      const key = found(keys.getApiKey(keyId), 'API Key');
      keys.createUsagePlanKey({ usagePlanId, keyId });
      return { status: 201, body: shownPlanKey(key) };
    },
  },
  {
    method: 'GET',
    pattern: /^\/usageplans\/([^/]+)\/keys$/,
    run({ keys, path: [usagePlanId = ''] }) {
      found(keys.getUsagePlan(usagePlanId), 'Usage Plan');
      return { status: 200, body: { item: keys.listUsagePlanKeys(usagePlanId).map(shownPlanKey) } };
    },
  },
  {
    method: 'DELETE',
    pattern: /^\/usageplans\/([^/]+)\/keys\/([^/]+)$/,
    run({ keys, path: [usagePlanId = '', keyId = ''] }) {
      if (!keys.deleteUsagePlanKey({ usagePlanId, keyId })) throw missing('Usage Plan Key');
      return { status: 202 };
    },
  },
  {
    method: 'POST',
    pattern: /^\/domainnames\/[^/]+\/basepathmappings$/,
    run({ gateway, request }) {
      const { basePath, restApiId: apiId, stage } = parse(newMapping, request);
      gateway.addMapping({ basePath, apiId });
      return { status: 201, body: { basePath, restApiId: apiId, stage } };
    },
  },
  {
    method: 'DELETE',
    pattern: /^\/domainnames\/[^/]+\/basepathmappings\/([^/]+)$/,
    run({ gateway, path: [basePath = ''] }) {
      gateway.removeMapping(basePath);
      return { status: 202 };
    },
  },
];

const answer = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): AwsAnswer => ({
  status,
  headers: { 'content-type': 'application/json', 'x-amzn-requestid': randomUUID(), ...headers },
  body: body === undefined ? '' : JSON.stringify(body),
});

const faultOf = (error: unknown): ServiceFault => {
  if (error instanceof ApiKeyConflict) {
    return new ServiceFault({ code: 'ConflictException', message: error.message, status: 409 });
  }
  if (error instanceof ServiceFault) {
    return error.code === 'AccessDeniedException'
      ? new ServiceFault({ code: error.code, message: error.message, status: 403 })
      : error;
  }
  throw error;
};

/**
 * API Gateway's control plane for keys and usage plans. Its IAM actions are named after HTTP methods, such as
 * `apigateway:GET`, and its IAM resources after paths.
 */
export const apiGatewayService =
  (gateway: Gateway) =>
  async (request: AwsRequest, call: Call): Promise<AwsAnswer> => {
    try {
      call.allow(`apigateway:${request.method}`, `arn:aws:apigateway:${region}::${request.path}`);
      for (const route of routes) {
        const match = route.method === request.method ? route.pattern.exec(request.path) : null;
        if (!match) continue;
        const { status, body } = route.run({
          keys: gateway.keys,
          gateway,
          request,
          path: match.slice(1).map(decodeURIComponent),
        });
        return answer(status, body);
      }
      throw unsupported(request, 'NotFoundException');
    } catch (error) {
      const fault = faultOf(error);
      return answer(fault.status, { message: fault.message }, { 'x-amzn-errortype': fault.code });
    }
  };
