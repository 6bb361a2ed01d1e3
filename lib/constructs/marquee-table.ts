import { RemovalPolicy } from 'aws-cdk-lib';
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import { ServiceKey } from './service-key.ts';

export interface TableIndex {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey?: string;
}

export interface MarqueeTableProps {
  readonly stage: StageConfig;
  readonly partitionKey: string;
  readonly sortKey?: string;
  /** @default no stream */
  readonly stream?: dynamodb.StreamViewType;
  /** Indexes of their own partition key, read with eventual consistency. */
  readonly globalIndexes?: readonly TableIndex[];
  /** Indexes that share the table's partition key and can be read consistently; fixed when the table is made. */
  readonly localIndexes?: readonly { readonly name: string; readonly sortKey: string }[];
  /** @default nothing expires */
  readonly timeToLiveAttribute?: string;
}

/** An on-demand table with string keys, encrypted under the stack's key, that can be restored to any second of 35 days. */
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
      deletionProtection: stage.retainData,
      removalPolicy: stage.retainData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      stream: props.stream,
      timeToLiveAttribute: props.timeToLiveAttribute,
    });
    for (const { name, partitionKey, sortKey } of props.globalIndexes ?? []) {
      this.table.addGlobalSecondaryIndex({
        indexName: name,
        partitionKey: stringKey(partitionKey),
        sortKey: sortKey === undefined ? undefined : stringKey(sortKey),
      });
    }
    for (const { name, sortKey } of props.localIndexes ?? []) {
      this.table.addLocalSecondaryIndex({ indexName: name, sortKey: stringKey(sortKey) });
    }
  }

  get tableName(): string {
    return this.table.tableName;
  }

  get tableArn(): string {
    return this.table.tableArn;
  }

  indexArn(name: string): string {
    return `${this.table.tableArn}/index/${name}`;
  }
}

function stringKey(name: string): dynamodb.Attribute {
  return { name, type: dynamodb.AttributeType.STRING };
}
