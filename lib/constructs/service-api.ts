import { Aws, Duration, Size } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import type { Operation } from '../../shared/http/operation.ts';
import { accessLog } from './access-log.ts';
import { acknowledge, acknowledgeToCheckov } from './acknowledge.ts';
import { addApiAlarms } from './api-alarms.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import { Invoker } from './invoker.ts';
import type { MarqueeFunction } from './marquee-function.ts';
import { addNotFound } from './not-found.ts';
import { configured } from './parameters.ts';

export interface ServiceApiProps {
  readonly stage: StageConfig;
  readonly name: 'base' | 'b2b' | 'profile';
  /** Answers preflight requests on routes without a key, and lets browsers read the gateway's own answers. */
  readonly cors: boolean;
}

/** The part of an operation that an API serves. */
export type MountedOperation = Pick<Operation, 'operationId' | 'api' | 'method' | 'route' | 'security'>;

/** What a stage or its API decides about an operation. */
export interface MountOptions {
  /** Whether HEAD is answered as GET is, without the body. @default false */
  readonly answersHead?: boolean;
  /** Whose pages may call it with their cookies. @default any origin, without cookies */
  readonly credentialedOrigins?: readonly string[] | undefined;
}

/** A regional REST API that answers 404 for every unknown route. */
export class ServiceApi extends Construct {
  readonly api: apigateway.RestApi;
  readonly stage: apigateway.Stage;
  /**
   * The address before a route's path. It is built from the API's id: the API's `url` depends on the deployment, which
   * depends on the functions that get this address.
   */
  readonly baseUrl: string;
  private readonly name: ServiceApiProps['name'];
  private readonly cors: boolean;
  private readonly invoker: Invoker;

  constructor(scope: Construct, id: string, { stage, name, cors }: ServiceApiProps) {
    super(scope, id);
    this.name = name;
    this.cors = cors;
    this.invoker = new Invoker(this, 'Invoker', { name });
    this.api = new apigateway.RestApi(this, 'Api', {
      restApiName: `marquee-${stage.name}-${name}`,
      endpointConfiguration: { types: [apigateway.EndpointType.REGIONAL] },
      cloudWatchRole: false,
      // A list of 50 events has 28 KB, and 4 KB compressed; below a kilobyte there is little to be saved.
      minCompressionSize: Size.kibibytes(1),
      deployOptions: {
        stageName: stage.name,
        tracingEnabled: true,
        metricsEnabled: true,
        // Execution logs go to a group that API Gateway creates and keeps for ever. The access log has the reason of a
        // failure.
        loggingLevel: apigateway.MethodLoggingLevel.OFF,
        dataTraceEnabled: false,
        throttlingRateLimit: stage.throttle.ratePerSecond,
        throttlingBurstLimit: stage.throttle.burst,
        ...accessLog(this, stage),
      },
    });
    this.api.node.tryRemoveChild('Endpoint');
    this.stage = this.api.deploymentStage;
    const configuredUrl = stage.publicBaseUrls[name];
    this.baseUrl =
      configuredUrl === undefined
        ? `https://${this.api.restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}/${stage.name}`
        : configured(this, configuredUrl);
    addGatewayResponses(this.api, {
      cors,
      // Part 7 of the interface has no 413: what is too large is malformed there.
      tooLarge: name === 'b2b' ? [400, 'BAD_REQUEST'] : [413, 'REQUEST_TOO_LARGE'],
    });
    addNotFound(this.api, { cors });
    addApiAlarms({ stage, api: this.api, name });
    acknowledgeToCheckov(this.stage, {
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

  /**
   * Serves an operation with its function: at its method and route, with or without a trailing slash, and with its
   * security.
   */
  mount(
    { operationId, api, method, route, security }: MountedOperation,
    handler: MarqueeFunction,
    { answersHead = false, credentialedOrigins }: MountOptions = {},
  ): void {
    if (api !== this.name) throw new Error(`${operationId} belongs to the API ${api}, not to ${this.name}`);
    const apiKeyRequired = security === 'api-key';
    const resource = this.api.root.resourceForPath(route);
    this.invoker.allow(handler);
    const integration = new apigateway.AwsIntegration({
      proxy: true,
      service: 'lambda',
      path: `2015-03-31/functions/${handler.function.functionArn}/invocations`,
      options: { credentialsRole: this.invoker.role },
    });
    for (const each of answersHead ? [method, 'HEAD'] : [method]) {
      const added = resource.addMethod(each, integration, { apiKeyRequired });
      if (apiKeyRequired) continue;
      acknowledgeToCheckov(added, {
        CKV_AWS_59: 'Open to viewers: the function checks the JWT itself where the call needs one',
      });
    }
    const isPreflightAnswered = resource.node.tryFindChild('OPTIONS') !== undefined;
    if (this.cors && !apiKeyRequired && !isPreflightAnswered) {
      resource.addCorsPreflight({
        allowOrigins:
          credentialedOrigins === undefined ? apigateway.Cors.ALL_ORIGINS : [...credentialedOrigins],
        allowCredentials: credentialedOrigins !== undefined,
        allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'],
        // The longest that Chromium caches it.
        maxAge: Duration.hours(2),
        allowHeaders: ['Authorization', 'Content-Type', 'If-Match', 'If-None-Match', 'x-client-id'],
      });
    }
  }
}
