import * as z from 'zod';

/** ISO 8601 in UTC with microseconds and without a time zone suffix, as in docs/interface.md#notification. */
export const dateTimeSchema = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/);

const format = (microseconds: bigint): string => {
  const upToMilliseconds = new Date(Number(microseconds / 1_000n)).toISOString().slice(0, -1);
  return `${upToMilliseconds}${String(microseconds % 1_000n).padStart(3, '0')}`;
};

/**
 * A time to the second, whose fraction is this number: of times in the same second, the one with the larger number is
 * later.
 */
export const orderedTime = ({
  seconds,
  order,
}: {
  readonly seconds: number;
  readonly order: number;
}): string => format(BigInt(seconds) * 1_000_000n + BigInt(order % 1_000_000));

/** Milliseconds since the epoch, rounded down. */
export const millisecondsOf = (dateTime: string): number => Date.parse(`${dateTime.slice(0, 23)}Z`);

const parse = (dateTime: string): bigint =>
  BigInt(millisecondsOf(dateTime)) * 1_000n + BigInt(dateTime.slice(23));

/**
 * The time of a change: now, or one microsecond after the same user's previous change if that is later. So a user's
 * changes have distinct times in the right order, even within one clock tick or on machines whose clocks differ.
 * @param milliseconds The present time in milliseconds since the epoch; may have a fraction.
 */
export const changeTime = ({
  milliseconds,
  previous,
}: {
  readonly milliseconds: number;
  readonly previous?: string | undefined;
}): string => {
  const now = BigInt(Math.floor(milliseconds * 1_000));
  if (previous === undefined) return format(now);
  const next = parse(previous) + 1n;
  return format(next > now ? next : now);
};
