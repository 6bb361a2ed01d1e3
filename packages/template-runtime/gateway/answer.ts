import { accountId, region } from '../engines/account.ts';
import type { Firewalls } from '../engines/firewall/types.ts';
import type { Identities } from '../engines/iam/types.ts';
import type { InvocationResult, LambdaEngine } from '../engines/lambda/types.ts';
import type { Metrics } from '../engines/metrics/types.ts';
import type { AccessLog } from './access-log.ts';
import type { ApiDefinition } from './api-definition.ts';
import type { ApiKey, ApiKeyStore } from './api-keys.ts';
import { compress, type EncodedAnswer } from './compression.ts';
import type { ContextVariables } from './context-template.ts';
import { type GatewayRequest, requestTime } from './gateway-request.ts';
import type { Answer, GatewayResponseType } from './gateway-responses.ts';
import { measureCall } from './measure-call.ts';
import { answerMock } from './mock-integration.ts';
import { proxyEvent } from './proxy-event.ts';
import { proxyAnswer } from './proxy-response.ts';
import type { RestApi } from './rest-api.ts';
import type { Route } from './routes.ts';
import type { Method, MethodSettings, Stage } from './types.ts';
import type { Usage } from './usage.ts';

export interface AnswererOptions {
  readonly lambda: LambdaEngine;
  readonly identities: Pick<Identities, 'authorizeRole' | 'trusts'>;
  readonly keys: ApiKeyStore;
  readonly usage: Usage;
  readonly clock: () => number;
  readonly metrics?: Pick<Metrics, 'put'>;
  readonly firewalls?: Pick<Firewalls, 'judge'>;
  /** How many times longer than its timeout an integration may take. @default 1 */
  readonly patience?: number | undefined;
  readonly report: (line: string) => void;
}

export interface GatewayCall {
  readonly api: RestApi;
  readonly stage: Stage;
  readonly definition: ApiDefinition;
  readonly accessLog: AccessLog | undefined;
  readonly request: GatewayRequest;
  readonly label: string;
  readonly isTooLarge: boolean;
}

interface Progress {
  route?: Route;
  key?: ApiKey;
  error?: GatewayResponseType;
  integrationStatus?: number;
  integrationError?: string;
  integrationMilliseconds?: number;
}

/** Lambda's size limit for the event of a synchronous invocation. */
const eventLimitBytes = 6 * 1024 * 1024;

/** Handles a request in API Gateway's order: firewall, route, key, throttle, quota, integration. */
export const answerer =
  (options: AnswererOptions) =>
  async (call: GatewayCall): Promise<EncodedAnswer> => {
    const { api, definition, accessLog, request } = call;
    const progress: Progress = {};
    const variables = contextVariables(call, progress);
    const outcome = await decide({ call, options, progress, variables });
    if (typeof outcome === 'string') progress.error = outcome;
    const answer = compress(
      typeof outcome === 'string' ? definition.responses.render(outcome, variables) : outcome,
      { minimumBytes: api.minimumCompressionBytes, acceptEncoding: request.header('accept-encoding') },
    );
    const milliseconds = options.clock() - request.receivedAt;
    const { route } = progress;
    if (options.metrics !== undefined) {
      const hasMetrics = route !== undefined && settingsOf(call.stage, route, request.method).hasMetrics;
      measureCall(options.metrics, {
        apiName: api.name,
        method: hasMetrics
          ? { Stage: call.stage.name, Resource: route.resource.path, Method: request.method }
          : undefined,
        status: answer.status,
        milliseconds,
        at: options.clock(),
      });
    }
    accessLog?.write((name) => {
      if (name === 'status') return String(answer.status);
      if (name === 'responseLength') return String(answer.body.length);
      if (name === 'responseLatency') return String(milliseconds);
      return variables(name);
    });
    return answer;
  };

const noSettings: MethodSettings = { hasMetrics: false, throttle: {} };

const settingsOf = ({ methodSettings }: Stage, { resource }: Route, method: string): MethodSettings =>
  methodSettings.get(`${resource.path} ${method}`) ?? methodSettings.get('* *') ?? noSettings;

interface Step {
  readonly call: GatewayCall;
  readonly options: AnswererOptions;
  readonly progress: Progress;
  readonly variables: ContextVariables;
}

const decide = async (step: Step): Promise<Answer | GatewayResponseType> => {
  const { api, definition, request, stage, isTooLarge } = step.call;
  const blocked = step.options.firewalls?.judge(
    `arn:aws:apigateway:${region}::/restapis/${api.id}/stages/${stage.name}`,
    {
      uriPath: `/${stage.name}${request.path}`,
      method: request.method,
      sourceIp: request.sourceIp,
      header: request.header,
    },
  );
  // A response of the firewall's own replaces the gateway's response, headers included.
  if (blocked !== undefined) return blocked.response ?? 'WAF_FILTERED';
  const route = definition.resources.match(request.path);
  const method = route && definition.methodOf(route.resource, request.method);
  if (route === undefined || method === undefined) {
    return request.header('authorization') === undefined
      ? 'MISSING_AUTHENTICATION_TOKEN'
      : 'INVALID_SIGNATURE';
  }
  step.progress.route = route;
  if (isTooLarge) return 'REQUEST_TOO_LARGE';
  const refusal = admit({ ...step, method });
  if (refusal !== undefined) return refusal;
  const { throttle } = settingsOf(stage, route, request.method);
  if (!step.options.usage.takeToken(`${api.id} ${method.logicalId}`, throttle)) return 'THROTTLED';
  return method.integration.type === 'MOCK'
    ? answerMock(method.integration, {
        header: {
          anyCase: request.header,
          asWritten: (name) => request.headers.findLast(([written]) => written === name)?.[1],
        },
        variables: step.variables,
      })
    : invoke({ ...step, route, method, integration: method.integration });
};

const admit = ({
  call,
  options,
  progress,
  method,
}: Step & { readonly method: Method }): GatewayResponseType | undefined => {
  const { api, request, stage } = call;
  const value = request.header('x-api-key');
  const key = value === undefined ? undefined : options.keys.findByValue(value);
  const plan = key && options.keys.planFor({ keyId: key.id, apiId: api.id, stage: stage.name });
  if (!method.apiKeyRequired) return undefined;
  if (key === undefined || !key.enabled || plan === undefined) return 'INVALID_API_KEY';
  progress.key = key;
  if (plan.throttle !== undefined && !options.usage.takeToken(`${plan.id} ${key.id}`, plan.throttle)) {
    return 'THROTTLED';
  }
  return options.usage.countCall(key.id, plan) ? undefined : 'QUOTA_EXCEEDED';
};

const invoke = async ({
  call,
  options,
  progress,
  route,
  method,
  integration,
}: Step & {
  readonly route: Route;
  readonly method: Method;
  readonly integration: Extract<Method['integration'], { type: 'AWS_PROXY' }>;
}): Promise<Answer | GatewayResponseType> => {
  const { api, request, stage, label } = call;
  const { lambda, patience = 1, report } = options;
  const { functionArn } = integration;
  const timeoutMilliseconds = integration.timeoutMilliseconds * patience;
  const sourceArn = `arn:aws:execute-api:${region}:${accountId}:${api.id}/${stage.name}/${request.method}${route.resource.path}`;
  const refusal = whyNotInvoked({ ...integration, sourceArn }, options);
  if (refusal !== undefined) {
    progress.integrationError = refusal.error;
    report(`${label} answered 500: ${refusal.reason} (${method.logicalId})`);
    return 'API_CONFIGURATION_ERROR';
  }
  if ((request.body?.length ?? 0) > eventLimitBytes) return 'REQUEST_TOO_LARGE';

  const began = options.clock();
  const event = proxyEvent({ request, route, apiId: api.id, stage, key: progress.key });
  const waiting = new AbortController();
  const invocation = lambda.invoke(functionArn, event, { signal: waiting.signal });
  const result = await withinLimit(invocation, timeoutMilliseconds);
  progress.integrationMilliseconds = options.clock() - began;
  if (result === 'late') {
    waiting.abort();
    progress.integrationError = 'Execution failed due to a timeout error';
    report(
      `${label} answered 504: the function took longer than ${timeoutMilliseconds} ms (see ${lambda.logFileOf(functionArn)})`,
    );
    return 'INTEGRATION_TIMEOUT';
  }
  progress.integrationStatus = 200;
  if (!result.ok) {
    progress.integrationError = result.errorMessage;
    return result.refusal === undefined ? 'DEFAULT_5XX' : 'INTEGRATION_FAILURE';
  }
  const answer = proxyAnswer(result.payload);
  if (answer === undefined) {
    progress.integrationError = 'Malformed Lambda proxy response';
    report(`${label} answered 502: malformed Lambda proxy response (see ${lambda.logFileOf(functionArn)})`);
    return 'DEFAULT_5XX';
  }
  if (answer.status >= 500) {
    report(`${label} answered ${answer.status} (see ${lambda.logFileOf(functionArn)})`);
  }
  return answer;
};

/**
 * If an integration names a role, only that role's policies decide, and the role must trust API Gateway. Otherwise the
 * function's own policy decides ("API Gateway permissions model for invoking an API").
 */
const whyNotInvoked = (
  {
    functionArn,
    roleArn,
    sourceArn,
  }: { readonly functionArn: string; readonly roleArn?: string; readonly sourceArn: string },
  { lambda, identities }: Pick<AnswererOptions, 'lambda' | 'identities'>,
): { readonly error: string; readonly reason: string } | undefined => {
  const principal = 'apigateway.amazonaws.com';
  if (roleArn === undefined) {
    if (lambda.mayInvoke({ target: functionArn, principal, sourceArn })) return undefined;
    return {
      error: 'Invalid permissions on Lambda function',
      reason: `no AWS::Lambda::Permission lets ${sourceArn} invoke ${functionArn}`,
    };
  }
  if (!identities.trusts(roleArn, principal, sourceArn)) {
    return {
      error: 'API Gateway does not have permission to assume the provided role',
      reason: `${roleArn} does not trust ${principal}`,
    };
  }
  const decision = identities.authorizeRole({
    roleArn,
    sessionName: 'apigateway',
    action: 'lambda:InvokeFunction',
    resources: [functionArn],
  });
  return decision.allowed
    ? undefined
    : { error: 'Invalid permissions on Lambda function', reason: decision.message };
};

const withinLimit = (
  invocation: Promise<InvocationResult>,
  milliseconds: number,
): Promise<InvocationResult | 'late'> => {
  const { promise, resolve, reject } = Promise.withResolvers<InvocationResult | 'late'>();
  const timer = setTimeout(() => resolve('late'), milliseconds);
  invocation.then(resolve, reject).finally(() => clearTimeout(timer));
  return promise;
};

const contextValues: Readonly<
  Record<string, (call: GatewayCall, progress: Progress) => string | number | undefined>
> = {
  accountId: () => accountId,
  apiId: ({ api }) => api.id,
  'error.responseType': (_, { error }) => error,
  extendedRequestId: ({ request }) => request.extendedRequestId,
  httpMethod: ({ request }) => request.method,
  'identity.apiKeyId': (_, { key }) => key?.id,
  'identity.sourceIp': ({ request }) => request.sourceIp,
  'identity.userAgent': ({ request }) => request.header('user-agent'),
  'integration.error': (_, { integrationError }) => integrationError,
  'integration.latency': (_, { integrationMilliseconds }) => integrationMilliseconds,
  'integration.status': (_, { integrationStatus }) => integrationStatus,
  integrationErrorMessage: (_, { integrationError }) => integrationError,
  path: ({ stage, request }) => `/${stage.name}${request.path}`,
  protocol: ({ request }) => request.protocol,
  requestId: ({ request }) => request.requestId,
  requestTime: ({ request }) => requestTime(request.receivedAt),
  requestTimeEpoch: ({ request }) => request.receivedAt,
  resourceId: (_, { route }) => route?.resource.id,
  resourcePath: (_, { route }) => route?.resource.path,
  stage: ({ stage }) => stage.name,
  xrayTraceId: ({ request }) => request.traceId.slice('Root='.length),
};

const contextVariables =
  (call: GatewayCall, progress: Progress): ContextVariables =>
  (name) =>
    Object.hasOwn(contextValues, name) ? contextValues[name]?.(call, progress)?.toString() : undefined;
