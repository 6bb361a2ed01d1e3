import type { Engines } from '../engines/engines.ts';
import { ServiceFault } from '../engines/service-fault.ts';
import { type Call, callBy } from './call.ts';
import { answerFaults, faultsPath } from './faults.ts';
import { jsonFault } from './json-protocol.ts';
import { queryParameters } from './query-protocol.ts';
import type { AwsAnswer, AwsRequest } from './request.ts';
import { apiGatewayService } from './services/api-gateway.ts';
import { cloudFormationService } from './services/cloudformation.ts';
import { cloudFrontService } from './services/cloudfront.ts';
import { cloudWatchService } from './services/cloudwatch.ts';
import { dynamoDbService } from './services/dynamodb.ts';
import { eventsService } from './services/events.ts';
import { iamService } from './services/iam.ts';
import { kmsService } from './services/kms.ts';
import { lambdaService } from './services/lambda.ts';
import { logsService } from './services/logs.ts';
import { secretsService } from './services/secrets.ts';
import { snsService } from './services/sns.ts';
import { sqsService } from './services/sqs.ts';
import { stateMachinesService } from './services/state-machines.ts';
import { stsService } from './services/sts.ts';
import { wafService } from './services/wafv2.ts';
import { followSnsLink } from './sns-links.ts';
import type { StackDescription } from './types.ts';
import { answerUsers, usersPath } from './users.ts';

type Service = (request: AwsRequest, call: Call) => Promise<AwsAnswer>;

export interface Services {
  handle(request: AwsRequest): Promise<AwsAnswer>;
  stop(): Promise<void>;
}

export const createServices = ({
  engines,
  stacks,
  endpointUrl,
}: {
  readonly engines: Engines;
  readonly stacks: () => readonly StackDescription[];
  readonly endpointUrl: string;
}): Services => {
  const dynamoDb = dynamoDbService(engines.dynamodb);
  const apiGateway = apiGatewayService(engines.gateway);
  const lambda = lambdaService(engines);
  const cloudFront = cloudFrontService();
  /** Keyed by the first part of `X-Amz-Target`. */
  const targeted: Readonly<Record<string, Service>> = {
    AWSEvents: eventsService(engines.schedule),
    AWSWAF_20190729: wafService(engines.firewalls),
    AWSStepFunctions: stateMachinesService(engines.stateMachines),
    AmazonSQS: sqsService(engines.messaging, endpointUrl),
    DynamoDBStreams_20120810: dynamoDb.handle,
    DynamoDB_20120810: dynamoDb.handle,
    GraniteServiceVersion20100801: cloudWatchService(engines),
    Logs_20140328: logsService(engines.logs),
    TrentService: kmsService(engines.keys),
    secretsmanager: secretsService(engines.secrets),
  };
  /** Keyed by the parameter `Version` of the form body. */
  const versioned: Readonly<Record<string, Service>> = {
    '2010-03-31': snsService(engines.messaging),
    '2010-05-08': iamService(engines.identities),
    '2010-05-15': cloudFormationService(stacks),
    '2011-06-15': stsService(),
  };
  const otherCalls: Record<string, Record<string, number>> = {};
  const count = (caller: string, request: AwsRequest): void => {
    const operations = otherCalls[caller] ?? {};
    otherCalls[caller] = operations;
    const target = request.headers['x-amz-target'];
    const name =
      typeof target === 'string' ? target : (queryParameters(request).get('Action') ?? request.path);
    operations[name] = (operations[name] ?? 0) + 1;
  };
  const isApiGateway = /^\/(apikeys|domainnames|restapis|usageplans)(\/|$)/;
  const isLambda = /^\/20(15-03-31|17-10-31|19-09-30)\//;
  const isCloudFront = /^\/2020-05-31\/function/;

  const find = (request: AwsRequest): Service | undefined => {
    const target = request.headers['x-amz-target'];
    if (typeof target === 'string') return targeted[target.split('.')[0] ?? ''];
    if (isApiGateway.test(request.path)) return apiGateway;
    if (isLambda.test(request.path)) return lambda;
    if (isCloudFront.test(request.path)) return cloudFront;
    if (request.path !== '/' || request.method !== 'POST') return undefined;
    return versioned[queryParameters(request).get('Version') ?? ''];
  };

  return {
    async handle(request) {
      if (request.path === faultsPath) return answerFaults({ ...engines, otherCalls }, request);
      if (request.path === usersPath) return answerUsers(engines.identities, request);
      const linked = request.method === 'GET' && (await followSnsLink(engines.messaging, request));
      if (linked) return linked;
      const service = find(request);
      if (!service) {
        const what = request.headers['x-amz-target'] ?? `${request.method} ${request.path}`;
        return jsonFault(
          new ServiceFault({
            code: 'UnknownOperationException',
            message: `The local runtime does not support the call ${what}.`,
            status: 404,
          }),
        );
      }
      const call = callBy(request, engines.identities);
      if (service !== dynamoDb.handle) count(call.caller, request);
      return service(request, call);
    },
    stop: dynamoDb.stop,
  };
};
