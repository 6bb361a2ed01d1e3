import * as z from 'zod';
import type { Clock } from '../../../clock.ts';
import type { KeySchema } from './key-schemas.ts';
import { isTransaction, parseQuery, touchedBy } from './requests.ts';
import type { PartitionLimits } from './types.ts';

const readUnitBytes = 4_096;
const writeUnitBytes = 1_024;

interface Use {
  readonly partition: string;
  readonly kind: keyof PartitionLimits;
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

/** A token bucket for a partition's capacity units. A call passes while there are tokens, and pays when it is done. */
export const partitionLimiter = ({
  schemaOf,
  clock,
}: {
  readonly schemaOf: (table: string) => Promise<KeySchema>;
  readonly clock: Clock;
}) => {
  const buckets = new Map<string, Bucket>();

  const bucket = ({ partition, kind }: Use, limits: PartitionLimits): Bucket => {
    const name = `${kind} ${partition}`;
    const now = clock();
    const found = buckets.get(name) ?? { units: limits[kind], at: now };
    found.units = Math.min(limits[kind], found.units + ((now - found.at) / 1_000) * limits[kind]);
    found.at = now;
    buckets.set(name, found);
    return found;
  };

  /** The partition key value of a query, from its condition `name = :value`. */
  const queried = async (input: unknown): Promise<string | undefined> => {
    const query = parseQuery(input);
    const schema = await schemaOf(query.TableName);
    const hash = query.IndexName === undefined ? schema.hash : schema.indexes.get(query.IndexName);
    for (const [, name = '', value = ''] of (query.KeyConditionExpression ?? '').matchAll(
      /(#?\w+)\s*=\s*(:\w+)/g,
    )) {
      if ((query.ExpressionAttributeNames[name] ?? name) !== hash) continue;
      const place = `${query.TableName}/${query.IndexName ?? ''}`;
      return `${place} ${JSON.stringify(query.ExpressionAttributeValues[value])}`;
    }
    return undefined;
  };

  /** The units that a call uses. `body` is the answer; it is absent before the call is made. */
  const usesOf = async (operation: string, input: unknown, body?: string): Promise<readonly Use[]> => {
    if (operation === 'Scan') return [];
    const answer = body === undefined ? {} : answered.parse(JSON.parse(body));
    if (operation === 'Query') {
      const partition = await queried(input);
      if (partition === undefined) return [];
      const share = parseQuery(input).ConsistentRead ? 1 : 0.5;
      return [{ partition, kind: 'readUnits', units: units(answer.Items, readUnitBytes) * share }];
    }
    const factor = isTransaction(operation) ? 2 : 1;
    const all = touchedBy(operation, input).map(async (touched): Promise<Use[]> => {
      const { table, attributes, isWrite, isWhole, isConsistent } = touched;
      const schema = await schemaOf(table);
      const place = (index: string, value: unknown) => `${table}/${index} ${JSON.stringify(value)}`;
      const partition = place('', attributes[schema.hash]);
      if (!isWrite) {
        const share = isConsistent ? 1 : 0.5;
        const used = units(answer.Item, readUnitBytes) * share * factor;
        return [{ partition, kind: 'readUnits', units: used }];
      }
      const used = units(attributes, writeUnitBytes);
      const indexes = isWhole ? [...schema.indexes].filter(([, name]) => name in attributes) : [];
      return [
        { partition, kind: 'writeUnits', units: used * factor },
        ...indexes.map(
          ([index, name]): Use => ({
            partition: place(index, attributes[name]),
            kind: 'writeUnits',
            units: used,
          }),
        ),
      ];
    });
    return (await Promise.all(all)).flat();
  };

  return {
    /** Whether every partition that a call names has tokens left. */
    admits: async (operation: string, input: unknown, limits: PartitionLimits): Promise<boolean> =>
      (await usesOf(operation, input)).every((use) => bucket(use, limits).units > 0),
    pay: async (
      call: { readonly operation: string; readonly input: unknown; readonly body: string },
      limits: PartitionLimits,
    ): Promise<void> => {
      for (const use of await usesOf(call.operation, call.input, call.body)) {
        bucket(use, limits).units -= use.units;
      }
    },
  };
};
