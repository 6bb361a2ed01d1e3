import { randomUUID } from 'node:crypto';
import type { AttributeValue, CancellationReason } from '@aws-sdk/client-dynamodb';
import type {
  BatchGetCommandInput,
  BatchGetCommandOutput,
  BatchWriteCommandInput,
  BatchWriteCommandOutput,
  DeleteCommandInput,
  DeleteCommandOutput,
  GetCommandInput,
  GetCommandOutput,
  PutCommandInput,
  PutCommandOutput,
  QueryCommandInput,
  QueryCommandOutput,
  ScanCommandInput,
  ScanCommandOutput,
  TransactWriteCommandInput,
  TransactWriteCommandOutput,
  UpdateCommandInput,
  UpdateCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { type CallOptions, type JsonServiceOptions, jsonService } from '../aws/json-service.ts';
import { isRefusal } from '../aws/service-error.ts';
import { type AwsSettings, functionSettings } from '../aws/settings.ts';

type Call<Input, Output> = (input: Input, options?: CallOptions) => Promise<Omit<Output, '$metadata'>>;

/** DynamoDB with items as JavaScript has them: the methods, inputs and answers of the AWS SDK's `DynamoDBDocument`. */
export interface DocumentClient {
  readonly get: Call<GetCommandInput, GetCommandOutput>;
  readonly put: Call<PutCommandInput, PutCommandOutput>;
  readonly update: Call<UpdateCommandInput, UpdateCommandOutput>;
  readonly delete: Call<DeleteCommandInput, DeleteCommandOutput>;
  readonly query: Call<QueryCommandInput, QueryCommandOutput>;
  readonly scan: Call<ScanCommandInput, ScanCommandOutput>;
  readonly batchGet: Call<BatchGetCommandInput, BatchGetCommandOutput>;
  readonly batchWrite: Call<BatchWriteCommandInput, BatchWriteCommandOutput>;
  readonly transactWrite: Call<TransactWriteCommandInput, TransactWriteCommandOutput>;
  /** Repeats nothing: for writes whose caller counts them. */
  readonly transactWriteOnce: Call<TransactWriteCommandInput, TransactWriteCommandOutput>;
}

export type DocumentClientOptions = Partial<Pick<JsonServiceOptions, 'maxAttempts' | 'onAttempt'>>;

/** A document client for the account and the place that the settings say. */
export const documentClientOf = (
  settings: AwsSettings,
  { maxAttempts = 4, onAttempt }: DocumentClientOptions = {},
): DocumentClient => {
  const service = jsonService({
    settings,
    service: 'dynamodb',
    target: 'DynamoDB_20120810',
    version: '1.0',
    requestTimeoutMilliseconds: 2_500,
    // As the SDK's client of DynamoDB has it.
    baseDelay: 25,
    // Of a single write to an item that is in somebody's transaction. "OK to retry" is what DynamoDB says of it
    // (Developer Guide, *Error handling*), but the SDK does not.
    repeated: ['TransactionConflictException'],
    maxAttempts,
    onAttempt,
  });
  const operation =
    <Input extends object, Output>(name: string): Call<Input, Output> =>
    async (input, options) =>
      convertItems(await service(name, convertItems(input, toAttributes), options), fromAttributes) as Output;
  const transactWrite = operation<TransactWriteCommandInput, TransactWriteCommandOutput>(
    'TransactWriteItems',
  );
  return {
    get: operation('GetItem'),
    put: operation('PutItem'),
    update: operation('UpdateItem'),
    delete: operation('DeleteItem'),
    query: operation('Query'),
    scan: operation('Scan'),
    batchGet: operation('BatchGetItem'),
    batchWrite: operation('BatchWriteItem'),
    // As the SDK does it: a repetition of a write that was made is then answered as the first, and not refused.
    transactWrite: (input, options) => transactWrite({ ClientRequestToken: randomUUID(), ...input }, options),
    transactWriteOnce: (input, options) => transactWrite(input, { ...options, isRepeated: false }),
  };
};

/**
 * The document client of a function, made once at module scope. What is throttled or gets no answer is repeated
 * three times, within the time of the request that it is for.
 */
export const documentClient = (): DocumentClient => documentClientOf(functionSettings());

/** Why a transaction was cancelled, for each of its items in their order; `undefined` when something else is wrong. */
export const cancellationReasons = (error: unknown): readonly CancellationReason[] | undefined => {
  if (!isRefusal(error, 'TransactionCanceledException')) return undefined;
  const { CancellationReasons: reasons } = error.fields;
  return Array.isArray(reasons) ? reasons : [];
};

/** All pages of a query, one after the other. */
export const queryPages = (client: Pick<DocumentClient, 'query'>, input: QueryCommandInput) =>
  pages(client.query, input);

/** All pages of a scan, one after the other. */
export const scanPages = (client: Pick<DocumentClient, 'scan'>, input: ScanCommandInput) =>
  pages(client.scan, input);

async function* pages<Input, Output extends Pick<QueryCommandOutput, 'LastEvaluatedKey'>>(
  call: (input: Input) => Promise<Output>,
  input: Input,
): AsyncGenerator<Output> {
  let next = input;
  for (;;) {
    const page = await call(next);
    yield page;
    if (page.LastEvaluatedKey === undefined) return;
    next = { ...input, ExclusiveStartKey: page.LastEvaluatedKey };
  }
}

type Attributes = Record<string, AttributeValue>;

const itemFields = new Set([
  'Item',
  'Key',
  'Attributes',
  'ExpressionAttributeValues',
  'ExclusiveStartKey',
  'LastEvaluatedKey',
]);
const itemListFields = new Set(['Items', 'Keys']);

/** What DynamoDB is asked, or answers, with each item in it converted. */
const convertItems = <Value>(value: Value, convert: (item: never) => unknown): Value => {
  if (Array.isArray(value)) return value.map((part) => convertItems(part, convert)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const converted: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(value)) {
    if (part === undefined) continue;
    if (itemFields.has(name)) converted[name] = convert(part as never);
    else if (itemListFields.has(name)) converted[name] = part.map(convert);
    // Of a BatchGetItem, by table.
    else if (name === 'Responses') converted[name] = mapValues(part, (items: never[]) => items.map(convert));
    else converted[name] = convertItems(part, convert);
  }
  return converted as Value;
};

const mapValues = <From, To>(object: Readonly<Record<string, From>>, map: (value: From) => To) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]));

const toAttributes = (item: Record<string, unknown>): Attributes =>
  inOrder(marshall(item, { removeUndefinedValues: true }), (bytes) => Buffer.from(bytes).toString('base64'));

const fromAttributes = (item: Attributes): Record<string, unknown> =>
  unmarshall(inOrder(item, (text) => Buffer.from(String(text), 'base64')));

type ConvertBytes = (bytes: Uint8Array) => unknown;

/**
 * The attributes in the order of their names, with bytes converted, which are base64 in JSON. DynamoDB answers attributes
 * in any order, in another one for each item, while items that are alike in it share a hidden class, and whatever reads
 * many of them takes a fraction of the time.
 */
const inOrder = (attributes: Attributes, convertBytes: ConvertBytes): Attributes => {
  const ordered: Attributes = {};
  for (const name of Object.keys(attributes).sort()) {
    ordered[name] = valueInOrder(attributes[name] as AttributeValue, convertBytes);
  }
  return ordered;
};

const valueInOrder = (value: AttributeValue, convertBytes: ConvertBytes): AttributeValue => {
  if (value.M !== undefined) return { M: inOrder(value.M, convertBytes) };
  if (value.L !== undefined) return { L: value.L.map((part) => valueInOrder(part, convertBytes)) };
  if (value.B !== undefined) return { B: convertBytes(value.B) as Uint8Array };
  return value;
};
