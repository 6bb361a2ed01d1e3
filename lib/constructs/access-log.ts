import { AccessLogFormat, LogGroupLogDestination, type StageOptions } from 'aws-cdk-lib/aws-apigateway';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import { removalOf } from './removal.ts';
import { ServiceKey } from './service-key.ts';

/** Stage options that make an API write one JSON line a request to a log group of its own. */
export function accessLog(
  scope: Construct,
  stage: StageConfig,
): Pick<StageOptions, 'accessLogDestination' | 'accessLogFormat'> {
  const logGroup = new LogGroup(scope, 'AccessLog', {
    retention: stage.logRetentionDays,
    encryptionKey: ServiceKey.of(scope, stage),
    removalPolicy: removalOf(stage),
  });
  return {
    accessLogDestination: new LogGroupLogDestination(logGroup),
    accessLogFormat: AccessLogFormat.custom(format),
  };
}

/** No query string, no header but the agent's name, and the key's id instead of the key. */
const format = JSON.stringify({
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
