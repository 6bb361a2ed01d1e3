import * as z from 'zod';
import type { Table } from '../../platform/store/client.ts';
import {
  type Item,
  ifMissing,
  keep,
  putMissing,
  type RestorableTable,
  type RestoringWrite,
  write,
} from '../../platform/store/restored-items.ts';
import type { Undecided } from '../restored/undecided.ts';
import { type Entry, isKnownEntry, type Told } from '../transactions/entry.ts';
import { collecting } from './restored-undecided.ts';
import { parseEntry } from './transaction-items.ts';

/**
 * Restores entries of the log, also in place of the noops that have filled their nonces. Those with an outcome keep it,
 * so the log's stream notifies no customer again. Pending ones are also collected in `undecided`.
 */
export const restoredTransactions = (
  { tableName }: Table,
  {
    undecided,
    toldAbout,
  }: {
    readonly undecided: Undecided;
    /** What customers were told about the work of a pending entry since it was signed. */
    readonly toldAbout: (entry: Entry) => Promise<readonly Told[]>;
  },
): RestorableTable => ({
  keys: ['pk', 'sk'],
  kinds: [
    {
      name: 'transaction that was pending',
      matches: ({ status }) => status === 'pending',
      decide: collecting(undecided, async (restored, live) => {
        const entry = parseEntry(restored);
        if (!isKnownEntry(entry)) return { becomes: await ifMissing(tableName)(restored, live) };
        const pending = { entries: [entry] };
        if (live !== undefined && !mayReplace(live, restored)) return { becomes: keep, undecided: pending };
        const told = await toldAbout(entry);
        const item = {
          ...restored,
          reopened: (entry.reopened ?? 0) + 1,
          ...(told.length > 0 && { told }),
        };
        const put = live === undefined ? putMissing(tableName, item) : putOverNoop(tableName, { live, item });
        return { becomes: write(put), undecided: pending };
      }),
    },
    {
      name: 'transaction',
      matches: ({ status }) => typeof status === 'string',
      decide: (restored, live) => {
        if (live === undefined) return write(putMissing(tableName, restored));
        return mayReplace(live, restored) ? write(putOverNoop(tableName, { live, item: restored })) : keep;
      },
    },
  ],
});

/**
 * A waiter has filled the nonce of a lost entry with a noop. Whichever of the two is mined, the waiter decides the
 * entry.
 */
const mayReplace = (live: Item, restored: Item): boolean => isKindNoop(live) && !isKindNoop(restored);

const attemptsSchema = z.object({ attempts: z.tuple([z.object({ hash: z.string() })], z.unknown()) });

const putOverNoop = (
  TableName: string,
  { live, item }: { readonly live: Item; readonly item: Item },
): RestoringWrite => ({
  Put: {
    TableName,
    Item: item,
    ConditionExpression: 'purpose.kind = :noop AND attempts[0].#hash = :hash',
    ExpressionAttributeNames: { '#hash': 'hash' },
    ExpressionAttributeValues: {
      ':noop': 'noop',
      ':hash': attemptsSchema.parse(live).attempts[0].hash,
    },
  },
});

const isKindNoop = ({ purpose }: Item): boolean =>
  z.object({ kind: z.literal('noop') }).safeParse(purpose).success;
