import * as z from 'zod';
import { arn } from '../../engines/account.ts';
import type { DynamoDbEngine } from '../../engines/dynamodb/types.ts';
import { ServiceFault } from '../../engines/service-fault.ts';
import { type JsonOperation, jsonOperation } from '../json-protocol.ts';

const tableName = z.string().regex(/^[a-zA-Z0-9_.-]{3,255}$/);
const named = z.strictObject({ TableName: z.string() });
const update = z.strictObject({
  TableName: z.string(),
  PointInTimeRecoverySpecification: z.strictObject({ PointInTimeRecoveryEnabled: z.boolean() }),
});
const restoration = z
  .strictObject({
    SourceTableName: z.string().optional(),
    SourceTableArn: z.string().optional(),
    TargetTableName: tableName,
    UseLatestRestorableTime: z.boolean().optional(),
    RestoreDateTime: z.number().optional(),
  })
  .refine(
    ({ SourceTableName, SourceTableArn }) =>
      (SourceTableName === undefined) !== (SourceTableArn === undefined),
    'One of SourceTableName and SourceTableArn must be given.',
  )
  .refine(
    ({ UseLatestRestorableTime = false, RestoreDateTime }) =>
      UseLatestRestorableTime === (RestoreDateTime === undefined),
    'Either UseLatestRestorableTime or RestoreDateTime must be given.',
  );

/** The restored table is written and read as the caller ("Using IAM with DynamoDB backup and restore"). */
const actionsOnTarget = [
  'BatchWriteItem',
  'DeleteItem',
  'GetItem',
  'PutItem',
  'Query',
  'Scan',
  'UpdateItem',
] as const;

export const tableArn = (nameOrArn: string): string =>
  nameOrArn.startsWith('arn:') ? nameOrArn : arn('dynamodb', `table/${nameOrArn}`);

/** DynamoDB's calls about a table's continuous backups. Needs the embedded server. */
export const continuousBackups = (
  engine: Pick<DynamoDbEngine, 'recovery'>,
  describeTable: (name: string) => Promise<object | undefined>,
): Readonly<Record<string, JsonOperation>> => {
  const { recovery } = engine;
  const supported = () => {
    if (recovery !== undefined) return recovery;
    throw new ServiceFault({
      code: 'UnknownOperationException',
      message: 'Only the embedded database keeps what tables were in the past.',
    });
  };
  const find = async (name: string): Promise<void> => {
    if ((await describeTable(name)) !== undefined) return;
    throw new ServiceFault({ code: 'TableNotFoundException', message: `Table not found: ${name}` });
  };
  const backupsOf = (table: string) => {
    const window = supported().windowOf(table);
    return {
      ContinuousBackupsDescription: {
        ContinuousBackupsStatus: 'ENABLED',
        PointInTimeRecoveryDescription: {
          PointInTimeRecoveryStatus: window ? 'ENABLED' : 'DISABLED',
          ...(window && {
            RecoveryPeriodInDays: 35,
            EarliestRestorableDateTime: window.earliest / 1000,
            LatestRestorableDateTime: window.latest / 1000,
          }),
        },
      },
    };
  };
  return {
    DescribeContinuousBackups: jsonOperation(named, async ({ TableName }, call) => {
      call.allow('dynamodb:DescribeContinuousBackups', tableArn(TableName));
      await find(TableName);
      return backupsOf(TableName);
    }),
    UpdateContinuousBackups: jsonOperation(update, async (input, call) => {
      const { TableName, PointInTimeRecoverySpecification } = input;
      call.allow('dynamodb:UpdateContinuousBackups', tableArn(TableName));
      await find(TableName);
      if (PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled) supported().enable(TableName);
      else supported().disable(TableName);
      return backupsOf(TableName);
    }),
    RestoreTableToPointInTime: jsonOperation(restoration, async (input, call) => {
      const { TargetTableName: targetTable, RestoreDateTime } = input;
      const source = input.SourceTableArn ?? input.SourceTableName ?? '';
      call.allow('dynamodb:RestoreTableToPointInTime', tableArn(source));
      for (const action of actionsOnTarget) call.allow(`dynamodb:${action}`, tableArn(targetTable));
      const { at } = await supported().restore({
        sourceTable: source.slice(source.lastIndexOf('/') + 1),
        targetTable,
        ...(RestoreDateTime !== undefined && { at: RestoreDateTime * 1000 }),
      });
      return {
        TableDescription: {
          ...(await describeTable(targetTable)),
          TableStatus: 'CREATING',
          RestoreSummary: {
            SourceTableArn: tableArn(source),
            RestoreDateTime: at / 1000,
            RestoreInProgress: true,
          },
        },
      };
    }),
  };
};
