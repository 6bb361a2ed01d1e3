import {
  type CancellationReason,
  ConditionalCheckFailedException,
  IdempotentParameterMismatchException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import type {
  BatchGetCommandInput,
  BatchWriteCommandInput,
  DeleteCommandInput,
  GetCommandInput,
  PutCommandInput,
  QueryCommandInput,
  ScanCommandInput,
  TransactWriteCommandInput,
  UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { conditionOf, InvalidExpression, type Item, updateOf } from './expressions.ts';
import { placeholdersOf, projected, stored, updated } from './items.ts';
import { isInSegment, paged, type TableKeys } from './pages.ts';
import { createPast, type Written } from './past.ts';

interface Guarded {
  readonly TableName: string | undefined;
  readonly ConditionExpression?: string | undefined;
  readonly ExpressionAttributeNames?: Record<string, string> | undefined;
  readonly ExpressionAttributeValues?: Record<string, unknown> | undefined;
}

const nothing: Item = Object.freeze({});
const writesAtMost = 100;
const tokenLifetimeMilliseconds = 600_000;

const cancelled = (CancellationReasons: CancellationReason[]) =>
  new TransactionCanceledException({ message: 'Transaction cancelled', $metadata: {}, CancellationReasons });

const mismatched = () =>
  new IdempotentParameterMismatchException({ message: 'The token has other parameters', $metadata: {} });

const refused = () =>
  new ConditionalCheckFailedException({ message: 'The conditional request failed', $metadata: {} });

export type Store = ReturnType<typeof createStore>;

/** An in-process DynamoDB: tables whose expressions are judged as DynamoDB judges them. Each call happens at once. */
export const createStore = (
  tables: Readonly<Record<string, TableKeys>>,
  { now }: { readonly now: () => number },
) => {
  const partitions = new Map<string, Map<string, Map<string, Item>>>(
    Object.keys(tables).map((name) => [name, new Map()]),
  );
  const definitions = new Map(Object.entries(tables));
  const watchers: ((written: Written) => void)[] = [];
  const tokens = new Map<string, { readonly usedAt: number; readonly writes: string }>();
  const past = createPast({ now });

  const definitionOf = (name: string | undefined): TableKeys => {
    const definition = definitions.get(name ?? '');
    if (definition === undefined) throw new InvalidExpression(`There is no table ${name}`);
    return definition;
  };
  const keyOf = (table: string | undefined, item: Item | undefined) => {
    const { keys } = definitionOf(table);
    const [pk, sk] = keys.map((name) => (name === undefined ? '' : item?.[name]));
    if (typeof pk !== 'string' || pk === '' || (keys.length > 1 && (typeof sk !== 'string' || sk === ''))) {
      throw new InvalidExpression('One or more parameter values are not valid: the key');
    }
    return { table: String(table), pk, sk: typeof sk === 'string' ? sk : '' };
  };
  type Key = ReturnType<typeof keyOf>;

  const read = ({ table, pk, sk }: Key): Item | undefined => partitions.get(table)?.get(pk)?.get(sk);
  const write = (key: Key, item: Item | undefined, token?: string): void => {
    const { table, pk, sk } = key;
    const before = read(key);
    const partition = partitions.get(table)?.get(pk) ?? new Map<string, Item>();
    partitions.get(table)?.set(pk, partition);
    const after = item === undefined ? undefined : (stored(item) as Item);
    if (after === undefined) partition.delete(sk);
    else partition.set(sk, after);
    const written = { table, before, after, token };
    past.remember(written);
    for (const watch of watchers) watch(written);
  };
  const holds = (input: Guarded, item: Item | undefined): boolean =>
    input.ConditionExpression === undefined ||
    conditionOf(input.ConditionExpression)(item ?? nothing, placeholdersOf(input));

  /** The effect that one write would have: its key, whether its condition holds, and the item after it. */
  interface Plan {
    readonly key: Key;
    readonly isHeld: boolean;
    readonly after: () => Item | undefined;
    readonly isCheck?: boolean;
  }
  const planPut = (input: Pick<PutCommandInput, 'Item'> & Guarded): Plan => {
    const key = keyOf(input.TableName, input.Item);
    return { key, isHeld: holds(input, read(key)), after: () => input.Item };
  };
  const planUpdate = (input: Pick<UpdateCommandInput, 'Key' | 'UpdateExpression'> & Guarded): Plan => {
    const key = keyOf(input.TableName, input.Key);
    const before = read(key);
    const changes = updateOf(input.UpdateExpression ?? '');
    return {
      key,
      isHeld: holds(input, before),
      after: () => updated(before ?? (input.Key as Item), changes, placeholdersOf(input)),
    };
  };
  const planDelete = (input: Pick<DeleteCommandInput, 'Key'> & Guarded): Plan => {
    const key = keyOf(input.TableName, input.Key);
    return { key, isHeld: holds(input, read(key)), after: () => undefined };
  };
  const planCheck = (input: Pick<DeleteCommandInput, 'Key'> & Guarded): Plan => {
    const key = keyOf(input.TableName, input.Key);
    return { key, isHeld: holds(input, read(key)), after: () => read(key), isCheck: true };
  };
  /** In a transaction, what an expression cannot compute cancels the transaction. */
  const valid = ({ after }: Plan): Item | undefined => {
    try {
      return after();
    } catch (error) {
      if (!(error instanceof InvalidExpression)) throw error;
      throw cancelled([{ Code: 'ValidationError', Message: error.message }]);
    }
  };
  const run = ({
    key,
    isHeld,
    after,
  }: Plan): { readonly before: Item | undefined; readonly after: Item | undefined } => {
    if (!isHeld) throw refused();
    const before = read(key);
    write(key, after());
    return { before, after: read(key) };
  };

  const matching = (
    input: Pick<QueryCommandInput, 'TableName' | 'IndexName' | 'ScanIndexForward'>,
    {
      isWanted,
      pk,
      asOf,
    }: {
      readonly isWanted: (item: Item) => boolean;
      readonly pk?: string | undefined;
      readonly asOf?: number | undefined;
    },
  ): Item[] => {
    const { keys, indexes = {} } = definitionOf(input.TableName);
    const index = input.IndexName === undefined ? keys : indexes[input.IndexName];
    if (index === undefined)
      throw new InvalidExpression(`The table does not have the specified index: ${input.IndexName}`);
    const name = String(input.TableName);
    const table = partitions.get(name) ?? new Map<string, Map<string, Item>>();
    const held = past.heldBy({ table: name, index: input.IndexName });
    const known = pk === undefined ? [...table.values()] : [table.get(pk) ?? new Map<string, Item>()];
    const items = held ?? known.flatMap((partition) => [...partition.values()]);
    const found = (asOf === undefined || held !== undefined ? items : past.itemsAt(asOf, name, items)).filter(
      (item) => index.every((key) => key === undefined || item[key] !== undefined) && isWanted(item),
    );
    const sortKey = index[1] ?? keys[0];
    found.sort((one, other) => (String(one[sortKey]) < String(other[sortKey]) ? -1 : 1));
    return input.ScanIndexForward === false ? found.reverse() : found;
  };
  /** The value that the key condition wants for the partition key of the table itself, so that no other one is read. */
  const partitionIn = ({ TableName, IndexName, KeyConditionExpression, ...input }: QueryCommandInput) => {
    if (IndexName !== undefined) return undefined;
    const [pk] = definitionOf(TableName).keys;
    const [, value = ''] = new RegExp(`^\\s*${pk} = (:\\w+)`).exec(KeyConditionExpression ?? '') ?? [];
    return input.ExpressionAttributeValues?.[value] as string | undefined;
  };
  const get = (input: GetCommandInput) => {
    const item = read(keyOf(input.TableName, input.Key));
    return item === undefined
      ? {}
      : { Item: projected(item, input.ProjectionExpression, { names: input.ExpressionAttributeNames }) };
  };

  return {
    /** Makes an empty table. */
    define: (table: string, keys: TableKeys): void => {
      definitions.set(table, keys);
      partitions.set(table, new Map());
    },
    /** Creates a table with the present items of another one, as when DynamoDB restores a table. */
    copy: (from: string, to: string): void => {
      definitions.set(to, definitionOf(from));
      partitions.set(
        to,
        new Map([...(partitions.get(from) ?? [])].map(([pk, items]) => [pk, new Map(items)])),
      );
    },
    /** Removes items, as in a loss: no stream gets records of it. */
    lose: (table: string, isLost: (item: Item) => boolean): void => {
      for (const items of partitions.get(table)?.values() ?? []) {
        for (const [sk, item] of items) if (isLost(item)) items.delete(sk);
      }
    },
    /** Every item of a table. */
    items: (table: string): Item[] =>
      [...(partitions.get(table)?.values() ?? [])].flatMap((partition) => [...partition.values()]),
    holdIndex: past.holdIndex,
    releaseIndex: past.releaseIndex,
    watch: (watcher: (written: Written) => void): void => {
      watchers.push(watcher);
    },
    get,
    put: (input: PutCommandInput) => {
      const { before } = run(planPut(input as Guarded & PutCommandInput));
      return input.ReturnValues === 'ALL_OLD' && before !== undefined ? { Attributes: before } : {};
    },
    update: (input: UpdateCommandInput) => {
      const { before, after } = run(planUpdate(input as Guarded & UpdateCommandInput));
      switch (input.ReturnValues) {
        case 'ALL_NEW':
          return { Attributes: after };
        case 'ALL_OLD':
          return before === undefined ? {} : { Attributes: before };
        case 'UPDATED_NEW':
          return {
            Attributes: Object.fromEntries(
              Object.entries(after ?? nothing).filter(([name, value]) => before?.[name] !== value),
            ),
          };
        default:
          return {};
      }
    },
    delete: (input: DeleteCommandInput) => {
      const { before } = run(planDelete(input as Guarded & DeleteCommandInput));
      return input.ReturnValues === 'ALL_OLD' && before !== undefined ? { Attributes: before } : {};
    },
    /** @param asOf The time whose state of the index is read. @default now */
    query: (input: QueryCommandInput, asOf?: number) => {
      const placeholders = placeholdersOf(input);
      const holds = conditionOf(input.KeyConditionExpression ?? '');
      const isWanted = (item: Item): boolean => holds(item, placeholders);
      return paged(
        definitionOf(input.TableName),
        input,
        matching(input, { isWanted, pk: partitionIn(input), asOf }),
      );
    },
    scan: (input: ScanCommandInput) => {
      const definition = definitionOf(input.TableName);
      const isWanted = (item: Item): boolean => isInSegment(String(item[definition.keys[0]]), input);
      return paged(definition, input, matching(input as QueryCommandInput, { isWanted }));
    },
    batchGet: ({ RequestItems = {} }: BatchGetCommandInput) => ({
      Responses: Object.fromEntries(
        Object.entries(RequestItems).map(([TableName, { Keys = [], ...input }]) => [
          TableName,
          Keys.flatMap((Key) => get({ ...input, TableName, Key }).Item ?? []),
        ]),
      ),
      UnprocessedKeys: {},
    }),
    batchWrite: ({ RequestItems = {} }: BatchWriteCommandInput) => {
      for (const [TableName, requests] of Object.entries(RequestItems)) {
        for (const { PutRequest, DeleteRequest } of requests) {
          if (PutRequest !== undefined) run(planPut({ TableName, Item: PutRequest.Item }));
          if (DeleteRequest !== undefined) run(planDelete({ TableName, Key: DeleteRequest.Key }));
        }
      }
      return { UnprocessedItems: {} };
    },
    /** Writes all or nothing. With a token that the same writes have used within ten minutes, does nothing more. */
    transactWrite: ({ TransactItems = [], ClientRequestToken }: TransactWriteCommandInput) => {
      const writes = JSON.stringify(TransactItems);
      const used = ClientRequestToken === undefined ? undefined : tokens.get(ClientRequestToken);
      if (used !== undefined && now() - used.usedAt < tokenLifetimeMilliseconds) {
        if (used.writes !== writes) throw mismatched();
        return {};
      }
      if (TransactItems.length > writesAtMost) throw new InvalidExpression('more than 100 writes');
      const plans = TransactItems.map(({ Put, Update, Delete, ConditionCheck }): Plan => {
        if (Put !== undefined) return planPut(Put);
        if (Update !== undefined) return planUpdate(Update);
        if (Delete !== undefined) return planDelete(Delete);
        if (ConditionCheck !== undefined) return planCheck(ConditionCheck);
        throw new InvalidExpression('a write without an operation');
      });
      const places = new Set(plans.map(({ key: { table, pk, sk } }) => `${table} ${pk} ${sk}`));
      if (places.size < plans.length) {
        throw new InvalidExpression('Transaction request cannot include multiple operations on one item');
      }
      if (plans.some(({ isHeld }) => !isHeld)) {
        throw cancelled(plans.map(({ isHeld }) => ({ Code: isHeld ? 'None' : 'ConditionalCheckFailed' })));
      }
      // All items are made before any is written, so that an invalid one leaves no other behind.
      const items = plans.map((plan) => ({ plan, item: valid(plan) }));
      for (const { plan, item } of items)
        if (plan.isCheck !== true) write(plan.key, item, ClientRequestToken);
      if (ClientRequestToken !== undefined) tokens.set(ClientRequestToken, { usedAt: now(), writes });
      return {};
    },
  };
};
