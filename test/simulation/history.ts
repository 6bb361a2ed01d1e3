import type { Process } from './process.ts';
import type { Scheduler } from './scheduler.ts';

/** What happened in a world, as lines that a person reads: time, process, call, answer. */
export interface History {
  readonly lines: readonly string[];
  say(who: string, what: string | (() => string)): void;
  call(
    process: Process,
    call: { readonly operation: string; readonly input: object; readonly answer: string },
  ): void;
}

const shortened = (text: string): string =>
  text.replaceAll(/0x[0-9a-f]{10,}/gi, (hex) => `${hex.slice(0, 8)}…`);

const keyText = (table: unknown, key: unknown): string => {
  const { pk, sk } = (key ?? {}) as { readonly pk?: unknown; readonly sk?: unknown };
  const sortKey = typeof sk === 'string' ? sk.replace(/^0+(?=\d)/, '') : undefined;
  return [table, pk, sortKey].filter((part) => part !== undefined).join(' ');
};

interface Described {
  readonly TableName?: string;
  readonly Key?: unknown;
  readonly Item?: unknown;
  readonly UpdateExpression?: string;
  readonly KeyConditionExpression?: string;
  readonly TransactItems?: readonly Readonly<Record<string, Described>>[];
}

const described = ({ TableName, Key, Item, UpdateExpression, TransactItems }: Described): string => {
  if (TransactItems !== undefined) {
    return TransactItems.flatMap((write) =>
      Object.entries(write).map(([action, input]) => `${action} ${described(input)}`),
    ).join('; ');
  }
  const change = UpdateExpression === undefined ? '' : ` ${UpdateExpression}`;
  return `${keyText(TableName, Key ?? Item)}${change}`;
};

/** `isKept`: whether lines are kept. Without them, a world runs faster. */
export const createHistory = (scheduler: Scheduler, isKept: boolean): History => {
  const lines: string[] = [];
  const startedAt = scheduler.now();
  const say: History['say'] = (who, what) => {
    if (!isKept) return;
    const seconds = ((scheduler.now() - startedAt) / 1_000).toFixed(3).padStart(9);
    lines.push(shortened(`${seconds}  ${who}: ${typeof what === 'string' ? what : what()}`));
  };
  return {
    lines,
    say,
    call: (process, { operation, input, answer }) => {
      if (!isKept) return;
      const task = process.task === process.name ? '' : ` (${process.task})`;
      say(`${process.name}${task}`, `${operation} ${described(input)} → ${answer}`);
    },
  };
};
