/** The next time, in milliseconds since the Unix epoch, that is later than `after`; undefined when there is none. */
export type Recurrence = (after: number) => number | undefined;

const minuteMilliseconds = 60_000;
const unitMilliseconds: Readonly<Record<string, number>> = {
  minute: minuteMilliseconds,
  hour: 60 * minuteMilliseconds,
  day: 24 * 60 * minuteMilliseconds,
};

/** Reads `rate(…)`, `cron(…)` and `at(…)` as EventBridge does, in UTC. Throws on anything else. */
export const parseSchedule = (expression: string): Recurrence => {
  const [, kind, argument = ''] = /^(rate|cron|at)\((.+)\)$/.exec(expression) ?? [];
  switch (kind) {
    case 'rate':
      return rate(argument);
    case 'cron':
      return cron(argument);
    case 'at':
      return at(argument);
    default:
      throw new Error(`${expression} is not a schedule expression`);
  }
};

const rate = (argument: string): Recurrence => {
  const [, digits, unit = '', plural] = /^(\d+) (minute|hour|day)(s)?$/.exec(argument) ?? [];
  const count = Number(digits);
  const period = unitMilliseconds[unit];
  if (!(count > 0) || period === undefined || (count === 1) === (plural !== undefined)) {
    throw new Error(`rate(${argument}) is not a schedule expression`);
  }
  return (after) => after + count * period;
};

const at = (argument: string): Recurrence => {
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(argument) ? Date.parse(`${argument}Z`) : Number.NaN;
  if (Number.isNaN(time)) throw new Error(`at(${argument}) is not a schedule expression`);
  return (after) => (after < time ? time : undefined);
};

interface Range {
  readonly first: number;
  readonly last: number;
  readonly names?: readonly string[];
}

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const days = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const fieldRanges: readonly Range[] = [
  { first: 0, last: 59 },
  { first: 0, last: 23 },
  { first: 1, last: 31 },
  { first: 1, last: 12, names: months },
  { first: 1, last: 7, names: days },
  { first: 1970, last: 2199 },
];

/** A time further away than this never comes. */
const horizonMinutes = 5 * 366 * 24 * 60;

const cron = (argument: string): Recurrence => {
  const fields = argument.trim().split(/\s+/);
  const hasOneAnyDay = (fields[2] === '?') !== (fields[4] === '?');
  if (fields.length !== fieldRanges.length || !hasOneAnyDay) {
    throw new Error(`cron(${argument}) is not a schedule expression`);
  }
  const tests = fields.map((field, position) =>
    fieldTest(field, fieldRanges[position] ?? { first: 0, last: 0 }),
  );
  const matches = (date: Date): boolean =>
    [
      date.getUTCMinutes(),
      date.getUTCHours(),
      date.getUTCDate(),
      date.getUTCMonth() + 1,
      date.getUTCDay() + 1,
      date.getUTCFullYear(),
    ].every((value, position) => tests[position]?.(value));
  return (after) => {
    const start = Math.floor(after / minuteMilliseconds) + 1;
    for (let minute = start; minute < start + horizonMinutes; minute += 1) {
      if (matches(new Date(minute * minuteMilliseconds))) return minute * minuteMilliseconds;
    }
    return undefined;
  };
};

const fieldTest = (field: string, range: Range): ((value: number) => boolean) => {
  if (field === '*' || field === '?') return () => true;
  const tests = field.split(',').map((part) => partTest(part, range));
  return (value) => tests.some((test) => test(value));
};

/** A number, a name, a range of them or a step such as `0/15`; not `L`, `W` and `#`. */
const partTest = (part: string, { first, last, names = [] }: Range): ((value: number) => boolean) => {
  const [, from = '', to, step] = /^(\*|\w+)(?:-(\w+))?(?:\/(\d+))?$/.exec(part) ?? [];
  const numberOf = (text: string): number =>
    names.includes(text.toUpperCase()) ? names.indexOf(text.toUpperCase()) + first : Number(text);
  const begin = from === '*' ? first : numberOf(from);
  const end = to !== undefined ? numberOf(to) : step !== undefined || from === '*' ? last : begin;
  const every = step === undefined ? 1 : Number(step);
  if (!(begin >= first && end <= last && begin <= end && every > 0)) {
    throw new Error(`${part} is not understood in a cron expression`);
  }
  return (value) => value >= begin && value <= end && (value - begin) % every === 0;
};
