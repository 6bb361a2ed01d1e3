import { Aws, Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Rule } from 'aws-cdk-lib/aws-events';
import { Key } from 'aws-cdk-lib/aws-kms';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { CfnSubscriptionFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { StageFindings } from '../../shared/platform/watched.ts';
import { ServiceAlarm, type Watched } from './constructs/alarm.ts';
import { alarmKey } from './constructs/encryption.ts';
import { MarqueeFunction } from './constructs/marquee-function.ts';
import { ServiceSecret } from './constructs/service-secret.ts';
import { metricsNamespace, stageOf } from './constructs/stage.ts';
import { schedule } from './constructs/triggers.ts';

const everyMinutes = 5;

const alarms = {
  ChecksFailed: {
    whatGoesWrong:
      'A public address does not answer as it should, seen from outside: callers of that API are not served.',
    runbook: 'a-public-address-does-not-answer',
    severity: 'page',
    rollsBack: true,
  },
  PartsOff: {
    whatGoesWrong:
      'An event source mapping, a schedule or the forwarding of a log is switched off: customers are not notified, or do not see their deliveries, or mints start late.',
    runbook: 'a-part-is-switched-off',
    severity: 'page',
  },
  KeysUnusable: {
    whatGoesWrong:
      'A KMS key of the stage is disabled or will be deleted: what it encrypts cannot be read, or its signer cannot sign.',
    runbook: 'a-key-cannot-be-used',
    severity: 'page',
  },
  ApiKeyRefused: {
    whatGoesWrong:
      "The canary's API key is refused: customers cannot call the base or the business-to-business API, at least those of the key's tier.",
    runbook: 'api-keys-are-refused',
    severity: 'page',
    // No rollback: a key that is throttled, removed or mistyped says nothing about the release.
  },
} satisfies Record<keyof StageFindings, Watched>;

/**
 * Adds a function that calls the stage through its public addresses, and reads the states of its mappings, schedules,
 * keys and forwarded logs. Add it after all other parts of the stack.
 */
export function addCanary(
  scope: Construct,
  addresses: Readonly<Record<'PUBLIC_BASE_URL' | 'API_URL_B2B' | 'API_URL_PROFILE', string>>,
): void {
  const parts = scope.node.root.node.findAll();
  const mappings = parts.filter((each) => each instanceof EventSourceMapping);
  const keyArns = [
    ...parts.filter((each) => each instanceof Key).map(({ keyArn }) => keyArn),
    ...stageOf(scope).nft.signerKeys,
  ];
  // The canary's own schedule is left out: when it is switched off, the alarm on the canary's silence goes off.
  const rules = parts.filter((each) => each instanceof Rule);
  const forwarded = parts
    .filter((each) => each instanceof CfnSubscriptionFilter)
    .map(({ logGroupName }) => logGroupName);
  const ofLogGroup = `arn:${Aws.PARTITION}:logs:${Aws.REGION}:${Aws.ACCOUNT_ID}:log-group:`;
  const ofMapping = `arn:${Aws.PARTITION}:lambda:${Aws.REGION}:${Aws.ACCOUNT_ID}:event-source-mapping:`;
  const apiKey = new ServiceSecret(scope, 'ApiKey', {
    name: 'canary',
    description: 'The API key with which the canary calls: api_key',
  });
  const canary = new MarqueeFunction(scope, 'platform/check-stage', {
    description: 'Calls the stage from outside, and checks that nothing is switched off',
    whatGoesWrong: 'Nobody checks from outside whether the stage answers, and whether its keys can be used.',
    severity: 'page',
    // The log names the key that cannot be used, and the metrics of the findings are read from it.
    logKey: alarmKey(scope),
    timeout: Duration.seconds(40),
    memorySize: 256,
    environment: {
      ...addresses,
      MAPPING_IDS: mappings.map(({ eventSourceMappingId }) => eventSourceMappingId).join(','),
      RULE_NAMES: rules.map(({ ruleName }) => ruleName).join(','),
      FORWARDED_LOG_GROUPS: forwarded.join(','),
      KEY_ARNS: keyArns.join(','),
    },
    may: [
      {
        actions: ['lambda:GetEventSourceMapping'],
        resources: mappings.map(({ eventSourceMappingId }) => `${ofMapping}${eventSourceMappingId}`),
      },
      { actions: ['events:DescribeRule'], resources: rules.map(({ ruleArn }) => ruleArn) },
      {
        actions: ['logs:DescribeSubscriptionFilters'],
        // Refusals of CloudWatch Logs name the group with an empty stream, unlike IAM's reference.
        resources: forwarded.flatMap((name) => [`${ofLogGroup}${name}`, `${ofLogGroup}${name}:log-stream:`]),
      },
      { actions: ['kms:DescribeKey'], resources: keyArns },
      apiKey.readAs('CANARY_SECRET_ARN'),
    ],
  });
  schedule(scope, 'Schedule', canary, Duration.minutes(everyMinutes), 'Checks the stage from outside');
  const metric = (
    metricName: keyof StageFindings,
    statistic: string,
    period = Duration.minutes(everyMinutes),
  ) =>
    new cloudwatch.Metric({
      namespace: metricsNamespace(scope),
      metricName,
      dimensionsMap: { service: 'canary' },
      statistic,
      period,
    });
  for (const [name, watched] of Object.entries(alarms)) {
    new ServiceAlarm(scope, name, {
      metric: metric(name as keyof StageFindings, 'Maximum'),
      ...watched,
    });
  }
  new ServiceAlarm(scope, 'Silent', {
    metric: metric('ChecksFailed', 'SampleCount', Duration.minutes(1)),
    comparisonOperator: cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD,
    // CloudWatch also looks at two older periods before it takes data as missing. So the alarm goes off after eight
    // minutes without a run. One run that is late, or that is tried again, is no silence.
    evaluationPeriods: everyMinutes + 1,
    treatMissingData: cloudwatch.TreatMissingData.BREACHING,
    whatGoesWrong:
      'The canary is silent: nobody checks from outside whether the stage answers, and whether its keys can be used.',
    runbook: 'the-canary-is-silent',
    severity: 'page',
    // A canary that fails because of the deployment is silent.
    rollsBack: true,
  });
}
