import type { DocumentClient } from '../../../shared/platform/store/client.ts';

const operations = {
  put: 'put',
  putOnce: 'put',
  update: 'update',
  updateOnce: 'update',
  delete: 'delete',
  batchWrite: 'batchWrite',
  transactWrite: 'transactWrite',
  transactWriteOnce: 'transactWrite',
} as const;

type Called = keyof typeof operations;
type Call = (input: unknown) => Promise<unknown>;

/** A write by a function of a release. It contains the logical names of tables. */
export interface ReleaseWrite {
  readonly operation: (typeof operations)[Called];
  readonly input: unknown;
}

/** The writes of the functions of a release. */
export interface Release {
  /** When the recording began, in milliseconds since the epoch. */
  readonly startedAt: number;
  readonly writes: readonly ReleaseWrite[];
}

/** The physical names of tables by their logical names. */
type Tables = Readonly<Record<string, string>>;

/** JSON that preserves bytes and sets. `releaseOf` is the inverse. */
export const releaseText = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => {
    if (each instanceof Uint8Array) return { $bytes: Buffer.from(each).toString('base64') };
    return each instanceof Set ? { $set: [...each] } : each;
  });

export const releaseOf = <Kept extends Release>(text: string): Kept =>
  JSON.parse(text, (_, each: unknown) => {
    if (typeof each !== 'object' || each === null) return each;
    if ('$bytes' in each) return Buffer.from(String(each.$bytes), 'base64');
    return '$set' in each ? new Set(each.$set as unknown[]) : each;
  });

/** A client that records all writes made through it. `tables` is called at each write. */
export const recordWrites = (
  client: DocumentClient,
  tables: () => Tables,
): { readonly documents: DocumentClient; readonly writes: readonly ReleaseWrite[] } => {
  const writes: ReleaseWrite[] = [];
  const nameTables = (text: string): string =>
    Object.entries(tables()).reduce(
      (named, [logical, physical]) => named.replaceAll(`"${physical}"`, `"${logical}"`),
      text,
    );
  const documents = { ...client };
  for (const [called, operation] of Object.entries(operations) as [Called, ReleaseWrite['operation']][]) {
    const call = client[called] as Call;
    const kept = async (input: unknown) => {
      const answer = await call(input);
      writes.push({ operation, input: JSON.parse(nameTables(releaseText(input))) });
      return answer;
    };
    Object.assign(documents, { [called]: kept });
  }
  return { documents, writes };
};

/** Moves writes from the time of a release to another time, and into other tables. */
interface Move {
  readonly from: number;
  readonly to: number;
  readonly tables?: Tables;
}

const hourMilliseconds = 60 * 60 * 1_000;
const dayMilliseconds = 24 * hourMilliseconds;

const time = /\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}/g;
const day = /\b20\d\d-\d\d-\d\d\b(?!T)/g;
const millisecondsOfKey = /^1\d{12}(?=#)/;
const hourOfKey = /(?<=^HOUR#.*#)\d+$/;

const movedText = (text: string, { from, to }: Move): string => {
  const begun = (unit: number): number => Math.floor(to / unit) - Math.floor(from / unit);
  return text
    .replace(time, (each) => new Date(Date.parse(`${each}Z`) + to - from).toISOString().slice(0, -1))
    .replace(day, (each) =>
      new Date(Date.parse(each) + begun(dayMilliseconds) * dayMilliseconds).toISOString().slice(0, 10),
    )
    .replace(millisecondsOfKey, (each) => String(Number(each) + to - from))
    .replace(hourOfKey, (each) => String(Number(each) + begun(hourMilliseconds)));
};

const movedNumber = (value: number, { from, to }: Move): number => {
  if (value > 1_600_000_000_000) return value + to - from;
  return value > 1_600_000_000 ? value + Math.ceil((to - from) / 1_000) : value;
};

/**
 * Shifts the times in a value that a release wrote (numbers of milliseconds or seconds, and texts) and replaces the
 * names of tables.
 */
export const moved = (value: unknown, move: Move): unknown => {
  const { tables = {} } = move;
  if (typeof value === 'string') return movedText(value, move);
  if (typeof value === 'number') return movedNumber(value, move);
  if (Array.isArray(value)) return value.map((each) => moved(each, move));
  if (value instanceof Set) return new Set([...value].map((each) => moved(each, move)));
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      if (name === 'TableName') return [name, tables[each]];
      if (name !== 'RequestItems') return [name, moved(each, move)];
      const batches = Object.entries(each).map(([table, items]) => [tables[table], moved(items, move)]);
      return [name, Object.fromEntries(batches)];
    }),
  );
};

/** Repeats a write of a release. */
export const play = async (
  client: DocumentClient,
  { operation, input }: ReleaseWrite,
  move: Move,
): Promise<void> => {
  const call = client[operation] as Call;
  await call(moved(input, move));
};
