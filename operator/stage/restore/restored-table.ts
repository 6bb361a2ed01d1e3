import {
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  RestoreTableToPointInTimeCommand,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import { OperatorError } from '../../platform/terminal/operator-error.ts';

/**
 * The name of the table into which DynamoDB restores the state of a moment. The same moment always has the same table.
 */
export const restoredName = (tableName: string, moment: Date): string =>
  `${tableName}-${moment
    .toISOString()
    .replaceAll(/[-:]/g, '')
    .replace(/\.\d{3}/, '')}`;

const describe = async (client: DynamoDBClient, TableName: string): Promise<TableDescription | undefined> => {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
};

/** Begins to restore a table, unless an earlier run of the command has begun it. */
export const beginRestore = async (
  client: DynamoDBClient,
  { tableName, moment }: { readonly tableName: string; readonly moment: Date },
): Promise<string> => {
  const TargetTableName = restoredName(tableName, moment);
  if ((await describe(client, TargetTableName)) === undefined) {
    await client.send(
      new RestoreTableToPointInTimeCommand({
        SourceTableName: tableName,
        TargetTableName,
        RestoreDateTime: moment,
      }),
    );
  }
  return TargetTableName;
};

const keysOf = ({ KeySchema = [] }: TableDescription): string =>
  KeySchema.map(({ AttributeName, KeyType }) => `${KeyType} ${AttributeName}`)
    .sort()
    .join(', ');

interface TableNames {
  readonly name: string;
  readonly liveName: string;
}

/** @throws OperatorError when one of the tables does not exist */
const describeBoth = async (
  client: DynamoDBClient,
  { name, liveName }: TableNames,
): Promise<{ readonly found: TableDescription; readonly live: TableDescription }> => {
  const [found, live] = await Promise.all([describe(client, name), describe(client, liveName)]);
  if (found !== undefined && live !== undefined) return { found, live };
  throw new OperatorError({ message: `There is no table ${found === undefined ? name : liveName}.` });
};

/**
 * A moment such that the table `name` has all deletions that were made before it. For a table that DynamoDB has
 * restored, it is the moment whose state the table has. Any other table was itself live until its stage was removed, so
 * it lacks only what was deleted from the table that is live now.
 * @throws OperatorError when one of the tables does not exist
 */
export const deletionsKnownUntil = async (client: DynamoDBClient, names: TableNames): Promise<Date> => {
  const { found, live } = await describeBoth(client, names);
  return found.RestoreSummary?.RestoreDateTime ?? live.CreationDateTime ?? new Date(0);
};

/**
 * Waits until a table that is being restored is there, which can take hours.
 * @throws OperatorError when there is no such table, or when it is not a state of the live table.
 */
export const restoredTable = async (
  client: DynamoDBClient,
  { name, liveName, wait }: TableNames & { readonly wait: () => Promise<void> },
): Promise<void> => {
  for (;;) {
    const { found, live } = await describeBoth(client, { name, liveName });
    if (keysOf(found) !== keysOf(live)) {
      throw new OperatorError({
        message: `${name} has the keys ${keysOf(found)}, and ${liveName} has ${keysOf(live)}: it is a state of another table.`,
      });
    }
    if (found.TableStatus === 'ACTIVE') return;
    await wait();
  }
};
