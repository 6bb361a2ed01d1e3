import { Pool } from 'undici';
import * as z from 'zod';
import { region } from '../../engines/account.ts';
import { tablesOf } from '../../engines/dynamodb/faults/requests.ts';
import { itemContext } from '../../engines/dynamodb/item-context.ts';
import { refusalOf, type TableKeys, tableKeys } from '../../engines/dynamodb/refusals.ts';
import type { DynamoDbEngine } from '../../engines/dynamodb/types.ts';
import { ServiceFault } from '../../engines/service-fault.ts';
import type { Call } from '../call.ts';
import { jsonAnswer, jsonFault, operationName, parseJson } from '../json-protocol.ts';
import type { AwsAnswer, AwsRequest } from '../request.ts';
import { continuousBackups, tableArn } from './continuous-backups.ts';

const tableReference = z.object({ TableName: z.string(), IndexName: z.string().optional() });
const perTable = z.object({ RequestItems: z.record(z.string(), z.unknown()) });
const transactPart = z.looseObject({ TableName: z.string() }).optional();
const transactItem = z.strictObject({
  Put: transactPart,
  Update: transactPart,
  Delete: transactPart,
  ConditionCheck: transactPart,
  Get: transactPart,
});
const transaction = z.object({ TransactItems: z.array(transactItem) });

const described = z.object({ Table: z.looseObject({ TableStatus: z.string() }) });

const transactActions = {
  Put: 'dynamodb:PutItem',
  Update: 'dynamodb:UpdateItem',
  Delete: 'dynamodb:DeleteItem',
  ConditionCheck: 'dynamodb:ConditionCheckItem',
  Get: 'dynamodb:GetItem',
} as const;

/**
 * These operations need no translation of ARNs: their inputs name tables but no ARNs, and their responses contain none.
 */
const itemOperations = new Set([
  'GetItem',
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'Query',
  'Scan',
  'BatchGetItem',
  'BatchWriteItem',
  'TransactGetItems',
  'TransactWriteItems',
]);

const parse = <Input>(schema: z.ZodType<Input>, input: unknown): Input => {
  const parsed = schema.safeParse(input);
  if (!parsed.success) {
    throw new ServiceFault({ code: 'ValidationException', message: z.prettifyError(parsed.error) });
  }
  return parsed.data;
};

/** A transaction needs permission for the action of each of its items (Service Authorization Reference). */
const authorize = (operation: string, input: unknown, call: Call, keysOf: DynamoDbEngine['keysOf']): void => {
  if (operation === 'TransactWriteItems' || operation === 'TransactGetItems') {
    for (const item of parse(transaction, input).TransactItems) {
      for (const kind of ['Put', 'Update', 'Delete', 'ConditionCheck', 'Get'] as const) {
        const part = item[kind];
        if (part === undefined) continue;
        call.allow(transactActions[kind], tableArn(part.TableName), {
          ...itemContext(`${kind}Item`, part, keysOf(part.TableName)),
          'dynamodb:EnclosingOperation': [operation],
        });
      }
    }
    return;
  }
  if (operation === 'BatchGetItem' || operation === 'BatchWriteItem') {
    for (const [table, part] of Object.entries(parse(perTable, input).RequestItems)) {
      call.allow(`dynamodb:${operation}`, tableArn(table), itemContext(operation, part, keysOf(table)));
    }
    return;
  }
  if (itemOperations.has(operation)) {
    const { TableName, IndexName } = parse(tableReference, input);
    call.allow(
      `dynamodb:${operation}`,
      IndexName === undefined ? tableArn(TableName) : `${tableArn(TableName)}/index/${IndexName}`,
      itemContext(operation, input, keysOf(TableName)),
    );
    return;
  }
  const named = tableReference.safeParse(input);
  call.allow(`dynamodb:${operation}`, named.success ? tableArn(named.data.TableName) : '*');
};

interface EngineCall {
  readonly target: string;
  readonly body: Buffer | string;
}

/** undici's `pool.dispatch` avoids the stream that `pool.request` creates for each response. */
const poster =
  (pool: Pool, authorization: string) =>
  ({ target, body }: EngineCall): Promise<AwsAnswer & { readonly body: Buffer }> => {
    const { promise, resolve, reject } = Promise.withResolvers<AwsAnswer & { readonly body: Buffer }>();
    const chunks: Buffer[] = [];
    let status = 0;
    let requestId: string | string[] | undefined;
    pool.dispatch(
      {
        method: 'POST',
        path: '/',
        headers: {
          'content-type': 'application/x-amz-json-1.0',
          'x-amz-target': target,
          'x-amz-date': '20260101T000000Z',
          // The engine requires a signature but does not verify it.
          authorization,
        },
        body,
      },
      {
        onRequestStart: () => {},
        onResponseStart(_, statusCode, headers) {
          status = statusCode;
          requestId = headers['x-amzn-requestid'];
        },
        onResponseData: (_, chunk) => void chunks.push(chunk),
        onResponseEnd: () =>
          resolve({
            status,
            headers: {
              'content-type': 'application/x-amz-json-1.0',
              ...(typeof requestId === 'string' && { 'x-amzn-requestid': requestId }),
            },
            body: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks),
          }),
        onResponseError: (_, error) => reject(error),
      },
    );
    return promise;
  };

export interface DynamoDbService {
  handle(request: AwsRequest, call: Call): Promise<AwsAnswer>;
  stop(): Promise<void>;
}

/** Passes calls to the engine and translates the Region in ARNs, because the engine uses a different Region. */
export const dynamoDbService = (
  engine: Pick<
    DynamoDbEngine,
    'authorization' | 'endpoint' | 'gate' | 'keysOf' | 'nativeRegion' | 'recovery' | 'requestTokens'
  >,
): DynamoDbService => {
  const pool = new Pool(engine.endpoint, { connections: 64, pipelining: 1, keepAliveTimeout: 30_000 });
  const post = poster(pool, engine.authorization);
  const native = `arn:aws:dynamodb:${engine.nativeRegion}:`;
  const ours = `arn:aws:dynamodb:${region}:`;

  const forward = async (request: AwsRequest, itemBody?: Buffer | string): Promise<AwsAnswer> => {
    const isItemOperation = itemBody !== undefined;
    const answer = await post({
      target: String(request.headers['x-amz-target']),
      body: itemBody ?? request.body.toString('utf8').replaceAll(ours, native),
    });
    const body = isItemOperation ? answer.body : answer.body.toString('utf8').replaceAll(native, ours);
    return { ...answer, body };
  };

  const restoring = engine.recovery?.restoring;
  /** A table whose restore has not ended cannot be read or written yet ("Restoring a table to a point in time"). */
  const describeTable = async (name: string): Promise<object | undefined> => {
    const { status, body } = await post({
      target: 'DynamoDB_20120810.DescribeTable',
      body: JSON.stringify({ TableName: name }),
    });
    if (status !== 200) return undefined;
    const { Table } = described.parse(JSON.parse(body.toString('utf8').replaceAll(native, ours)));
    return restoring?.has(name) ? { ...Table, TableStatus: 'CREATING' } : Table;
  };
  const backups = continuousBackups(engine, describeTable);

  /** The keys of tables that callers have created, also by restoring them. The engine knows only the template's. */
  const learnt = new Map<string, TableKeys>();
  const keysOf = (name: string): TableKeys | undefined => engine.keysOf(name) ?? learnt.get(name);
  /** Without a table's keys, a condition on the partition keys of a call would hold for every call. */
  const learnKeys = async (operation: string, input: unknown): Promise<void> => {
    for (const name of tablesOf(operation, input)) {
      const table = keysOf(name) === undefined ? await describeTable(name) : undefined;
      if (table !== undefined) learnt.set(name, tableKeys(table));
    }
  };

  const refuseIfRestoring = (operation: string, input: unknown): void => {
    if (!restoring?.size || !tablesOf(operation, input).some((table) => restoring.has(table))) return;
    throw new ServiceFault({ code: 'ResourceNotFoundException', message: 'Requested resource not found' });
  };

  return {
    async handle(request, call) {
      const operation = operationName(request);
      try {
        const input = parseJson(request.body);
        const backup = Object.hasOwn(backups, operation) ? backups[operation] : undefined;
        if (backup !== undefined) return jsonAnswer(200, await backup(input, call), '1.0');
        if (itemOperations.has(operation)) await learnKeys(operation, input);
        else learnt.delete(tableReference.safeParse(input).data?.TableName ?? '');
        authorize(operation, input, call, keysOf);
        if (operation === 'DescribeTable') {
          const name = tableReference.safeParse(input).data?.TableName;
          if (name !== undefined && restoring?.has(name))
            return jsonAnswer(200, { Table: await describeTable(name) }, '1.0');
        }
        if (!itemOperations.has(operation)) return await forward(request);
        refuseIfRestoring(operation, input);
        const refusal = refusalOf(operation, input, keysOf);
        if (refusal !== undefined) throw new ServiceFault({ code: 'ValidationException', message: refusal });
        const make = (passed: unknown) =>
          forward(request, passed === input ? request.body : JSON.stringify(passed));
        return await engine.gate.pass({ operation, caller: call.caller, input }, (passed) =>
          operation === 'TransactWriteItems' ? engine.requestTokens.once(passed, make) : make(passed),
        );
      } catch (error) {
        if (error instanceof ServiceFault) return jsonFault(error, '1.0');
        throw error;
      }
    },
    stop: () => pool.destroy(),
  };
};
