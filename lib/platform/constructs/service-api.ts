import { Aws, Duration, Fn, Lazy, Size, Stack } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import * as iam from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { StageConfig } from '../../../config/stage.ts';
import { catalogueOperations } from '../../../shared/ott/http/catalogue-operations.ts';
import { addressVariables } from '../../../shared/platform/http/addresses.ts';
import { needsKey, type Operation } from '../../../shared/platform/http/operation.ts';
import { watchedCalls } from '../../../shared/platform/watched.ts';
import { acknowledge, acknowledgeToCheckov } from './acknowledge.ts';
import { watchApi } from './api-alarms.ts';
import { ApiDocument } from './api-document.ts';
import { addGatewayAnswers, type GatewayAnswers } from './gateway-answers.ts';
import { serviceLogs } from './service-logs.ts';
import { configured, stageOf } from './stage.ts';

export type MountedOperation = Pick<Operation, 'api' | 'method' | 'route' | 'security' | 'summary'>;

/** Settings of an operation that do not depend on the operation itself, but on the stage. */
export interface MountOptions {
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

/** A list of 50 events is 28 KB, and 4 KB when compressed. Compressing less than one kilobyte saves little. */
const minimumCompression = Size.kibibytes(1);

/** A regional REST API that responds with 404 on every unknown route. */
export class ServiceApi extends Construct {
  readonly api: apigateway.SpecRestApi;
  private readonly document: ApiDocument;
  /**
   * The public address. No function that the API invokes may have it in its environment, because the API's document
   * refers to its functions: they read the addresses from the stage's variables.
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
    const restApiName = `marquee-${stage.name}-${name}`;
    const { disableExecuteApiEndpoint } = stage;
    this.document = new ApiDocument({
      title: restApiName,
      minimumCompressionBytes: minimumCompression.toBytes(),
      disableExecuteApiEndpoint,
    });
    this.api = new apigateway.SpecRestApi(this, 'Api', {
      apiDefinition: apigateway.ApiDefinition.fromInline(this.document.body),
      failOnWarnings: true,
      // API Gateway makes the API by an import, which knows the type of endpoint only from this parameter.
      parameters: { endpointConfigurationTypes: apigateway.EndpointType.REGIONAL },
      endpointConfiguration: { types: [apigateway.EndpointType.REGIONAL] },
      restApiName,
      ...(disableExecuteApiEndpoint && { disableExecuteApiEndpoint }),
      minCompressionSize: minimumCompression,
      deployOptions: {
        stageName: stage.name,
        variables: addressesOf(this),
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
    addGatewayAnswers(this.document, apis[name]);
    watchApi(this.api, name);
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

  /**
   * Adds the operation's route, with and without a trailing slash. It requires an API key if the operation does. A GET
   * without an API key also answers HEAD.
   */
  mount(
    { method, route, security }: MountedOperation,
    handler: IFunction,
    { credentialedOrigins }: MountOptions,
  ): void {
    const apiKeyRequired = needsKey(security);
    if (apiKeyRequired && !this.keys) throw new Error(`${this.node.path} has no answers about API keys`);
    this.functionArns.add(handler.functionArn);
    const invoked = { functionArn: handler.functionArn, roleArn: this.invoker.roleArn };
    for (const each of method === 'GET' && !apiKeyRequired ? [method, 'HEAD' as const] : [method]) {
      this.document.addFunction(route, each, { ...invoked, needsKey: apiKeyRequired });
    }
    if (!this.cors || apiKeyRequired || this.document.has(route, 'OPTIONS')) return;
    this.document.addLiteral(route, 'OPTIONS', preflight(credentialedOrigins));
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
}

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
 * The response to a preflight request.
 *
 * @param origins if given, pages of these origins may send cookies. A response can name only one origin, so a template
 *   names the origin of the request if it is one of these.
 */
const preflight = (origins?: readonly string[]) => ({
  status: 204,
  headers: {
    'Access-Control-Allow-Headers': 'Authorization,Content-Type,If-Match,If-None-Match,x-client-id',
    'Access-Control-Allow-Origin': origins === undefined ? '*' : Fn.select(0, [...origins]),
    ...(origins !== undefined && { Vary: 'Origin' }),
    'Access-Control-Allow-Methods': 'GET,HEAD,POST,PUT,DELETE,OPTIONS',
    ...(origins !== undefined && { 'Access-Control-Allow-Credentials': 'true' }),
    // Chromium caches preflight responses for two hours at most.
    'Access-Control-Max-Age': String(Duration.hours(2).toSeconds()),
  },
  ...(origins !== undefined && { template: originTemplate(origins) }),
});

/**
 * Names the origin of the request if it is one of these. The number of origins is known only when the stack is deployed.
 *
 * API Gateway keeps the names of headers as the client wrote them, and HTTP/2 writes them in lower case. A header that
 * is missing is empty.
 */
const originTemplate = (origins: readonly string[]): string =>
  [
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

/** The variables of a stage with the addresses of all APIs. */
const addressesOf = (scope: Construct): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(addressVariables).map(([name, variable]) => [
      variable,
      // The API may be added to the stack after this one.
      Lazy.string({ produce: () => ServiceApi.of(scope, name as Name).baseUrl }),
    ]),
  );

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
