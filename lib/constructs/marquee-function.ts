import { Duration } from 'aws-cdk-lib';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import { handlerLifetimeMilliseconds } from '../../shared/handler-lifetime.ts';
import { acknowledge, acknowledgeToCheckov } from './acknowledge.ts';
import { ServiceAlarm } from './alarm.ts';
import { functionCode } from './bundling.ts';
import type { Entry, EnvironmentOf } from './environments.ts';
import { type Allowance, FunctionRole } from './function-role.ts';
import { metricsNamespace } from './metrics-namespace.ts';
import { removalOf } from './removal.ts';
import { ServiceKey } from './service-key.ts';

export interface MarqueeFunctionProps<Named extends Entry> {
  readonly stage: StageConfig;
  /** The folder under functions/, `<area>/<verb-noun>`. */
  readonly entry: Named;
  readonly description: string;
  /** The service name in its logs, which queries and dashboards of deployed stages use. @default entry */
  readonly serviceName?: string;
  readonly environment: EnvironmentOf<Named>;
  /** @default 10 seconds, the longest for a handler behind the gateway */
  readonly timeout?: Duration;
  /** In MB. @default 512 */
  readonly memorySize?: number;
  /** @default none: the function shares the account's concurrency */
  readonly reservedConcurrentExecutions?: number | undefined;
  /**
   * What goes wrong, and for whom, when the function fails; it then has an alarm of its own. @default callers get a 502
   * or 504, and an area alarm covers it
   */
  readonly whatGoesWrong?: string;
}

/** One Lambda with a role and a log group of its own; initially it may only log and trace. */
export class MarqueeFunction<Named extends Entry = Entry> extends Construct {
  readonly function: lambda.Function;
  /** The service name in its logs. */
  readonly serviceName: string;
  /** Whether its errors have an alarm of their own. */
  readonly isWatchedByItself: boolean;
  private readonly role: FunctionRole;

  constructor(scope: Construct, id: string, props: MarqueeFunctionProps<Named>) {
    super(scope, id);
    const { stage, serviceName = props.entry } = props;
    this.serviceName = serviceName;
    this.isWatchedByItself = props.whatGoesWrong !== undefined;
    const logGroup = new LogGroup(this, 'Logs', {
      retention: stage.logRetentionDays,
      encryptionKey: ServiceKey.of(this, stage),
      removalPolicy: removalOf(stage),
    });
    this.role = new FunctionRole(this, 'Role', {
      description: `What functions/${serviceName} may do`,
      logGroup,
    });
    this.function = new lambda.Function(this, 'Function', {
      description: props.description,
      code: functionCode(props.entry),
      handler: 'index.handler',
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: lambda.Architecture.ARM_64,
      memorySize: props.memorySize ?? 512,
      timeout: props.timeout ?? Duration.millis(handlerLifetimeMilliseconds),
      reservedConcurrentExecutions: props.reservedConcurrentExecutions,
      role: this.role.role,
      logGroup,
      loggingFormat: lambda.LoggingFormat.JSON,
      // Platform lines only for failures, not two for every call: nothing counts those.
      systemLogLevelV2: lambda.SystemLogLevel.WARN,
      tracing: lambda.Tracing.ACTIVE,
      environment: given({
        POWERTOOLS_SERVICE_NAME: serviceName,
        POWERTOOLS_METRICS_NAMESPACE: metricsNamespace(stage),
        ...props.environment,
      }),
    });
    // The role holds its policy inline, so a reference to the role orders the creation.
    (this.function.node.defaultChild as lambda.CfnFunction).addDeletionOverride('DependsOn');
    const star = 'X-Ray has no resources: its two write calls are granted on * or not at all';
    const answered = 'Whoever invokes it waits for the answer, or keeps what failed in a queue of its own';
    acknowledge(this, {
      'AwsSolutions-IAM5[Resource::*]': star,
      'Serverless-LambdaStarPermissions': star,
      'Serverless-LambdaDLQ': answered,
    });
    acknowledgeToCheckov(this.function, {
      CKV_AWS_115: 'Only what could starve others, or must not run twice, has a reservation',
      CKV_AWS_116: answered,
      CKV_AWS_117: 'It calls public addresses and AWS only; a VPC would protect nothing',
      CKV_AWS_173: 'Names and addresses only, no secrets: encrypted at rest by AWS',
    });
    if (props.whatGoesWrong !== undefined) this.watchErrors(stage, props.whatGoesWrong);
  }

  private watchErrors(stage: StageConfig, whatGoesWrong: string): void {
    new ServiceAlarm(this.function, 'Errors', {
      stage,
      metric: this.function.metricErrors({ period: Duration.minutes(5) }),
      // Two of three periods: one failure that a retry heals wakes nobody.
      threshold: 1,
      evaluationPeriods: 3,
      datapointsToAlarm: 2,
      whatGoesWrong,
      runbook: 'a-function-fails',
    });
  }

  /** Adds one statement to the function's own role. */
  allow(allowance: Allowance): void {
    this.role.allow(allowance);
  }

  /** Lets the function read one secret. */
  allowSecret(secret: ISecret): void {
    this.allow({ actions: ['secretsmanager:GetSecretValue'], resources: [secret.secretArn] });
  }
}

/** The variables that have a value. */
function given(variables: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
