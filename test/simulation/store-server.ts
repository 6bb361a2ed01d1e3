/**
 * The simulator's store behind DynamoDB's own protocol, so that the integration tests of the adapters can run over it:
 * `npm run check:engines -- store`. It has no streams.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { type TableKeys as Keys, refusalOf, tableKeys } from 'template-runtime/engines/dynamodb/refusals.ts';
import { InvalidExpression, type Item } from './expressions.ts';
import { createStore, type Store } from './store.ts';

type Marshalled = Parameters<typeof unmarshall>[0];
type Input = Readonly<Record<string, unknown>>;

class ServerError extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/** In JSON, binary values are base64. */
const withBytes = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withBytes);
  if (typeof value !== 'object' || value === null) return value;
  const { B: bytes } = value as { readonly B?: unknown };
  if (typeof bytes === 'string') return { B: Buffer.from(bytes, 'base64') };
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withBytes(field)]));
};
const withText = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(withText);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withText(field)]));
};

const read = (item: unknown): Item => unmarshall(withBytes(item) as Marshalled);
const written = (item: Item): unknown => withText(marshall(item, { removeUndefinedValues: true }));

/** The fields whose values are items, in inputs and in answers. */
const itemFields = [
  'Key',
  'Item',
  'ExpressionAttributeValues',
  'ExclusiveStartKey',
  'Attributes',
  'LastEvaluatedKey',
];

const converted = (input: unknown, convert: (item: Item) => unknown): unknown => {
  if (Array.isArray(input)) return input.map((each) => converted(each, convert));
  if (typeof input !== 'object' || input === null) return input;
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      if (value === undefined) return [name, value];
      if (itemFields.includes(name)) return [name, convert(value)];
      if (name === 'Items' || name === 'Keys') return [name, (value as Item[]).map(convert)];
      return [name, converted(value, convert)];
    }),
  );
};

const operations: Readonly<Record<string, keyof Store>> = {
  GetItem: 'get',
  PutItem: 'put',
  UpdateItem: 'update',
  DeleteItem: 'delete',
  Query: 'query',
  Scan: 'scan',
  BatchGetItem: 'batchGet',
  BatchWriteItem: 'batchWrite',
  TransactWriteItems: 'transactWrite',
};

const responsesOf = (answer: object): object => {
  if (!('Responses' in answer)) return converted(answer, written) as object;
  const { Responses } = answer as { readonly Responses: Readonly<Record<string, readonly Item[]>> };
  return {
    Responses: Object.fromEntries(
      Object.entries(Responses).map(([table, items]) => [table, items.map(written)]),
    ),
    UnprocessedKeys: {},
  };
};

const bodyOf = async (request: IncomingMessage): Promise<Input> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString() || '{}');
};

const faultOf = (error: unknown): object => {
  if (!(error instanceof Error)) throw error;
  const { name, message } = error;
  const reasons = error instanceof TransactionCanceledException ? error.CancellationReasons : undefined;
  const codes = reasons?.map(({ Code }) => Code).join(', ');
  return {
    __type: `com.amazonaws.dynamodb.v20120810#${name}`,
    message:
      codes === undefined
        ? message
        : `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    ...(reasons !== undefined && { CancellationReasons: reasons }),
  };
};

export interface StoreServer {
  readonly endpoint: string;
  stop(): Promise<void>;
}

export const startStoreServer = async (): Promise<StoreServer> => {
  const store = createStore({}, { now: Date.now });
  const descriptions = new Map<string, Input>();
  const keys = new Map<string, Keys>();

  const tableOperations: Readonly<Record<string, (input: Input) => object>> = {
    CreateTable: (input) => {
      const name = String(input.TableName);
      const table = tableKeys(input);
      keys.set(name, table);
      store.define(name, {
        keys: table.range === undefined ? [table.hash] : [table.hash, table.range],
        indexes: Object.fromEntries(
          [...table.indexes].map(([index, { hash, range }]) => [
            index,
            range === undefined ? [hash] : [hash, range],
          ]),
        ),
      });
      const { BillingMode, Tags, ...description } = input;
      descriptions.set(name, {
        ...description,
        TableArn: `arn:aws:dynamodb:ddblocal:000000000000:table/${name}`,
        TableStatus: 'ACTIVE',
      });
      return { TableDescription: descriptions.get(name) };
    },
    DescribeTable: ({ TableName }) => {
      const Table = descriptions.get(String(TableName));
      if (Table === undefined)
        throw new ServerError('ResourceNotFoundException', `There is no table ${TableName}`);
      return { Table };
    },
    DeleteTable: ({ TableName }) => {
      const name = String(TableName);
      descriptions.delete(name);
      keys.delete(name);
      store.define(name, { keys: ['pk'] });
      return {};
    },
    UpdateTimeToLive: () => ({}),
    DescribeTimeToLive: () => ({ TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED' } }),
  };

  const answerTo = (operation: string, input: Input): object => {
    const ofTable = tableOperations[operation];
    if (ofTable !== undefined) return ofTable(input);
    const method = operations[operation];
    if (method === undefined) throw new ServerError('UnknownOperationException', operation);
    const refusal = refusalOf(operation, input, (name) => keys.get(name));
    if (refusal !== undefined) throw new InvalidExpression(refusal);
    const call = store[method] as (input: unknown) => object;
    return responsesOf(call(converted(input, read)));
  };

  const server = createServer(async (request, response) => {
    const input = await bodyOf(request);
    const [, operation = ''] = String(request.headers['x-amz-target']).split('.');
    response.setHeader('content-type', 'application/x-amz-json-1.0');
    try {
      response.end(JSON.stringify(answerTo(operation, input)));
    } catch (error) {
      response.statusCode = 400;
      response.end(JSON.stringify(faultOf(error)));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
