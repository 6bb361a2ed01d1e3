import type { Process } from './process.ts';
import type { Scheduler } from './scheduler.ts';

/** What happened in a world, as lines that a person reads: time, process, call, answer. */
export interface History {
  readonly lines: readonly string[];
  say(who: string, what: string | (() => string)): void;
  /**
   * Adds a line about something that changes nothing, such as a read that was answered. A short history leaves it out.
   */
  sayOfRead(who: string, what: string | (() => string)): void;
  call(
    process: Process,
    call: { readonly operation: string; readonly input: object; readonly answer: string },
  ): void;
}

const shortened = (text: string): string =>
  text.replaceAll(/(0x)?[0-9a-f]{30,}/gi, (hex) => `${hex.slice(0, 8)}…`);

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

/** Which lines of the history are kept. A world that keeps none runs faster. */
export type Kept = 'nothing' | 'changes' | 'everything';

const reads = new Set(['get', 'query', 'scan', 'batchGet']);

export const createHistory = (scheduler: Scheduler, kept: Kept): History => {
  const lines: string[] = [];
  const startedAt = scheduler.now();
  const say: History['say'] = (who, what) => {
    if (kept === 'nothing') return;
    const seconds = ((scheduler.now() - startedAt) / 1_000).toFixed(3).padStart(9);
    lines.push(shortened(`${seconds}  ${who}: ${typeof what === 'string' ? what : what()}`));
  };
  const sayOfRead: History['say'] = (who, what) => {
    if (kept === 'everything') say(who, what);
  };
  return {
    lines,
    say,
    sayOfRead,
    call: (process, { operation, input, answer }) => {
      if (kept === 'nothing') return;
      const tell = reads.has(operation) && answer === 'ok' ? sayOfRead : say;
      const task = process.task === process.name ? '' : ` (${process.task})`;
      tell(`${process.name}${task}`, `${operation} ${described(input)} → ${answer}`);
    },
  };
};
