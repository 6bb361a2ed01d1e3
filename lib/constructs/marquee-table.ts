import { Duration, Stack } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import { acknowledge } from './acknowledge.ts';
import { ServiceAlarm } from './alarm.ts';
import type { Allowance } from './function-role.ts';
import type { MarqueeFunction } from './marquee-function.ts';
import { removalOf } from './removal.ts';
import { ServiceKey } from './service-key.ts';

/** A call of DynamoDB on items. */
type ItemAction =
  | 'BatchGetItem'
  | 'BatchWriteItem'
  | 'ConditionCheckItem'
  | 'DeleteItem'
  | 'GetItem'
  | 'PutItem'
  | 'Query'
  | 'Scan'
  | 'UpdateItem';

export interface TableIndex {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey?: string;
  /** What the stream has of each item: all of it, or only its keys. @default 'all' */
  readonly holds?: 'all' | 'keys';
}

export interface MarqueeTableProps {
  readonly stage: StageConfig;
  readonly partitionKey: string;
  readonly sortKey?: string;
  /** @default no stream */
  readonly stream?: dynamodb.StreamViewType;
  /** Global indexes: a partition key of their own, read with eventual consistency. */
  readonly globalIndexes?: readonly TableIndex[];
  /** Local indexes: the table's partition key, consistent reads; fixed when the table is created. */
  readonly localIndexes?: readonly { readonly name: string; readonly sortKey: string }[];
  /** @default nothing expires */
  readonly timeToLiveAttribute?: string;
}

/** An on-demand table with string keys, encrypted under the stack's key, with point-in-time recovery over 35 days. */
export class MarqueeTable extends Construct {
  readonly table: dynamodb.Table;

  constructor(scope: Construct, id: string, props: MarqueeTableProps) {
    super(scope, id);
    const { stage } = props;
    this.table = new dynamodb.Table(this, 'Table', {
      partitionKey: stringKey(props.partitionKey),
      sortKey: props.sortKey === undefined ? undefined : stringKey(props.sortKey),
      billingMode: dynamodb.BillingMode.PAY_PER_REQUEST,
      encryption: dynamodb.TableEncryption.CUSTOMER_MANAGED,
      encryptionKey: ServiceKey.of(this, stage),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: stage.protected,
      removalPolicy: removalOf(stage),
      stream: props.stream,
      timeToLiveAttribute: props.timeToLiveAttribute,
    });
    for (const { name, partitionKey, sortKey, holds } of props.globalIndexes ?? []) {
      this.table.addGlobalSecondaryIndex({
        indexName: name,
        partitionKey: stringKey(partitionKey),
        sortKey: sortKey === undefined ? undefined : stringKey(sortKey),
        projectionType: holds === 'keys' ? dynamodb.ProjectionType.KEYS_ONLY : dynamodb.ProjectionType.ALL,
      });
    }
    for (const { name, sortKey } of props.localIndexes ?? []) {
      this.table.addLocalSecondaryIndex({ indexName: name, sortKey: stringKey(sortKey) });
    }
    this.watchThrottling(props);
  }

  /** CloudWatch counts throttles of a global index separately from its table. */
  private watchThrottling({ stage, globalIndexes = [] }: MarqueeTableProps): void {
    const TableName = this.table.tableName;
    const dimensions = [
      { TableName },
      ...globalIndexes.map(({ name }) => ({ TableName, GlobalSecondaryIndexName: name })),
    ];
    const metrics = dimensions.flatMap((dimensionsMap) =>
      ['ReadThrottleEvents', 'WriteThrottleEvents'].map(
        (metricName) =>
          new Metric({ namespace: 'AWS/DynamoDB', metricName, dimensionsMap, statistic: 'Sum' }),
      ),
    );
    new ServiceAlarm(this, 'Throttled', {
      stage,
      metric: new MathExpression({
        expression: 'SUM(METRICS())',
        usingMetrics: Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric])),
        label: 'refused reads and writes',
        period: Duration.minutes(5),
      }),
      // The SDK retries a few of them, and nobody notices.
      threshold: 50,
      evaluationPeriods: 3,
      datapointsToAlarm: 2,
      whatGoesWrong: `The table ${this.node.id} throttles reads or writes: callers wait for retries, and then get 503.`,
      runbook: 'a-table-is-throttled',
    });
  }

  get tableName(): string {
    return this.table.tableName;
  }

  get tableArn(): string {
    return this.table.tableArn;
  }

  /** Lets a function make these calls on the table, under the conditions. */
  grant(to: MarqueeFunction, actions: readonly ItemAction[], conditions?: Allowance['conditions']): void {
    to.allow({
      actions: actions.map((action) => `dynamodb:${action}`),
      resources: [this.tableArn],
      conditions,
    });
  }

  /** Lets a function make these calls on the items whose partition keys have one of these forms. */
  grantKeys(to: MarqueeFunction, actions: readonly ItemAction[], forms: readonly string[]): void {
    this.grant(to, actions, { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': forms } });
  }

  /** Lets a function query these indexes, but not the table. */
  grantQuery(to: MarqueeFunction, ...indexes: readonly string[]): void {
    const resources = indexes.map((name) => `${this.tableArn}/index/${name}`);
    to.allow({ actions: ['dynamodb:Query'], resources });
  }

  /** Lets a function read the table's stream, and returns the stream. */
  grantStream(to: MarqueeFunction): string {
    const { tableStreamArn } = this.table;
    if (tableStreamArn === undefined) throw new Error(`${this.node.path} has no stream`);
    to.allow({
      actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
      resources: [tableStreamArn],
    });
    to.allow({ actions: ['dynamodb:ListStreams'], resources: [`${this.tableArn}/stream/*`] });
    const tableId = Stack.of(this).resolve(this.tableArn)['Fn::GetAtt'][0];
    acknowledge(to, {
      [`AwsSolutions-IAM5[Resource::<${tableId}.Arn>/stream/*]`]:
        'Lambda lists the streams of this one table, whose names are times',
    });
    return tableStreamArn;
  }
}

function stringKey(name: string): dynamodb.Attribute {
  return { name, type: dynamodb.AttributeType.STRING };
}
