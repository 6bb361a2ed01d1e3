import { Aws, Duration, Fn, Lazy, Size, Stack } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as iam from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { StageConfig } from '../../../config/stage.ts';
import { catalogueOperations } from '../../../shared/ott/http/catalogue-operations.ts';
import { needsKey, type Operation } from '../../../shared/platform/http/operation.ts';
import { watchedCalls } from '../../../shared/platform/watched.ts';
import { acknowledge, acknowledgeToCheckov } from './acknowledge.ts';
import { ServiceAlarm } from './alarm.ts';
import { serviceLogs } from './encryption.ts';
import { addGatewayAnswers, type GatewayAnswers } from './gateway-answers.ts';
import { configured, stageOf } from './stage.ts';

export type MountedOperation = Pick<Operation, 'api' | 'method' | 'route' | 'security' | 'summary'>;

/** Settings of an operation that do not depend on the operation itself, but on the stage. */
export interface MountOptions {
  /** Whether a HEAD request gets the same response as a GET request, without the body. @default false */
  readonly answersHead?: boolean;
  /** Origins whose pages may send cookies with calls of the operation. @default any origin, without cookies */
  readonly credentialedOrigins?: readonly string[] | undefined;
}

/**
 * Each API's construct id and its own responses. In the business-to-business API, a body that is too large gets a 400,
 * because that is its status for a malformed request (docs/interface.md#readuserdata).
 */
const apis = {
  base: { id: 'BaseApi', cors: true, keys: true, tooLarge: [413, 'REQUEST_TOO_LARGE'] },
  b2b: { id: 'B2bApi', cors: false, keys: true, tooLarge: [400, 'BAD_REQUEST'] },
  profile: { id: 'ProfileApi', cors: true, keys: false, tooLarge: [413, 'REQUEST_TOO_LARGE'] },
} as const satisfies Record<Operation['api'], GatewayAnswers & { readonly id: string }>;

type Name = keyof typeof apis;

/** A regional REST API that responds with 404 on every unknown route. */
export class ServiceApi extends Construct {
  readonly api: apigateway.RestApi;
  /**
   * Built from the API's id. The API's property `url` would create a dependency cycle: `url` depends on the deployment,
   * the deployment on the functions, and the functions on this address.
   */
  readonly baseUrl: string;
  /** API Gateway's own address of the API, also if the stage's file names another one. */
  readonly ownUrl: string;
  private readonly cors: boolean;
  private readonly keys: boolean;
  /** The role that invokes the API's functions. A permission for each would exceed the limit of 500 resources. */
  private readonly invoker: iam.IRole;
  private readonly functionArns = new Set<string>();

  constructor(scope: Construct, name: Name) {
    super(scope, apis[name].id);
    const stage = stageOf(this);
    this.cors = apis[name].cors;
    this.keys = apis[name].keys;
    this.invoker = this.addInvoker(name);
    this.api = new apigateway.RestApi(this, 'Api', {
      restApiName: `marquee-${stage.name}-${name}`,
      endpointConfiguration: { types: [apigateway.EndpointType.REGIONAL] },
      ...(stage.disableExecuteApiEndpoint && { disableExecuteApiEndpoint: true }),
      // A list of 50 events is 28 KB, and 4 KB when compressed. Compressing less than one kilobyte saves little.
      minCompressionSize: Size.kibibytes(1),
      deployOptions: {
        stageName: stage.name,
        tracingEnabled: true,
        // Execution logs are off: API Gateway would never delete them, and the access log has each failure's reason.
        loggingLevel: apigateway.MethodLoggingLevel.OFF,
        throttlingRateLimit: stage.throttle.ratePerSecond,
        throttlingBurstLimit: stage.throttle.burst,
        methodOptions:
          name === 'base' ? { ...watchedMethods(stage.throttle), ...editingMethods(stage.ott.editing) } : {},
        accessLogDestination: new apigateway.LogGroupLogDestination(serviceLogs(this, 'AccessLog')),
        accessLogFormat: apigateway.AccessLogFormat.custom(JSON.stringify(accessLogLine(name))),
      },
    });
    this.api.node.tryRemoveChild('Endpoint');
    const url = stage.publicBaseUrls[name];
    this.ownUrl = `https://${this.api.restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}/${stage.name}`;
    this.baseUrl = url === undefined ? this.ownUrl : configured(this, url);
    addGatewayAnswers(this.api, apis[name]);
    this.addAlarms(name);
    acknowledgeToCheckov(this.api.deploymentStage, {
      CKV_AWS_120: 'Answers differ by key and viewer, and are never the same for all',
    });
    acknowledge(this, {
      'AwsSolutions-APIG2':
        'Each function validates its own path, query and body and names every field that is wrong',
      'AwsSolutions-APIG4':
        'Customers are known by API key and viewers by a JWT that the function itself checks; the rest is public',
      'AwsSolutions-APIG6': 'The access log and the log of each function say what became of a request',
      'AwsSolutions-COG4': 'Users come from the identity provider of the stage, not from a Cognito user pool',
      ...(stage.firewall === undefined && {
        'AwsSolutions-APIG3': 'This stage has no firewall, by its configuration',
      }),
    });
  }

  /** Finds the stack's API with this name. */
  static of(scope: Construct, name: Name): ServiceApi {
    const api = Stack.of(scope).node.findChild(apis[name].id);
    if (!(api instanceof ServiceApi)) throw new Error(`${api.node.path} is not an API of the service`);
    return api;
  }

  /** Adds the operation's route, with and without a trailing slash. It requires an API key if the operation does. */
  mount(
    { method, route, security }: MountedOperation,
    handler: IFunction,
    { answersHead = false, credentialedOrigins }: MountOptions,
  ): void {
    const apiKeyRequired = needsKey(security);
    if (apiKeyRequired && !this.keys) throw new Error(`${this.node.path} has no answers about API keys`);
    const resource = this.api.root.resourceForPath(route);
    this.functionArns.add(handler.functionArn);
    const integration = new apigateway.AwsIntegration({
      proxy: true,
      service: 'lambda',
      path: `2015-03-31/functions/${handler.functionArn}/invocations`,
      options: { credentialsRole: this.invoker },
    });
    for (const each of answersHead ? [method, 'HEAD'] : [method]) {
      const added = resource.addMethod(each, integration, { apiKeyRequired });
      if (apiKeyRequired) continue;
      acknowledgeToCheckov(added, {
        CKV_AWS_59: 'Open to viewers: the function checks the JWT itself where the call needs one',
      });
    }
    const isPreflightAnswered = resource.node.tryFindChild('OPTIONS') !== undefined;
    if (!this.cors || apiKeyRequired || isPreflightAnswered) return;
    const preflight = resource.addCorsPreflight({
      allowOrigins:
        credentialedOrigins === undefined
          ? apigateway.Cors.ALL_ORIGINS
          : [Fn.select(0, [...credentialedOrigins])],
      allowCredentials: credentialedOrigins !== undefined,
      allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'],
      // Chromium caches preflight responses for two hours at most.
      maxAge: Duration.hours(2),
      allowHeaders: ['Authorization', 'Content-Type', 'If-Match', 'If-None-Match', 'x-client-id'],
    });
    if (credentialedOrigins === undefined) return;
    allowEachOf(credentialedOrigins, preflight);
    // The stage serves what was last deployed. The CDK deploys again when a method's own properties change, and does not
    // see the template that is written into the method afterwards.
    this.api.latestDeployment?.addToLogicalId({ route, credentialedOrigins });
  }

  private addInvoker(name: string): iam.IRole {
    const statement = new iam.PolicyStatement({
      actions: ['lambda:InvokeFunction'],
      resources: Lazy.list({ produce: () => [...this.functionArns] }),
    });
    const role = new iam.Role(new Construct(this, 'Invoker'), 'Role', {
      assumedBy: new iam.ServicePrincipal('apigateway.amazonaws.com'),
      description: `Lets the API ${name} invoke its functions`,
      inlinePolicies: { invoke: new iam.PolicyDocument({ statements: [statement] }) },
    });
    return role.withoutPolicyUpdates();
  }

  private addAlarms(name: string): void {
    new ServiceAlarm(this.api, 'ServerErrors', {
      metric: new cloudwatch.MathExpression({
        expression: `IF(failed >= ${fewestFailures}, failed / calls, 0)`,
        usingMetrics: {
          failed: this.api.metricServerError({ statistic: 'Sum' }),
          calls: this.api.metricServerError({ statistic: 'SampleCount' }),
        },
        label: 'share of requests that are answered with a 5xx',
      }),
      threshold: 0.01,
      evaluationPeriods: 2,
      rollsBack: true,
      whatGoesWrong: `At least one in a hundred requests to the ${name} API, and at least ${fewestFailures} in five minutes, is answered with a 5xx: callers are not served.`,
      runbook: 'an-api-answers-5xx',
    });
    new ServiceAlarm(this.api, 'SlowAnswers', {
      metric: this.api.metricLatency({ statistic: 'p99' }),
      threshold: Duration.seconds(5).toMilliseconds(),
      evaluationPeriods: 3,
      whatGoesWrong: `One in a hundred requests to the ${name} API takes more than five seconds: callers give up and retry.`,
      runbook: 'an-api-is-slow',
    });
  }
}

/** With few requests, a single failure would be a large share. An API that answers nobody is reported by the canary. */
const fewestFailures = 10;

/**
 * Detailed metrics of the calls that are watched. The settings of a method replace those of the stage, so they repeat
 * the throttle.
 */
const watchedMethods = ({ ratePerSecond, burst }: StageConfig['throttle']) =>
  Object.fromEntries(
    Object.values(watchedCalls).map(({ method, path }): [string, apigateway.MethodDeploymentOptions] => [
      `${path}/${method}`,
      { metricsEnabled: true, throttlingRateLimit: ratePerSecond, throttlingBurstLimit: burst },
    ]),
  );

const editingMethods = ({ ratePerSecond, burst }: StageConfig['ott']['editing']) =>
  Object.fromEntries(
    catalogueOperations.map(({ method, route }): [string, apigateway.MethodDeploymentOptions] => [
      `${route}/${method}`,
      { throttlingRateLimit: ratePerSecond, throttlingBurstLimit: burst },
    ]),
  );

/**
 * Makes a preflight response name the origin of the request if it is one of these. A response can name only one origin.
 * CDK can write such a template only for a number of origins that is known before the deployment.
 *
 * API Gateway keeps the names of headers as the client wrote them, and HTTP/2 writes them in lower case. A header that
 * is missing is empty.
 */
function allowEachOf(origins: readonly string[], preflight: apigateway.Method): void {
  const template = [
    '#set($origin = $input.params().header.get("Origin"))',
    '#if($origin == "")',
    '  #set($origin = $input.params().header.get("origin"))',
    '#end',
    `#foreach($allowed in ["${Fn.join('", "', [...origins])}"])`,
    '  #if($origin == $allowed)',
    '    #set($context.responseOverride.header.Access-Control-Allow-Origin = $allowed)',
    '  #end',
    '#end',
  ].join('\n');
  (preflight.node.defaultChild as apigateway.CfnMethod).addPropertyOverride(
    'Integration.IntegrationResponses.0.ResponseTemplates',
    { 'application/json': template },
  );
}

/**
 * Logs no query string, no header except `User-Agent`, and the API key's id instead of the key itself. Paths of the
 * profile API are not logged: they name wallets, whose addresses must not be stored longer than their links.
 */
const accessLogLine = (name: Name) => ({
  requestId: '$context.requestId',
  traceId: '$context.xrayTraceId',
  time: '$context.requestTimeEpoch',
  sourceIp: '$context.identity.sourceIp',
  userAgent: '$context.identity.userAgent',
  apiKeyId: '$context.identity.apiKeyId',
  method: '$context.httpMethod',
  resource: '$context.resourcePath',
  ...(name !== 'profile' && { path: '$context.path' }),
  status: '$context.status',
  error: '$context.error.responseType',
  integrationStatus: '$context.integration.status',
  integrationError: '$context.integration.error',
  integrationLatency: '$context.integration.latency',
  latency: '$context.responseLatency',
  responseLength: '$context.responseLength',
});
