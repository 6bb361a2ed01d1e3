import * as z from 'zod';
import type { TableDefinition, TableOptions } from '../engines/dynamodb/types.ts';
import { resourceType } from './resource-type.ts';
import { tags } from './tags.ts';

const keySchema = z.array(z.strictObject({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }));
const index = z.strictObject({
  IndexName: z.string(),
  KeySchema: keySchema,
  Projection: z.strictObject({
    ProjectionType: z.enum(['ALL', 'KEYS_ONLY', 'INCLUDE']),
    NonKeyAttributes: z.array(z.string()).optional(),
  }),
});

export const tableProperties = z.strictObject({
  TableName: z.string().optional(),
  AttributeDefinitions: z.array(
    z.strictObject({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) }),
  ),
  KeySchema: keySchema,
  GlobalSecondaryIndexes: z.array(index).optional(),
  LocalSecondaryIndexes: z.array(index).optional(),
  BillingMode: z.literal('PAY_PER_REQUEST'),
  StreamSpecification: z
    .strictObject({
      StreamViewType: z.enum(['KEYS_ONLY', 'NEW_IMAGE', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES']),
    })
    .optional(),
  TimeToLiveSpecification: z.strictObject({ AttributeName: z.string(), Enabled: z.boolean() }).optional(),
  /** Encryption is checked but has no effect: the embedded server has none. */
  SSESpecification: z
    .strictObject({
      SSEEnabled: z.boolean(),
      SSEType: z.literal('KMS').optional(),
      KMSMasterKeyId: z.string().optional(),
    })
    .optional(),
  PointInTimeRecoverySpecification: z
    .strictObject({
      PointInTimeRecoveryEnabled: z.boolean(),
      RecoveryPeriodInDays: z.number().optional(),
    })
    .optional(),
  DeletionProtectionEnabled: z.boolean().optional(),
  Tags: tags.optional(),
});

export type TableProperties = z.output<typeof tableProperties>;

export const tableDefinition = (name: string, properties: TableProperties): TableDefinition => {
  const {
    TimeToLiveSpecification,
    SSESpecification,
    PointInTimeRecoverySpecification,
    StreamSpecification,
    ...rest
  } = properties;
  return {
    ...rest,
    TableName: name,
    ...(StreamSpecification && { StreamSpecification: { StreamEnabled: true, ...StreamSpecification } }),
  };
};

export const tableOptions = ({
  TimeToLiveSpecification,
  PointInTimeRecoverySpecification,
}: TableProperties): TableOptions => ({
  timeToLiveAttribute: TimeToLiveSpecification?.Enabled ? TimeToLiveSpecification.AttributeName : undefined,
  hasRecovery: PointInTimeRecoverySpecification?.PointInTimeRecoveryEnabled ?? false,
});

export const dynamoDbTable = resourceType({
  type: 'AWS::DynamoDB::Table',
  properties: tableProperties,
  deploy: async (properties, { engines, stackName, logicalId }) => {
    const name = properties.TableName ?? `${stackName}-${logicalId}`;
    const { tableArn, streamArn } = await engines.dynamodb.createTable(
      tableDefinition(name, properties),
      tableOptions(properties),
    );
    return { ref: name, attributes: { Arn: tableArn, ...(streamArn && { StreamArn: streamArn }) } };
  },
  remove: ({ ref }, { engines }) => engines.dynamodb.deleteTable(ref),
});
