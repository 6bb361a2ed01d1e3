import * as z from 'zod';
import type { Use } from './partition-limits.ts';
import type { PartitionUnits, Units } from './types.ts';

const consumed = z.object({ TableName: z.string(), CapacityUnits: z.number() });
const answered = z.object({
  ConsumedCapacity: z.union([consumed.transform((one) => [one]), z.array(consumed)]),
});

const isRead = (operation: string): boolean => /^(Get|Query|Scan|BatchGet|TransactGet)/.test(operation);

/** Counts the capacity units of answered calls, as the database reports them. */
export const unitCounter = () => {
  const counts: Record<string, Record<string, Units>> = {};
  const writes: Record<string, Record<string, number>> = {};
  return {
    /** Units by caller and table. The units of an index are added to those of its table. */
    counts,
    /** Write units, by table or index and by partition key value. */
    writes: writes as PartitionUnits,
    count: ({
      operation,
      caller,
      body,
      uses,
    }: {
      readonly operation: string;
      readonly caller: string;
      readonly body: string;
      readonly uses: readonly Use[];
    }): void => {
      const parsed = answered.safeParse(JSON.parse(body));
      for (const { TableName, CapacityUnits } of parsed.data?.ConsumedCapacity ?? []) {
        const tables = counts[caller] ?? {};
        const { read, write } = tables[TableName] ?? { read: 0, write: 0 };
        tables[TableName] = isRead(operation)
          ? { read: read + CapacityUnits, write }
          : { read, write: write + CapacityUnits };
        counts[caller] = tables;
      }
      for (const { place, key, kind, units } of uses) {
        if (kind !== 'writeUnits') continue;
        const keys = writes[place] ?? {};
        keys[key] = (keys[key] ?? 0) + units;
        writes[place] = keys;
      }
    },
  };
};
