import { CfnOutput, Stack } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import { unlessHealed, watchTogether } from './alarm.ts';
import { serviceKey } from './encryption.ts';
import { type Permission, variableOf } from './environments.ts';
import type { MarqueeFunction } from './marquee-function.ts';
import { removalOf, stageOf } from './stage.ts';

type ItemAction =
  | `${'BatchGet' | 'BatchWrite' | 'ConditionCheck' | 'Delete' | 'Get' | 'Put' | 'Update'}Item`
  | 'Query'
  | 'Scan';

/** The names of the key attributes. All key attributes are strings. */
type Keys = readonly [partition: string, sort?: string];

export interface TableIndex {
  readonly name: string;
  readonly keys: Keys;
  /** Whether the index contains only the keys of each item. @default false: it contains all attributes */
  readonly keysOnly?: boolean;
}

export interface MarqueeTableProps extends Pick<dynamodb.TableProps, 'stream' | 'timeToLiveAttribute'> {
  readonly keys: Keys;
  /** Indexes that have their own partition keys. Reads from them are eventually consistent. */
  readonly globalIndexes?: readonly TableIndex[];
  /** An index with the table's partition key, for consistent reads. It can be added only when the table is created. */
  readonly localIndex?: { readonly name: string; readonly sortKey: string };
}

/**
 * An encrypted on-demand table with point-in-time recovery over 35 days. The table's name is an output of the stack.
 * Functions get the name in an environment variable.
 */
export class MarqueeTable<Variable extends string = string> extends Construct {
  readonly table: dynamodb.Table;
  readonly variables: Readonly<Record<Variable, string>>;
  /** The requests that DynamoDB throttles, to the table and to each global index. */
  readonly throttleMetrics: readonly Metric[];

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
    this.throttleMetrics = this.throttleMetricsOf(globalIndexes);
    new CfnOutput(Stack.of(this), `${id}Table`, { value: this.table.tableName });
  }

  /** CloudWatch counts throttled requests to a global index separately from those to its table. */
  private throttleMetricsOf(globalIndexes: readonly TableIndex[]): readonly Metric[] {
    const { tableName: TableName } = this.table;
    const indexes = globalIndexes.map(({ name }) => ({ TableName, GlobalSecondaryIndexName: name }));
    return [{ TableName }, ...indexes].flatMap((dimensionsMap) =>
      ['ReadThrottleEvents', 'WriteThrottleEvents'].map(
        (metricName) =>
          new Metric({ namespace: 'AWS/DynamoDB', metricName, dimensionsMap, statistic: 'Sum' }),
      ),
    );
  }

  may(...actions: readonly ItemAction[]): Permission<Variable> {
    const { variables, table } = this;
    return { actions: actions.map((action) => `dynamodb:${action}`), resources: [table.tableArn], variables };
  }

  /** Allows these actions only on items whose partition key matches one of these patterns. */
  mayOn(forms: readonly string[], ...actions: readonly ItemAction[]): Permission<Variable> {
    const conditions = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': forms } };
    return { ...this.may(...actions), conditions };
  }

  /** Allows queries of these indexes, but not of the table itself. */
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

/** Adds alarms on the throttled requests of all tables of the stack. */
export function watchTables(scope: Construct): void {
  const tables = Stack.of(scope)
    .node.findAll()
    .filter((each) => each instanceof MarqueeTable);
  watchTogether(scope, 'Throttled', {
    label: 'refused reads and writes',
    metrics: tables.flatMap(({ node, throttleMetrics }) =>
      throttleMetrics.map((metric) => ({ of: node.id, metric })),
    ),
    // A few throttled calls do no harm, because the SDK retries them.
    threshold: 50,
    ...unlessHealed,
    whatGoesWrong: (names) =>
      `One of these tables throttles reads or writes: callers wait for retries, and then get 503: ${names}.`,
    runbook: 'a-table-is-throttled',
    severity: 'page',
  });
}

const key = (name: string): dynamodb.Attribute => ({ name, type: dynamodb.AttributeType.STRING });

const keysOf = ([partition, sort]: Keys): dynamodb.SchemaOptions & { partitionKey: dynamodb.Attribute } => ({
  partitionKey: key(partition),
  sortKey: sort === undefined ? undefined : key(sort),
});
