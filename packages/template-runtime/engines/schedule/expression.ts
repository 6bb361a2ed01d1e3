/** Returns a rule's next due time after the time `after`, in milliseconds. */
export type Recurrence = (after: number) => number;

const minuteMilliseconds = 60_000;
const unitMilliseconds: Readonly<Record<string, number>> = {
  minute: minuteMilliseconds,
  hour: 60 * minuteMilliseconds,
  day: 24 * 60 * minuteMilliseconds,
};

/** Parses a `rate(…)` expression as EventBridge does. Throws on any other expression. */
export const parseSchedule = (expression: string): Recurrence => {
  const [, digits, unit = '', plural] = /^rate\((\d+) (minute|hour|day)(s)?\)$/.exec(expression) ?? [];
  const count = Number(digits);
  const period = unitMilliseconds[unit];
  if (!(count > 0) || period === undefined || (count === 1) === (plural !== undefined)) {
    throw new Error(`the local runtime does not support ${expression}, only rate(…)`);
  }
  return (after) => after + count * period;
};
