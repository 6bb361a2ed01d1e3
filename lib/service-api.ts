import { Aws, RemovalPolicy } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { StageConfig } from '../config/stage.ts';
import { acknowledge, acknowledgeToCheckov } from './acknowledge.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import type { MarqueeFunction } from './marquee-function.ts';
import { configured } from './parameters.ts';
import { ServiceKey } from './service-key.ts';

export interface ServiceApiProps {
  readonly stage: StageConfig;
  readonly name: 'base' | 'b2b' | 'profile';
  /** Answer preflight requests on routes without a key, and let browsers read the gateway's own answers. */
  readonly cors: boolean;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Without a slash at its end; API Gateway serves both forms. */
  readonly path: string;
  readonly function: MarqueeFunction;
  readonly apiKeyRequired: boolean;
}

/** A regional REST API that answers 404 for whatever is not one of its routes. */
export class ServiceApi extends Construct {
  readonly api: apigateway.RestApi;
  readonly stage: apigateway.Stage;
  /**
   * The address in front of a route's path. It is put together from the API's id: its own `url` depends on the
   * deployment, which depends on the functions that are told this address.
   */
  readonly baseUrl: string;
  private readonly cors: boolean;

  constructor(scope: Construct, id: string, { stage, name, cors }: ServiceApiProps) {
    super(scope, id);
    this.cors = cors;
    this.api = new apigateway.RestApi(this, 'Api', {
      restApiName: `marquee-${stage.name}-${name}`,
      endpointConfiguration: { types: [apigateway.EndpointType.REGIONAL] },
      cloudWatchRole: false,
      deployOptions: {
        stageName: stage.name,
        tracingEnabled: true,
        metricsEnabled: true,
        loggingLevel: apigateway.MethodLoggingLevel.ERROR,
        dataTraceEnabled: false,
        throttlingRateLimit: stage.throttle.ratePerSecond,
        throttlingBurstLimit: stage.throttle.burst,
        accessLogDestination: new apigateway.LogGroupLogDestination(this.accessLog(stage)),
        accessLogFormat: apigateway.AccessLogFormat.custom(accessLogFormat),
      },
    });
    this.api.node.tryRemoveChild('Endpoint');
    this.stage = this.api.deploymentStage;
    const configuredUrl = stage.publicBaseUrls[name];
    this.baseUrl =
      configuredUrl === undefined
        ? `https://${this.api.restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}/${stage.name}`
        : configured(this, configuredUrl);
    addGatewayResponses(this.api, { cors });
    this.answerNotFound();
    acknowledgeToCheckov(this.stage, {
      CKV_AWS_120: 'Answers differ by key and viewer, and are never the same for all',
    });
    acknowledge(this, {
      'AwsSolutions-APIG2':
        'Each function validates its own path, query and body and names every field that is wrong',
      'AwsSolutions-APIG4':
        'Customers are known by API key and viewers by a JWT that the function itself checks; the rest is public',
      'AwsSolutions-COG4': 'Users come from the identity provider of the stage, not from a Cognito user pool',
      ...(stage.firewall === undefined && {
        'AwsSolutions-APIG3': 'This stage has no firewall, by its configuration',
      }),
    });
  }

  route({ method, path, function: handler, apiKeyRequired }: Route): void {
    const resource = this.api.root.resourceForPath(path);
    resource.addMethod(
      method,
      new apigateway.LambdaIntegration(handler.function, { allowTestInvoke: false }),
      {
        apiKeyRequired,
      },
    );
    const isPreflightAnswered = resource.node.tryFindChild('OPTIONS') !== undefined;
    if (this.cors && !apiKeyRequired && !isPreflightAnswered) {
      resource.addCorsPreflight({
        allowOrigins: apigateway.Cors.ALL_ORIGINS,
        allowMethods: ['GET', 'POST', 'PUT', 'OPTIONS'],
        allowHeaders: ['Authorization', 'Content-Type', 'x-client-id'],
      });
    }
  }

  /** Without these an unknown route would be a 403 that speaks of authentication. */
  private answerNotFound(): void {
    const notFound = new apigateway.MockIntegration({
      passthroughBehavior: apigateway.PassthroughBehavior.NEVER,
      requestTemplates: { 'application/json': '{"statusCode":404}' },
      integrationResponses: [
        {
          statusCode: '404',
          responseTemplates: { 'application/json': '{"status":404,"message":"NOT_FOUND"}' },
          responseParameters: this.cors ? { [allowOrigin]: "'*'" } : undefined,
        },
      ],
    });
    const options: apigateway.MethodOptions = {
      methodResponses: [
        { statusCode: '404', responseParameters: this.cors ? { [allowOrigin]: true } : undefined },
      ],
    };
    for (const resource of [this.api.root, this.api.root.addResource('{proxy+}')]) {
      acknowledgeToCheckov(resource.addMethod('ANY', notFound, options), {
        CKV_AWS_59: 'It answers 404 and nothing else',
      });
    }
  }

  private accessLog(stage: StageConfig): LogGroup {
    return new LogGroup(this, 'AccessLog', {
      retention: stage.logRetentionDays,
      encryptionKey: ServiceKey.of(this, stage),
      removalPolicy: stage.retainData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
  }
}

const allowOrigin = 'method.response.header.Access-Control-Allow-Origin';

/** No query string, no header but the agent's name, and the key's id instead of the key. */
const accessLogFormat = JSON.stringify({
  requestId: '$context.requestId',
  traceId: '$context.xrayTraceId',
  time: '$context.requestTimeEpoch',
  sourceIp: '$context.identity.sourceIp',
  userAgent: '$context.identity.userAgent',
  apiKeyId: '$context.identity.apiKeyId',
  method: '$context.httpMethod',
  resource: '$context.resourcePath',
  path: '$context.path',
  status: '$context.status',
  error: '$context.error.responseType',
  integrationStatus: '$context.integration.status',
  integrationError: '$context.integration.error',
  integrationLatency: '$context.integration.latency',
  latency: '$context.responseLatency',
  responseLength: '$context.responseLength',
});
