import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { CreatedTable, TableDefinition } from './types.ts';
import { type Call, DynamoDbFault } from './wire.ts';

const target = (operation: string) => `DynamoDB_20120810.${operation}`;

const indexSchema = z.object({ IndexName: z.string(), KeySchema: z.unknown(), Projection: z.unknown() });
const tableSchema = z.object({
  TableName: z.string(),
  TableArn: z.string(),
  TableStatus: z.string(),
  KeySchema: z.unknown(),
  AttributeDefinitions: z.array(z.object({ AttributeName: z.string(), AttributeType: z.string() })),
  GlobalSecondaryIndexes: z.array(indexSchema).optional(),
  LocalSecondaryIndexes: z.array(indexSchema).optional(),
  StreamSpecification: z
    .object({ StreamEnabled: z.boolean(), StreamViewType: z.string().optional() })
    .optional(),
  LatestStreamArn: z.string().optional(),
});
const answerSchema = z.object({ Table: tableSchema });
const shapeSchema = tableSchema.omit({ TableArn: true, TableStatus: true, LatestStreamArn: true });

type Table = z.infer<typeof tableSchema>;
type Shape = z.infer<typeof shapeSchema>;

export interface TableRequest {
  readonly definition: TableDefinition;
  readonly timeToLiveAttribute?: string;
}

/**
 * Creates missing tables. Adds one missing global index to an existing table, but never two, because CloudFormation
 * cannot add two in one update ("AWS::DynamoDB::Table", *GlobalSecondaryIndexes*). Refuses any other difference,
 * because rebuilding a table would lose its items.
 */
export const tableCreator = ({ call, localArn }: { call: Call; localArn: (arn: string) => string }) => {
  const find = async (name: string): Promise<Table | undefined> => {
    try {
      return answerSchema.parse(await call(target('DescribeTable'), { TableName: name })).Table;
    } catch (error) {
      if (error instanceof DynamoDbFault && error.code === 'ResourceNotFoundException') return undefined;
      throw error;
    }
  };

  const create = async ({ definition, timeToLiveAttribute }: TableRequest): Promise<Table | undefined> => {
    await call(target('CreateTable'), definition);
    if (timeToLiveAttribute) {
      await call(target('UpdateTimeToLive'), {
        TableName: definition.TableName,
        TimeToLiveSpecification: { Enabled: true, AttributeName: timeToLiveAttribute },
      });
    }
    return find(definition.TableName);
  };

  const withNewIndex = async (found: Table, wanted: Shape): Promise<Table | undefined> => {
    const known = indexes(found.GlobalSecondaryIndexes);
    const [missing, ...others] = (wanted.GlobalSecondaryIndexes ?? []).filter(
      ({ IndexName }) => !known.has(IndexName),
    );
    if (missing === undefined || others.length > 0) return found;
    await call(target('UpdateTable'), {
      TableName: wanted.TableName,
      AttributeDefinitions: wanted.AttributeDefinitions,
      GlobalSecondaryIndexUpdates: [{ Create: missing }],
    });
    return find(wanted.TableName);
  };

  return async (request: TableRequest): Promise<CreatedTable> => {
    const wanted = shapeSchema.parse(request.definition);
    const present = await find(wanted.TableName);
    const found = present && (await withNewIndex(present, wanted));
    if (found && !isDeepStrictEqual(canonical(found), canonical(wanted))) {
      throw new Error(
        `the table ${wanted.TableName} was created with other keys, indexes or stream; start with --fresh to delete all local state`,
      );
    }
    const table = found ?? (await create(request));
    if (!table) throw new Error(`the table ${wanted.TableName} was created but cannot be found`);
    return {
      tableArn: localArn(table.TableArn),
      ...(table.LatestStreamArn && { streamArn: localArn(table.LatestStreamArn) }),
    };
  };
};

const canonical = (table: Shape) => ({
  keys: table.KeySchema,
  attributes: new Map(
    table.AttributeDefinitions.map(({ AttributeName, AttributeType }) => [AttributeName, AttributeType]),
  ),
  global: indexes(table.GlobalSecondaryIndexes),
  local: indexes(table.LocalSecondaryIndexes),
  stream: table.StreamSpecification?.StreamEnabled ? table.StreamSpecification.StreamViewType : undefined,
});

const indexes = (list: Shape['GlobalSecondaryIndexes']) =>
  new Map(
    (list ?? []).map(({ IndexName, KeySchema, Projection }) => [
      IndexName,
      { keys: KeySchema, projection: Projection },
    ]),
  );
