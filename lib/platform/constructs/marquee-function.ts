import { Duration } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { handlerTimeoutMilliseconds } from '../../../shared/platform/time/handler-lifetime.ts';
import { acknowledge, acknowledgeToCheckov } from './acknowledge.ts';
import { ServiceAlarm, type Severity, unlessHealed } from './alarm.ts';
import { functionCode } from './bundling.ts';
import type { FunctionFolder, RestOf, Statement } from './environments.ts';
import { type MountedOperation, type MountOptions, ServiceApi } from './service-api.ts';
import { serviceLogs } from './service-logs.ts';
import { metricsNamespace } from './stage.ts';

/**
 * By default, the function's description is the summary of its first operation, its memory is 512 MB, and its timeout
 * is 10 seconds, the longest timeout of a function behind API Gateway. By default, it has no reserved concurrency.
 */
export interface MarqueeFunctionProps<May extends readonly Statement[]>
  extends MountOptions,
    Pick<lambda.FunctionOptions, 'description' | 'memorySize' | 'timeout' | 'reservedConcurrentExecutions'> {
  /** The operations that the function serves. Each operation names the API to which it is added. @default none */
  readonly serves?: readonly MountedOperation[];
  /** The statements of the function's role, in addition to those for logging and tracing. @default none */
  readonly may?: May;
  /**
   * What goes wrong, and who is affected, when the function fails. With this text, the function has its own alarm on
   * errors. @default callers get a 502 or 504, and an alarm of the area covers the function
   */
  readonly whatGoesWrong?: string | undefined;
  /** Encrypts the function's log. @default the key of the data */
  readonly logKey?: Key;
}

/** A function with an alarm of its own says how urgent it is. */
type OwnAlarm =
  | { readonly whatGoesWrong: string; readonly severity: Severity }
  | { readonly whatGoesWrong?: undefined; readonly severity?: undefined };

type GivenEnvironment<Rest> =
  Record<never, never> extends Rest ? { readonly environment?: Rest } : { readonly environment: Rest };

/**
 * The Lambda function in one folder under functions/, named `<area>/<verb-noun>`, with its own role and log group. The
 * folder's name is also its service name in logs and metrics, and its construct id: `nft/mint-token` becomes MintToken.
 */
export class MarqueeFunction<
  Named extends FunctionFolder = FunctionFolder,
  const May extends readonly Statement[] = readonly Statement[],
> extends Construct {
  readonly function: lambda.Function;
  readonly serviceName: string;
  readonly isWatchedByItself: boolean;
  private readonly policy = new iam.PolicyDocument();

  constructor(
    scope: Construct,
    entry: Named,
    props: MarqueeFunctionProps<May> & OwnAlarm & GivenEnvironment<RestOf<Named, May>>,
  ) {
    const { serves = [], may = [], whatGoesWrong, severity } = props;
    super(scope, idOf(entry));
    this.serviceName = entry;
    this.isWatchedByItself = whatGoesWrong !== undefined;
    const logGroup = serviceLogs(this, 'Logs', undefined, props.logKey);
    // The policy is inline, so that the role never exists without it and the function never starts without permissions.
    const role = new iam.Role(new Construct(this, 'Role'), 'Role', {
      assumedBy: new iam.ServicePrincipal('lambda.amazonaws.com'),
      description: `What functions/${entry} may do`,
      inlinePolicies: { calls: this.policy },
    });
    this.allow({ actions: ['logs:CreateLogStream', 'logs:PutLogEvents'], resources: [logGroup.logGroupArn] });
    this.allow({ actions: ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'], resources: ['*'] });
    for (const each of may) this.allow(each);
    this.function = new lambda.Function(this, 'Function', {
      description: props.description ?? serves[0]?.summary,
      code: functionCode(this, entry),
      handler: 'index.handler',
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: lambda.Architecture.ARM_64,
      memorySize: props.memorySize ?? 512,
      timeout: props.timeout ?? Duration.millis(handlerTimeoutMilliseconds),
      reservedConcurrentExecutions: props.reservedConcurrentExecutions,
      // Prevents the CDK from adding statements to the role, so that its whole policy is defined here.
      role: role.withoutPolicyUpdates(),
      logGroup,
      loggingFormat: lambda.LoggingFormat.JSON,
      // Lambda itself logs only failures. Otherwise it would write two lines for every call, which nothing reads.
      systemLogLevelV2: lambda.SystemLogLevel.WARN,
      tracing: lambda.Tracing.ACTIVE,
      // If a variable is `undefined`, the CDK leaves it out.
      environment: {
        POWERTOOLS_SERVICE_NAME: entry,
        POWERTOOLS_METRICS_NAMESPACE: metricsNamespace(this),
        ...Object.assign({}, ...may.map(({ variables }) => variables)),
        ...props.environment,
      },
    });
    // `DependsOn` is not needed: the function refers to its role, and the role contains its policy.
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
    if (whatGoesWrong === undefined || severity === undefined) return;
    new ServiceAlarm(this.function, 'Errors', {
      metric: this.function.metricErrors(),
      ...unlessHealed,
      whatGoesWrong,
      runbook: 'a-function-fails',
      severity,
    });
  }

  allow(statement: iam.PolicyStatementProps): void {
    this.policy.addStatements(new iam.PolicyStatement(statement));
  }
}

export const idOf = (name: string): string =>
  name.replace(/^.*\//, '').replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
