import type * as kms from 'aws-cdk-lib/aws-kms';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { serviceKey } from './encryption.ts';
import { removalOf, stageOf } from './stage.ts';

/** An encrypted log group with the stage's retention. Pass a name only if the service that writes to it requires it. */
export const serviceLogs = (
  scope: Construct,
  id: string,
  logGroupName?: string,
  encryptionKey: kms.Key = serviceKey(scope),
): LogGroup =>
  new LogGroup(scope, id, {
    logGroupName,
    retention: stageOf(scope).logRetentionDays,
    encryptionKey,
    removalPolicy: removalOf(scope),
  });
