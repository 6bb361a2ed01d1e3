import { isDeepStrictEqual } from 'node:util';
import { countedFromOne } from '../../platform/parsing/mistake-sentences.ts';
import { effective } from '../events/effective.ts';
import type { Event } from '../events/event.ts';
import type { EventStatus } from '../events/event-kinds.ts';
import { eventRecord, isSameEvent } from '../events/event-record.ts';
import { withStoredHand } from '../events/marks.ts';
import type { StoredEvent } from '../ports/catalogue.ts';
import { type CompletedRow, completedRow } from './completed-row.ts';
import { changedFields, type FieldChange } from './field-changes.ts';
import type { FileRow } from './file-row.ts';
import { overlapText } from './overlapping-pairs.ts';
import type { Decided, JudgedPut, PutOutcome } from './put-events.ts';
import { isLiveOpening, loosenedRestrictions } from './restrictions.ts';

/**
 * An end that an operator has moved, and that stays although the file has another one. An end can be that of a
 * schedule.
 */
export type KeptEnd =
  | {
      /** The name of the field in import files. */
      readonly field: 'ends_at' | 'stream.available_until';
      readonly stored: string;
      readonly file: string;
    }
  | {
      readonly field: 'schedule';
      readonly stored: NonNullable<Event['schedule']>;
      readonly file: NonNullable<Event['schedule']>;
    };

/** The outcome of an import for one event. `line` is `undefined` for an event that is not in the file. */
export interface ImportRow {
  readonly line: number | undefined;
  readonly id: string | undefined;
  /**
   * After `failed`, the stored event is unchanged, and after `refused` except for a block, which `fields` then lists.
   * Only a failed event is worth importing again.
   */
  readonly outcome: 'created' | 'changed' | 'unchanged' | 'deleted' | 'refused' | 'failed';
  readonly fields: readonly FieldChange[];
  /** Present if the event keeps a status that was set by hand and that differs from the file's status. */
  readonly keptStatus?: { readonly stored: EventStatus; readonly file: EventStatus } | undefined;
  /** The ends that an operator has extended, and that the event keeps. @default none */
  readonly keptEnds?: readonly KeptEnd[] | undefined;
  /** The fields whose change lets more viewers play the event, or for longer. @default none */
  readonly loosens?: readonly string[] | undefined;
  /** Whether the event is LIVE, so that the loosened restrictions take effect in the middle of it. @default false */
  readonly opensLive?: boolean | undefined;
  readonly reasons: readonly string[];
}

/** One array for all of the many rows that have nothing to say. */
const nothing: readonly never[] = [];

export interface RowRules {
  /** Whether the status in the file also overwrites a status that was set by hand. */
  readonly overwriteStatus: boolean;
}

export const refused = (
  { line, id }: Pick<ImportRow, 'line' | 'id'>,
  reasons: readonly string[],
): ImportRow => ({ line, id, outcome: 'refused', fields: nothing, reasons });

/**
 * What a row of a file makes of a stored event: completed with it, and with the hand over what the row does not change.
 */
export const decideRow = (
  row: FileRow,
  stored: StoredEvent | undefined,
  { overwriteStatus, now }: RowRules & { readonly now: number },
): Decided<ImportRow> => {
  const completed = completedRow(row, stored?.event, now);
  if ('mistakes' in completed) return { told: refused(row, completed.mistakes) };
  return decideCompleted(row, completed, { stored, overwriteStatus, now });
};

/** As `decideRow`, for a row that is complete. */
export const decideCompleted = (
  { line }: Pick<ImportRow, 'line'>,
  { event, hasStatus }: Extract<CompletedRow, { readonly event: unknown }>,
  {
    stored,
    overwriteStatus,
    now,
  }: RowRules & { readonly now: number; readonly stored: StoredEvent | undefined },
): Decided<ImportRow> => {
  const { id } = event;
  if (stored === undefined)
    return {
      told: { line, id, outcome: 'created', fields: nothing, reasons: nothing },
      change: { after: event },
    };
  const kept = withStoredHand(event, stored.event, { overwriteStatus: overwriteStatus && hasStatus });
  const row = { line, id, ...keptBy(kept, event, now), reasons: nothing };
  if (isSameEvent(stored.event, kept)) return { told: { ...row, outcome: 'unchanged', fields: nothing } };
  const [before, after] = [effective(stored.event, now), effective(kept, now)];
  const loosens = loosenedRestrictions(before, after);
  return {
    told: {
      ...row,
      outcome: 'changed',
      fields: changedFields(eventRecord(stored.event, now), eventRecord(kept, now)),
      ...(loosens.length > 0 && { loosens, opensLive: isLiveOpening(before, after) }),
    },
    change: { before: stored, after: kept },
  };
};

/** What an event keeps by its stored hand, and what it would have as the file has it. */
const keptBy = (event: Event, file: Event, now: number): Pick<ImportRow, 'keptStatus' | 'keptEnds'> => {
  if (Object.values(event.hand).every((value) => value === undefined)) return { keptStatus: undefined };
  const [kept, inFile] = [effective(event, now), effective(file, now)];
  const { stream, schedule } = kept;
  const [until, given] = [stream?.availableUntil, file.stream?.availableUntil];
  const keptEnds: KeptEnd[] = [
    ...(kept.endsAt !== null && file.endsAt !== null && kept.endsAt !== inFile.endsAt
      ? [{ field: 'ends_at' as const, stored: kept.endsAt, file: file.endsAt }]
      : []),
    ...(until !== undefined && given !== undefined && until !== inFile.stream?.availableUntil
      ? [{ field: 'stream.available_until' as const, stored: until, file: given }]
      : []),
    ...(schedule && file.schedule && !isDeepStrictEqual(schedule, inFile.schedule)
      ? [{ field: 'schedule' as const, stored: schedule, file: file.schedule }]
      : []),
  ];
  return {
    keptStatus: kept.status === inFile.status ? undefined : { stored: kept.status, file: inFile.status },
    ...(keptEnds.length > 0 && { keptEnds }),
  };
};

/** An event that a later release has stored in a way that this one cannot read looks new until it is written. */
const conflictText =
  'others keep changing this event at the same time, or a later release has stored it; try again with the latest release';

/** The row of an event with what became of it. */
export const rowOf = (each: JudgedPut<ImportRow> | PutOutcome<ImportRow>): ImportRow => {
  switch (each.outcome) {
    case 'none':
    case 'allowed':
    case 'written':
      return each.told;
    case 'refused':
      return refused(each.told, each.mistakes.map(countedFromOne));
    case 'overlapping':
      return refused(each.told, each.overlaps.map(overlapText));
    case 'failed':
      return failed(each.told, each.reason);
    case 'conflict':
    case 'paths-changed':
      return failed(each.told, conflictText);
  }
};

/** A refused row is written only for its restrictions. */
export const failed = (row: ImportRow, reason: string): ImportRow =>
  row.outcome === 'refused'
    ? {
        ...row,
        outcome: 'failed',
        fields: [],
        reasons: [...row.reasons, `its block was not taken: ${reason}`],
      }
    : { ...row, outcome: 'failed', reasons: [reason] };

/** Refuses an event whose id an earlier line has used, unless that line was refused. */
export const withoutRepetition = (row: ImportRow, firstLines: Map<string, number>): ImportRow => {
  if (row.id === undefined || row.line === undefined || row.outcome === 'refused') return row;
  const first = firstLines.get(row.id);
  if (first !== undefined) return refused(row, [`event_id: is already used by the event on line ${first}`]);
  firstLines.set(row.id, row.line);
  return row;
};
