/** Every write of an event, who made it, and the event that must result according to what everybody wrote. */
import { etagOf } from '../../../shared/ott/http/catalogue-operations.ts';
import type { Item } from '../expressions.ts';
import type { Store } from '../store.ts';
import {
  after,
  type Command,
  type EventRecord,
  isOverlapping,
  type KnownEvent,
  knownOf,
  type Span,
  type StoredRecord,
  statusesIn,
  storedStatus,
} from './known-events.ts';
import { explains, type Move, type PathHistory } from './path-histories.ts';
import { environment, type Run, taskIn } from './service.ts';

/** What an event is from a write on. */
export interface Version {
  readonly at: number;
  readonly event: KnownEvent | undefined;
  readonly stored: StoredRecord | undefined;
  /** As stored. 0 before the event was created for the first time. */
  readonly version: number;
  /** The command that has made it. `undefined`: the catalogue with which the world begins. */
  readonly task: string | undefined;
  /** Whether viewers may see it in other lists than before, though no entry of its schedule says so. */
  readonly isMoved: boolean;
  /** How its stream came to its place. */
  readonly move: Move | undefined;
  /** Whether a table has lost the event: nobody has deleted it. */
  readonly isLost?: boolean;
  /** Whether the event was brought back with the version of then. */
  readonly isRestored?: boolean;
}

interface LedgerOptions {
  readonly store: Store;
  readonly now: () => number;
  /** Calls `act` when all that happens at the moment has happened. */
  readonly soon: (act: () => void) => void;
  readonly runs: ReadonlyMap<string, Run>;
  readonly commandOf: (task: string) => { readonly command: Command; readonly etag?: string | undefined };
  readonly file: readonly EventRecord[];
  /** The task that writes without a token at the moment. @default the world begins */
  readonly taskWithoutToken: () => string | undefined;
  readonly pathHistory: PathHistory | undefined;
  readonly startsAt: number;
  /** Whether the clocks of processes differ. */
  readonly isApart: () => boolean;
  readonly onViolation: (what: string) => void;
}

/** The largest difference between a function's clock and the true time. */
const clockMilliseconds = 30_000;

const recordIn = (item: Item | undefined): StoredRecord | undefined =>
  item === undefined ? undefined : JSON.parse(String(item.event));
const etagIn = (item: Item | undefined): string | undefined =>
  item && etagOf(item as unknown as Parameters<typeof etagOf>[0]);

/** What decides, besides the status, in which lists an event is. */
const placeOf = ({ access, startsAt, block, schedule }: KnownEvent): string =>
  JSON.stringify([access, startsAt, block, schedule]);
const fieldsOf = ({ byHand, ...event }: KnownEvent): string => JSON.stringify(event);

const isMovedBy = ({
  event,
  before,
  span,
}: Readonly<Record<'event' | 'before', KnownEvent | undefined>> & { readonly span: Span }): boolean =>
  event === undefined ||
  before === undefined ||
  placeOf(event) !== placeOf(before) ||
  new Set([...statusesIn(event, span), ...statusesIn(before, span)]).size > 1;

export const createLedger = ({
  store,
  now,
  soon,
  runs,
  commandOf,
  file,
  taskWithoutToken,
  pathHistory,
  startsAt,
  isApart,
  onViolation,
}: LedgerOptions) => {
  const versions = new Map<string, Version[]>();
  const nothing: Version = {
    at: Number.NEGATIVE_INFINITY,
    event: undefined,
    stored: undefined,
    version: 0,
    task: undefined,
    isMoved: false,
    move: undefined,
  };
  const of = (id: string): readonly Version[] => versions.get(id) ?? [nothing];
  const last = (id: string): Version => of(id).at(-1) ?? nothing;

  /** A span of true time, by any clock. */
  const apart = ({ from, to }: Span): Span => {
    const leeway = isApart() ? clockMilliseconds : 0;
    return { from: from - leeway, to: to + leeway };
  };
  /**
   * When a status that was set by hand ends is decided by each writer, by its own clock. So such a status may end by as
   * much earlier or later.
   */
  const clockOf = (event: KnownEvent, { from, to }: Span, offset: number): Span =>
    event.byHand === undefined ? { from: from + offset, to: to + offset } : apart({ from, to });

  const checkImport = (
    id: string,
    { command, before }: { command: Command; before: KnownEvent | undefined },
  ) => {
    if (command.kind !== 'import' || before === undefined) return;
    const record = command.file.find((each) => each.event_id === id);
    const fromFile = record && knownOf(record);
    if (fromFile !== undefined && fieldsOf(fromFile) === fieldsOf(before))
      onViolation(`An import has changed ${id}, which is as the file says`);
  };

  const checkOverlaps = (id: string): void => {
    const { event, move } = last(id);
    for (const other of versions.keys()) {
      const { event: beside, move: otherMove } = last(other);
      if (other === id || event === undefined || beside === undefined || !isOverlapping(event, beside))
        continue;
      const moves = move && otherMove && ([move, otherMove] as const);
      if (moves && explains(pathHistory, moves, { startsAt, isApart: isApart() })) continue;
      onViolation(`${id} and ${other} are stored with paths that overlap`);
    }
  };

  store.watch(({ table, before: old, after: fresh, token }) => {
    const pk = String((fresh ?? old)?.pk);
    if (table !== environment.EVENTS_TABLE || !pk.startsWith('EVENT#')) return;
    const id = pk.slice('EVENT#'.length);
    const task = taskIn(token) ?? taskWithoutToken();
    const { command, etag } =
      task === undefined ? { command: { kind: 'import', file } as const } : commandOf(task);
    const run = task === undefined ? undefined : runs.get(task);
    const offset = run?.offset ?? 0;
    const span = { from: run?.startedAt ?? now(), to: now() };
    const clock = { from: span.from + offset, to: span.to + offset };
    const stored = recordIn(fresh);
    const { event: before, move } = last(id);
    const event = after(command, { id, before, stored, clock });
    const known = of(id);
    versions.set(id, [
      ...known,
      {
        at: now(),
        event,
        stored,
        version: fresh === undefined ? Number(old?.version) + 1 : Number(fresh.version),
        task,
        isMoved: event !== before && isMovedBy({ event, before, span }),
        isRestored: command.kind === 'restore',
        move:
          event?.folder === before?.folder
            ? move
            : {
                at: now(),
                since: span.from,
                isSigned: run?.signing !== 'none',
                isRestored: command.kind === 'restore',
              },
      },
    ]);

    checkImport(id, { command, before });
    // Of a transaction, all events are written at this moment.
    soon(() => checkOverlaps(id));
    if (old && fresh && (old.event === fresh.event) !== (old.version === fresh.version))
      onViolation(`${task} has stored ${id} as version ${fresh.version} after ${old.version}`);
    if (etag !== undefined && (etagIn(old) ?? 'none') !== etag)
      onViolation(`${task} has overwritten another change of ${id} than it had read`);
    if (command.kind === 'delete' && before !== undefined) {
      const statuses = statusesIn(before, clockOf(before, span, offset));
      if (statuses.size === 1 && statuses.has('LIVE'))
        onViolation(`${task} has deleted ${id} while it is LIVE`);
    }
    // What was restored may be late until the scheduled function finds it.
    if (event === undefined || stored === undefined || command.kind === 'restore') return;
    const statuses = statusesIn(event, clockOf(event, span, offset));
    if (!statuses.has(storedStatus(stored)))
      onViolation(
        `${task} has stored ${id} as ${storedStatus(stored)}, and it is ${[...statuses].join(' or ')}`,
      );
  });

  return {
    of,
    last,
    ids: (): readonly string[] => [...versions.keys()],
    /** A table has lost these events. */
    lose: (lost: (id: string) => boolean): void => {
      for (const [id, known] of versions)
        if (lost(id) && last(id).event !== undefined)
          versions.set(id, [...known, { ...nothing, at: now(), isMoved: true, isLost: true }]);
    },
    apart,
    isApart,
    clockOf,
    /** What an event was at any moment of a span of true time. */
    between: (id: string, { from, to }: Span): readonly Version[] => {
      const all = of(id);
      return all.filter(
        ({ at }, index) => at <= to && (all[index + 1]?.at ?? Number.POSITIVE_INFINITY) > from,
      );
    },
    /** Whether the task, or another try of it, has made a version. */
    hasWritten: (name: string): boolean =>
      [...versions.values()].some((all) => all.some(({ task }) => task?.startsWith(`${name},`))),
  };
};
export type Ledger = ReturnType<typeof createLedger>;
