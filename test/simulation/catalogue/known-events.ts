/**
 * What the events of the catalogue are, judged from what editors, the operator and the file said, by the rules of
 * docs/events.md: of what the service stores, only the time of a status that was set by hand is believed.
 */
import type { EventStatus, StatusSource } from '../../support/ott/oracle.ts';
import { statusAt } from '../../support/ott/oracle.ts';
import type { Block, ScheduledCase } from '../../support/ott/scheduled-oracle.ts';

interface Rule {
  readonly enabled: true;
  readonly mode: 'block';
  readonly countries: readonly string[];
  readonly statuses: readonly EventStatus[];
}

/** An event as files and editors of these worlds send it. */
export interface EventRecord {
  readonly event_id: string;
  readonly title: string;
  readonly status: EventStatus;
  readonly access: 'free' | 'paid';
  readonly starts_at: string;
  readonly geoblocking?: Rule | null;
  readonly stream: {
    readonly type: 'hls';
    readonly url: string;
    readonly available_from?: string;
    readonly geoblocking?: Rule | null;
  };
  readonly schedule?: readonly { readonly at: string; readonly status: EventStatus }[] | null;
  readonly status_in_file?: EventStatus;
  readonly status_set_at?: string;
}

/** An event as the service stores it: what was given, and the hand beside it. */
export interface StoredRecord extends EventRecord {
  readonly hand?: { readonly status?: { readonly value: EventStatus; readonly at: string } };
  /** The status at the time of the write. @default the given one */
  readonly present_status?: EventStatus;
}

export const ruleOf = (block: Block | undefined): Rule | null =>
  block === undefined ? null : { enabled: true, mode: 'block', ...block };

export interface KnownEvent extends StatusSource {
  readonly access: 'free' | 'paid';
  readonly title: string;
  readonly startsAt: number;
  /** The event's own rule, and that of its stream. */
  readonly block: Block | undefined;
  readonly streamBlock: Block | undefined;
  /** The folder of the stream, which its cookies open, with everything below. */
  readonly folder: string;
}

/** What somebody wants of the catalogue. */
export type Command =
  | { readonly kind: 'put'; readonly record: EventRecord }
  | { readonly kind: 'status'; readonly status: EventStatus }
  | { readonly kind: 'delete' }
  | { readonly kind: 'import'; readonly file: readonly EventRecord[] }
  /** Brings events back as they were. */
  | { readonly kind: 'restore'; readonly events: ReadonlyMap<string, KnownEvent> }
  | { readonly kind: 'schedule' };

/** True times, or those of a clock: from the first to the last moment at which something can have happened. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const blockOf = (rule: Rule | null | undefined): Block | undefined =>
  rule ? { countries: rule.countries, statuses: rule.statuses } : undefined;

export const folderOf = (url: string): string => url.slice(0, url.lastIndexOf('/') + 1);

export const knownOf = (record: EventRecord): KnownEvent => {
  const { status, status_in_file: inFile, status_set_at: setAt } = record;
  const schedule = (record.schedule ?? []).map((entry) => ({ ...entry, at: Date.parse(entry.at) }));
  // A takedown stays one, also if the entry of the schedule that has made it is taken away.
  const isTakenDown = status === 'CANCELLED' && schedule.every((entry) => entry.status !== 'CANCELLED');
  const isByHand =
    schedule.length > 0 && !isTakenDown ? setAt !== undefined : (setAt ?? inFile) !== undefined;
  return {
    status: inFile ?? status,
    schedule,
    byHand: isByHand
      ? { status, at: setAt === undefined ? Number.NEGATIVE_INFINITY : Date.parse(setAt) }
      : undefined,
    access: record.access,
    title: record.title,
    startsAt: Date.parse(record.starts_at),
    block: blockOf(record.geoblocking),
    streamBlock: blockOf(record.stream.geoblocking),
    folder: folderOf(record.stream.url),
  };
};

export const storedStatus = ({ present_status: present, status }: StoredRecord): EventStatus =>
  present ?? status;

export const storedEvent = (record: StoredRecord): KnownEvent => {
  const { status } = record.hand ?? {};
  const byHand = status && { status: status.value, at: Date.parse(status.at) };
  return { ...knownOf(record), byHand };
};

/** The moments of a span from which on the event may have another status than before. */
export const momentsIn = ({ schedule }: StatusSource, { from, to }: Span): readonly number[] => [
  from,
  ...schedule.map(({ at }) => at).filter((at) => at > from && at <= to),
];

export const statusesIn = (event: KnownEvent, span: Span): ReadonlySet<EventStatus> =>
  new Set(momentsIn(event, span).map((at) => statusAt(event, at)));

type Place = Pick<KnownEvent, 'folder'>;

/** Whether a signature for the stream would open everything on its host. So there must be none. */
export const isRoot = ({ folder }: Place): boolean => new URL(folder).pathname === '/';

/** Whether a signature for one stream opens the other. */
export const opens = (one: Place, other: Place): boolean =>
  !isRoot(one) && other.folder.startsWith(one.folder);

export const isOverlapping = (one: Place, other: Place): boolean => opens(one, other) || opens(other, one);

/** What the file makes of an event. A status that was set by hand stays until the file's changes. */
const imported = (before: KnownEvent, file: KnownEvent): KnownEvent => {
  const { byHand } = before;
  if (byHand === undefined || before.status !== file.status) return file;
  return { ...file, byHand };
};

/** Of an event without a schedule, a record does not say when the status was set by hand. */
const withTime = (event: KnownEvent, stored: KnownEvent['byHand']): KnownEvent =>
  event.byHand === undefined || Number.isFinite(event.byHand.at) || stored === undefined
    ? event
    : { ...event, byHand: { ...event.byHand, at: stored.at } };

/** What an event is after a command, which was judged at a moment of this span of the writer's clock. */
export const after = (
  command: Command,
  {
    id,
    before,
    stored,
    clock,
  }: {
    readonly id: string;
    readonly before: KnownEvent | undefined;
    /** What was stored. It says when a status was set by hand. */
    readonly stored: StoredRecord | undefined;
    readonly clock: Span;
  },
): KnownEvent | undefined => {
  if (stored === undefined) return undefined;
  const { byHand, ...known } = storedEvent(stored);
  switch (command.kind) {
    case 'put':
      return withTime(knownOf(command.record), byHand);
    case 'status':
      return before && { ...before, byHand: { status: command.status, at: byHand?.at ?? clock.from } };
    case 'import': {
      const record = command.file.find((each) => each.event_id === id);
      const file = record && knownOf(record);
      // Of a row whose path is refused, only what blocks is taken.
      if (file === undefined || file.title !== known.title) return storedEvent(stored);
      return before === undefined ? file : imported(before, file);
    }
    case 'restore':
      return command.events.get(id);
    case 'delete':
    case 'schedule':
      return before;
  }
};

/** The event as a case of the decision table. */
export const caseOf = (
  { streamBlock, ...event }: KnownEvent,
  { viewer, client }: Pick<ScheduledCase, 'viewer' | 'client'>,
): ScheduledCase => ({ viewer, client, event, streamBlock });
