/**
 * What the events of the catalogue are, judged from what editors, the operator and the file said, by the rules of
 * docs/events.md: the marks that the service stores with an event are not believed.
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
  readonly stream: { readonly type: 'hls'; readonly url: string; readonly geoblocking?: Rule | null };
  readonly schedule?: readonly { readonly at: string; readonly status: EventStatus }[] | null;
  readonly status_in_file?: EventStatus;
  readonly status_set_at?: string;
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
  | { readonly kind: 'schedule' };

/** True times, or those of a clock: from the first to the last moment at which something can have happened. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const blockOf = (rule: Rule | null | undefined): Block | undefined =>
  rule ? { countries: rule.countries, statuses: rule.statuses } : undefined;

const folderOf = (url: string): string => url.slice(0, url.lastIndexOf('/') + 1);

/** Without a schedule, a status that is that of the file is not one that was set by hand. */
const asKnown = (event: KnownEvent): KnownEvent =>
  event.schedule.length > 0
    ? event
    : {
        ...event,
        byHand:
          event.byHand === undefined || event.byHand.status === event.status
            ? undefined
            : { ...event.byHand, at: Number.NEGATIVE_INFINITY },
      };

export const knownOf = (record: EventRecord): KnownEvent => {
  const { status, status_in_file: inFile, status_set_at: setAt } = record;
  const schedule = (record.schedule ?? []).map((entry) => ({ ...entry, at: Date.parse(entry.at) }));
  // A takedown stays one, also if the entry of the schedule that has made it is taken away.
  const isTakenDown = status === 'CANCELLED' && schedule.every((entry) => entry.status !== 'CANCELLED');
  const isByHand =
    schedule.length > 0 && !isTakenDown ? setAt !== undefined : (setAt ?? inFile) !== undefined;
  return asKnown({
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
  });
};

/** The moments of a span from which on the event may have another status than before. */
export const momentsIn = ({ schedule }: StatusSource, { from, to }: Span): readonly number[] => [
  from,
  ...schedule.map(({ at }) => at).filter((at) => at > from && at <= to),
];

export const statusesIn = (event: KnownEvent, span: Span): ReadonlySet<EventStatus> =>
  new Set(momentsIn(event, span).map((at) => statusAt(event, at)));

export const isOverlapping = (one: KnownEvent, other: KnownEvent): boolean =>
  one.folder.startsWith(other.folder) || other.folder.startsWith(one.folder);

const isEnded = ({ schedule, byHand }: StatusSource, at: number): boolean =>
  byHand !== undefined &&
  byHand.status !== 'CANCELLED' &&
  schedule.some((entry) => entry.at > byHand.at && entry.at <= at);

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** What the file makes of an event. A status that was set by hand stays until its next entry, or until the file's changes. */
const imported = (
  before: KnownEvent,
  { file, stored, clock }: { readonly file: KnownEvent; readonly stored: KnownEvent; readonly clock: Span },
): KnownEvent => {
  const { byHand } = before;
  if (byHand === undefined || before.status !== file.status) return file;
  const kept = asKnown({
    ...file,
    byHand: Number.isFinite(byHand.at) ? byHand : { ...byHand, at: stored.byHand?.at ?? byHand.at },
  });
  if (isSame(file.schedule, before.schedule)) return kept;
  const [first, last] = [isEnded(before, clock.from), isEnded(before, clock.to)];
  // With another schedule, a status that has ended is not told from one that never was.
  if (first !== last || (first && file.status === 'CANCELLED')) return stored;
  return first ? file : kept;
};

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
    readonly stored: EventRecord | undefined;
    readonly clock: Span;
  },
): KnownEvent | undefined => {
  if (stored === undefined) return undefined;
  const { byHand, ...known } = knownOf(stored);
  switch (command.kind) {
    case 'put':
      return knownOf(command.record);
    case 'status':
      return (
        before && asKnown({ ...before, byHand: { status: command.status, at: byHand?.at ?? clock.from } })
      );
    case 'import': {
      const record = command.file.find((each) => each.event_id === id);
      const file = record && knownOf(record);
      // Of a row whose path is refused, only what blocks is taken.
      if (file === undefined || file.title !== known.title) return knownOf(stored);
      return before === undefined ? file : imported(before, { file, stored: knownOf(stored), clock });
    }
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
