import { isDeepStrictEqual } from 'node:util';
import type { Address } from '../../../shared/chain/hex.ts';
import { eventMistakes } from '../../../shared/ott/catalogue/event-mistakes.ts';
import { changedFields, type FieldChange } from '../../../shared/ott/catalogue/field-changes.ts';
import { isLiveOpening, loosenedRestrictions } from '../../../shared/ott/catalogue/restrictions.ts';
import { effective } from '../../../shared/ott/events/effective.ts';
import type { Event, PresentEvent } from '../../../shared/ott/events/event.ts';
import type { EventStatus } from '../../../shared/ott/events/event-kinds.ts';
import { eventRecord, isSameEvent } from '../../../shared/ott/events/event-record.ts';
import { withStoredHand } from '../../../shared/ott/events/marks.ts';
import type { EventChange, StoredEvent } from '../../../shared/ott/ports/catalogue.ts';
import type { Signing } from '../../../shared/ott/streams/signed-path.ts';
import { countedFromOne } from '../../platform/terminal/read-file.ts';
import type { CompletedEvent } from './complete-event.ts';
import { scheduleText } from './event-cells.ts';
import type { ImportEntry } from './import-entry.ts';

export interface ImportRules {
  /** How the stage signs streams. Some streams and tickets are valid for one way of signing only. */
  readonly signing: Signing;
  /** Whether the status in the file also overwrites a status that was set by hand. */
  readonly overwriteStatus: boolean;
  /** Epoch milliseconds. Schedules decide the status at this time. */
  readonly now: number;
}

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

/** A row and the change to write. `change` is absent if there is nothing to write. */
export interface PlannedRow extends ImportRow {
  readonly change?: EventChange | undefined;
}

/** An end that an operator has moved, and that stays although the file has another one. An end can be that of a schedule. */
export interface KeptEnd {
  /** The name of the field in import files. */
  readonly field: 'ends_at' | 'stream.available_until' | 'schedule';
  readonly stored: string;
  readonly file: string;
}

/** The outcome for a valid event of a file. What the hand has set over a given value stays until that value changes. */
export const planEvent = (
  { line, event, hasStatus }: { readonly line: number; readonly event: Event; readonly hasStatus: boolean },
  {
    stored,
    overwriteStatus,
    now,
  }: Pick<ImportRules, 'overwriteStatus' | 'now'> & { readonly stored: StoredEvent | undefined },
): PlannedRow => {
  if (stored === undefined)
    return { line, id: event.id, outcome: 'created', fields: [], reasons: [], change: { after: event } };
  const change = {
    before: stored,
    after: withStoredHand(event, stored.event, { overwriteStatus: overwriteStatus && hasStatus }),
  };
  const row = { line, id: event.id, ...keptBy(effective(change.after, now), event, now), reasons: [] };
  if (isSameEvent(stored.event, change.after)) return { ...row, outcome: 'unchanged', fields: [] };
  const fields = changedFields(eventRecord(stored.event, now), eventRecord(change.after, now));
  const [before, after] = [effective(stored.event, now), effective(change.after, now)];
  const loosens = loosenedRestrictions(before, after);
  return {
    ...row,
    outcome: 'changed',
    fields,
    ...(loosens.length > 0 && { loosens, opensLive: isLiveOpening(before, after) }),
    change,
  };
};

/** What an event keeps by its stored hand, and what it would have as the file has it. */
const keptBy = (kept: PresentEvent, file: Event, now: number): Pick<ImportRow, 'keptStatus' | 'keptEnds'> => {
  const inFile = effective(file, now);
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
      ? [{ field: 'schedule' as const, stored: scheduleText(schedule), file: scheduleText(file.schedule) }]
      : []),
  ];
  return {
    keptStatus: kept.status === inFile.status ? undefined : { stored: kept.status, file: inFile.status },
    ...(keptEnds.length > 0 && { keptEnds }),
  };
};

export const refused = (
  { line, id }: Pick<ImportRow, 'line' | 'id'>,
  reasons: readonly string[],
): ImportRow => ({
  line,
  id,
  outcome: 'refused',
  fields: [],
  reasons,
});

/** The outcome for one entry of a file. Does not check whether the entry overlaps with other events. */
export const planEntry = (
  entry: Pick<ImportEntry, 'line' | 'id'>,
  {
    completed,
    stored,
    signing,
    overwriteStatus,
    now,
    notErc721,
  }: ImportRules & {
    readonly completed: CompletedEvent;
    readonly stored: StoredEvent | undefined;
    /** Contracts that are named in tickets but are not ERC-721 collections. */
    readonly notErc721: ReadonlySet<Address>;
  },
): PlannedRow => {
  if ('mistakes' in completed) return refused(entry, completed.mistakes);
  const { event } = completed;
  const mistakes = eventMistakes({ before: stored?.event, after: event }, { signing, notErc721 });
  if (mistakes.length > 0) return refused(entry, mistakes.map(countedFromOne));
  return planEvent({ line: entry.line, ...completed }, { stored, overwriteStatus, now });
};
