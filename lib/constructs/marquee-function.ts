import { Duration } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { handlerLifetimeMilliseconds } from '../../shared/handler-lifetime.ts';
import { acknowledge, acknowledgeToCheckov } from './acknowledge.ts';
import { ServiceAlarm, unlessHealed } from './alarm.ts';
import { functionCode } from './bundling.ts';
import { ServiceLogs } from './encryption.ts';
import type { Entry, EnvironmentOf } from './environments.ts';
import { type MountedOperation, type MountOptions, ServiceApi } from './service-api.ts';
import { metricsNamespace } from './stage.ts';

export interface MarqueeFunctionProps<Named extends Entry> extends MountOptions {
  /** The operations that it answers, each at the API that the operation names. @default none */
  readonly serves?: readonly MountedOperation[];
  /** @default the summary of what it serves */
  readonly description?: string;
  /** The service name in its logs, which queries and dashboards of deployed stages use. @default entry */
  readonly serviceName?: string;
  readonly environment: EnvironmentOf<Named>;
  /** What it may do besides logging and tracing: statements of its role. @default nothing */
  readonly may?: readonly iam.PolicyStatementProps[];
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

/**
 * The Lambda of one folder under functions/, `<area>/<verb-noun>`, with a role and a log group of its own. Its id
 * follows from its service name: `nft/get-token` is GetToken.
 */
export class MarqueeFunction<Named extends Entry = Entry> extends Construct {
  readonly function: lambda.Function;
  readonly serviceName: string;
  readonly isWatchedByItself: boolean;
  private readonly policy = new iam.PolicyDocument();

  constructor(scope: Construct, entry: Named, props: MarqueeFunctionProps<Named>) {
    const { serves = [], serviceName = entry, whatGoesWrong } = props;
    super(scope, idOf(serviceName));
    this.serviceName = serviceName;
    this.isWatchedByItself = whatGoesWrong !== undefined;
    const logGroup = new ServiceLogs(this, 'Logs');
    // Its policy is inline: no function can start before its policy exists.
    const role = new iam.Role(new Construct(this, 'Role'), 'Role', {
      assumedBy: new iam.ServicePrincipal('lambda.amazonaws.com'),
      description: `What functions/${serviceName} may do`,
      inlinePolicies: { calls: this.policy },
    });
    this.allow({ actions: ['logs:CreateLogStream', 'logs:PutLogEvents'], resources: [logGroup.logGroupArn] });
    this.allow({ actions: ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'], resources: ['*'] });
    for (const each of props.may ?? []) this.allow(each);
    this.function = new lambda.Function(this, 'Function', {
      description: props.description ?? serves[0]?.summary,
      code: functionCode(this, entry),
      handler: 'index.handler',
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: lambda.Architecture.ARM_64,
      memorySize: props.memorySize ?? 512,
      timeout: props.timeout ?? Duration.millis(handlerLifetimeMilliseconds),
      reservedConcurrentExecutions: props.reservedConcurrentExecutions,
      // Statements that the CDK would add by itself are written here, so that the whole policy is in one place.
      role: role.withoutPolicyUpdates(),
      logGroup,
      loggingFormat: lambda.LoggingFormat.JSON,
      // Platform lines only for failures, not two for every call: nothing counts those.
      systemLogLevelV2: lambda.SystemLogLevel.WARN,
      tracing: lambda.Tracing.ACTIVE,
      environment: given({
        POWERTOOLS_SERVICE_NAME: serviceName,
        POWERTOOLS_METRICS_NAMESPACE: metricsNamespace(this),
        ...props.environment,
      }),
    });
    // The role holds its policy inline, so a reference to the role orders the creation.
    (this.function.node.defaultChild as lambda.CfnFunction).addDeletionOverride('DependsOn');
    for (const each of serves) ServiceApi.of(this, each.api).mount(each, this.function, props);
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
    if (whatGoesWrong === undefined) return;
    new ServiceAlarm(this.function, 'Errors', {
      metric: this.function.metricErrors(),
      ...unlessHealed,
      whatGoesWrong,
      runbook: 'a-function-fails',
    });
  }

  allow(statement: iam.PolicyStatementProps): void {
    this.policy.addStatements(new iam.PolicyStatement(statement));
  }
}

const idOf = (name: string): string =>
  name.replace(/^.*\//, '').replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The variables that have a value. */
const given = (variables: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(variables).filter((each): each is [string, string] => each[1] !== undefined),
  );
