import { CfnOutput, Stack } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import { ServiceAlarm, sumOf, unlessHealed } from './alarm.ts';
import { serviceKey } from './encryption.ts';
import { type Permission, variableOf } from './environments.ts';
import type { MarqueeFunction } from './marquee-function.ts';
import { removalOf, stageOf } from './stage.ts';

type ItemAction =
  | `${'BatchGet' | 'BatchWrite' | 'ConditionCheck' | 'Delete' | 'Get' | 'Put' | 'Update'}Item`
  | 'Query'
  | 'Scan';

/** Attribute names. All of these attributes are strings. */
type Keys = readonly [partition: string, sort?: string];

export interface TableIndex {
  readonly name: string;
  readonly keys: Keys;
  /** Whether the index holds only the keys of each item. @default false: all attributes */
  readonly keysOnly?: boolean;
}

export interface MarqueeTableProps extends Pick<dynamodb.TableProps, 'stream' | 'timeToLiveAttribute'> {
  readonly keys: Keys;
  /** Indexes with partition keys of their own, read with eventual consistency. */
  readonly globalIndexes?: readonly TableIndex[];
  /**
   * An index within the table's partition key, for consistent reads. It can only be added when the table is created.
   */
  readonly localIndex?: { readonly name: string; readonly sortKey: string };
}

/**
 * An on-demand table: encrypted, with point-in-time recovery over 35 days. The stack outputs its name, which functions
 * read from the variable.
 */
export class MarqueeTable<Variable extends string = string> extends Construct {
  readonly table: dynamodb.Table;
  readonly variables: Readonly<Record<Variable, string>>;

  constructor(
    scope: Construct,
    id: string,
    variable: Variable,
    { keys, globalIndexes = [], localIndex, ...options }: MarqueeTableProps,
  ) {
    super(scope, id);
    this.table = new dynamodb.Table(this, 'Table', {
      ...keysOf(keys),
      billingMode: dynamodb.BillingMode.PAY_PER_REQUEST,
      encryptionKey: serviceKey(this),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: stageOf(this).protected,
      removalPolicy: removalOf(this),
      ...options,
    });
    for (const { name, keys, keysOnly } of globalIndexes) {
      const projectionType = keysOnly ? dynamodb.ProjectionType.KEYS_ONLY : undefined;
      this.table.addGlobalSecondaryIndex({ indexName: name, ...keysOf(keys), projectionType });
    }
    if (localIndex !== undefined) {
      this.table.addLocalSecondaryIndex({ indexName: localIndex.name, sortKey: key(localIndex.sortKey) });
    }
    this.variables = variableOf(variable, this.table.tableName);
    this.watchThrottling(globalIndexes);
    new CfnOutput(Stack.of(this), `${id}Table`, { value: this.table.tableName });
  }

  /** CloudWatch counts throttles of a global index separately from its table. */
  private watchThrottling(globalIndexes: readonly TableIndex[]): void {
    const { tableName: TableName } = this.table;
    const indexes = globalIndexes.map(({ name }) => ({ TableName, GlobalSecondaryIndexName: name }));
    const metrics = [{ TableName }, ...indexes].flatMap((dimensionsMap) =>
      ['ReadThrottleEvents', 'WriteThrottleEvents'].map(
        (metricName) =>
          new Metric({ namespace: 'AWS/DynamoDB', metricName, dimensionsMap, statistic: 'Sum' }),
      ),
    );
    new ServiceAlarm(this, 'Throttled', {
      metric: sumOf('refused reads and writes', metrics),
      // The SDK retries a few throttled calls, and nobody notices.
      threshold: 50,
      ...unlessHealed,
      whatGoesWrong: `The table ${this.node.id} throttles reads or writes: callers wait for retries, and then get 503.`,
      runbook: 'a-table-is-throttled',
    });
  }

  /** Allows these calls on the table. */
  may(...actions: readonly ItemAction[]): Permission<Variable> {
    const { variables, table } = this;
    return { actions: actions.map((action) => `dynamodb:${action}`), resources: [table.tableArn], variables };
  }

  /** Allows these calls on items whose partition key has one of these forms. */
  mayOn(forms: readonly string[], ...actions: readonly ItemAction[]): Permission<Variable> {
    const conditions = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': forms } };
    return { ...this.may(...actions), conditions };
  }

  /** Allows queries of these indexes, but not of the table. */
  mayQuery(...indexes: readonly string[]): Permission<Variable> {
    const resources = indexes.map((name) => `${this.table.tableArn}/index/${name}`);
    return { actions: ['dynamodb:Query'], resources, variables: this.variables };
  }

  /** Lets a function read the table's stream, and returns the stream. */
  grantStream(to: MarqueeFunction): string {
    const { tableArn, tableStreamArn } = this.table;
    if (tableStreamArn === undefined) throw new Error(`${this.node.path} has no stream`);
    to.allow({
      actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
      resources: [tableStreamArn],
    });
    to.allow({ actions: ['dynamodb:ListStreams'], resources: [`${tableArn}/stream/*`] });
    const tableId = Stack.of(this).resolve(tableArn)['Fn::GetAtt'][0];
    acknowledge(to, {
      [`AwsSolutions-IAM5[Resource::<${tableId}.Arn>/stream/*]`]:
        'Lambda lists the streams of this one table, whose names are times',
    });
    return tableStreamArn;
  }
}

const key = (name: string): dynamodb.Attribute => ({ name, type: dynamodb.AttributeType.STRING });

const keysOf = ([partition, sort]: Keys): dynamodb.SchemaOptions & { partitionKey: dynamodb.Attribute } => ({
  partitionKey: key(partition),
  sortKey: sort === undefined ? undefined : key(sort),
});
