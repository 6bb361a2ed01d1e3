import * as z from 'zod';
import type { DatabaseAnswer, Units } from './types.ts';

const consumed = z.object({ TableName: z.string(), CapacityUnits: z.number() });
const answered = z.object({
  ConsumedCapacity: z.union([consumed.transform((one) => [one]), z.array(consumed)]),
});

const isRead = (operation: string): boolean => /^(Get|Query|Scan|BatchGet|TransactGet)/.test(operation);

/** Capacity units of the calls that are answered, as the database itself counts them: by caller and table, indexes too. */
export const unitCounter = () => {
  const counts: Record<string, Record<string, Units>> = {};
  return {
    counts,
    counting:
      (
        { operation, caller }: { readonly operation: string; readonly caller: string },
        forward: (input: unknown) => Promise<DatabaseAnswer>,
      ) =>
      async (input: unknown): Promise<DatabaseAnswer> => {
        const answer = await forward({ ...(input as object), ReturnConsumedCapacity: 'TOTAL' });
        const parsed = answered.safeParse(JSON.parse(Buffer.from(answer.body).toString('utf8')));
        if (!parsed.success) return answer;
        for (const { TableName, CapacityUnits } of parsed.data.ConsumedCapacity) {
          const tables = counts[caller] ?? {};
          const { read, write } = tables[TableName] ?? { read: 0, write: 0 };
          tables[TableName] = isRead(operation)
            ? { read: read + CapacityUnits, write }
            : { read, write: write + CapacityUnits };
          counts[caller] = tables;
        }
        return answer;
      },
  };
};
