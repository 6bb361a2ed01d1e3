import * as z from 'zod';
import type { Clock } from '../../../clock.ts';
import type { KeySchema } from './key-schemas.ts';
import { isTransaction, parseQuery, touchedBy } from './requests.ts';
import type { PartitionLimits } from './types.ts';

const readUnitBytes = 4_096;
const writeUnitBytes = 1_024;

/** Capacity units that a call uses in one partition. */
export interface Use {
  readonly table: string;
  /** The table's name, or `table/index`. */
  readonly place: string;
  /** The partition key's value, in DynamoDB's JSON. */
  readonly key: string;
  readonly kind: 'readUnits' | 'writeUnits';
  readonly units: number;
}

interface Bucket {
  units: number;
  at: number;
}

const answered = z.looseObject({
  Item: z.unknown().optional(),
  Items: z.array(z.unknown()).optional(),
});

const units = (value: unknown, unitBytes: number): number =>
  Math.max(1, Math.ceil(JSON.stringify(value ?? {}).length / unitBytes));

const capacity = z.object({ CapacityUnits: z.number() });
const capacities = z.record(z.string(), capacity).default({});
const consumed = z.object({
  TableName: z.string(),
  Table: capacity,
  LocalSecondaryIndexes: capacities,
  GlobalSecondaryIndexes: capacities,
});
const counted = z.object({
  ConsumedCapacity: z.union([consumed.transform((one) => [one]), z.array(consumed)]),
});

const placeOf = (table: string, index?: string): string =>
  index === undefined ? table : `${table}/${index}`;

/**
 * Consumed units, keyed by table or global index. The units of a local index count for its table, because the index
 * shares the table's partitions.
 */
const consumedBy = (body: unknown): ReadonlyMap<string, number> => {
  const parsed = counted.safeParse(body);
  return new Map(
    (parsed.data?.ConsumedCapacity ?? []).flatMap((one) => {
      const local = Object.values(one.LocalSecondaryIndexes);
      const table = [one.Table, ...local].reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0);
      const indexes = Object.entries(one.GlobalSecondaryIndexes).map(
        ([index, { CapacityUnits }]) => [placeOf(one.TableName, index), CapacityUnits] as const,
      );
      return [[one.TableName, table] as const, ...indexes];
    }),
  );
};

/**
 * Scales the estimated units of each table or index, so that their sum is the number of units that the database
 * counted.
 */
const asCounted = (uses: readonly Use[], body: unknown): readonly Use[] => {
  const exact = consumedBy(body);
  const estimated = new Map<string, number>();
  for (const { place, units } of uses) estimated.set(place, (estimated.get(place) ?? 0) + units);
  return uses.map((use) => {
    const units = exact.get(use.place);
    return units === undefined
      ? use
      : { ...use, units: (use.units * units) / (estimated.get(use.place) ?? 1) };
  });
};

const isLimited =
  ({ tables }: PartitionLimits) =>
  ({ table }: Use): boolean =>
    tables?.includes(table) ?? true;

/**
 * Keeps a token bucket of capacity units for each partition. A call is admitted if the buckets of its partitions are
 * not empty. The units of an admitted call are subtracted after the database has answered it.
 */
export const partitionLimiter = ({
  schemaOf,
  clock,
}: {
  readonly schemaOf: (table: string) => Promise<KeySchema>;
  readonly clock: Clock;
}) => {
  const buckets = new Map<string, Bucket>();

  const bucket = ({ place, key, kind }: Use, limits: PartitionLimits): Bucket => {
    const name = `${kind} ${place} ${key}`;
    const now = clock();
    const found = buckets.get(name) ?? { units: limits[kind], at: now };
    found.units = Math.min(limits[kind], found.units + ((now - found.at) / 1_000) * limits[kind]);
    found.at = now;
    buckets.set(name, found);
    return found;
  };

  /** The partition key value of a query, taken from the key condition `name = :value`. */
  const queried = async (input: unknown): Promise<Pick<Use, 'table' | 'place' | 'key'> | undefined> => {
    const query = parseQuery(input);
    const schema = await schemaOf(query.TableName);
    const hash = schema.indexes.get(query.IndexName ?? '') ?? schema.hash;
    for (const [, name = '', value = ''] of (query.KeyConditionExpression ?? '').matchAll(
      /(#?\w+)\s*=\s*(:\w+)/g,
    )) {
      if ((query.ExpressionAttributeNames[name] ?? name) !== hash) continue;
      const place = placeOf(
        query.TableName,
        schema.indexes.has(query.IndexName ?? '') ? query.IndexName : undefined,
      );
      return { table: query.TableName, place, key: JSON.stringify(query.ExpressionAttributeValues[value]) };
    }
    return undefined;
  };

  /** Estimates a call's units from its input and its response. */
  const estimatedUses = async (operation: string, input: unknown, body: unknown = {}): Promise<Use[]> => {
    if (operation === 'Scan') return [];
    const answer = answered.parse(body);
    if (operation === 'Query') {
      const partition = await queried(input);
      if (partition === undefined) return [];
      const share = parseQuery(input).ConsistentRead ? 1 : 0.5;
      return [{ ...partition, kind: 'readUnits', units: units(answer.Items, readUnitBytes) * share }];
    }
    const factor = isTransaction(operation) ? 2 : 1;
    const all = touchedBy(operation, input).map(async (touched): Promise<Use[]> => {
      const { table, attributes, isWrite, isWhole, isConsistent } = touched;
      const schema = await schemaOf(table);
      const place = (index: string | undefined, value: unknown) => ({
        table,
        place: placeOf(table, index),
        key: JSON.stringify(value),
      });
      const partition = place(undefined, attributes[schema.hash]);
      if (!isWrite) {
        const share = isConsistent ? 1 : 0.5;
        const used = units(answer.Item, readUnitBytes) * share * factor;
        return [{ ...partition, kind: 'readUnits', units: used }];
      }
      const used = units(attributes, writeUnitBytes);
      const indexes = isWhole ? [...schema.indexes].filter(([, name]) => name in attributes) : [];
      return [
        { ...partition, kind: 'writeUnits', units: used * factor },
        ...indexes.map(
          ([index, name]): Use => ({ ...place(index, attributes[name]), kind: 'writeUnits', units: used }),
        ),
      ];
    });
    return (await Promise.all(all)).flat();
  };

  return {
    admits: async (operation: string, input: unknown, limits: PartitionLimits): Promise<boolean> =>
      (await estimatedUses(operation, input))
        .filter(isLimited(limits))
        .every((use) => bucket(use, limits).units > 0),
    /**
     * The units that an answered call consumed: the database's own count if the response contains it, otherwise an
     * estimate.
     */
    usesOf: async (operation: string, input: unknown, body: string): Promise<readonly Use[]> => {
      const answer: unknown = JSON.parse(body);
      return asCounted(await estimatedUses(operation, input, answer), answer);
    },
    pay: (uses: readonly Use[], limits: PartitionLimits): void => {
      for (const use of uses.filter(isLimited(limits))) bucket(use, limits).units -= use.units;
    },
  };
};
