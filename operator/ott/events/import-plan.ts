import { isDeepStrictEqual } from 'node:util';
import type { Address } from '../../../shared/chain/hex.ts';
import { eventMistakes } from '../../../shared/ott/catalogue/event-mistakes.ts';
import { changedFields, type FieldChange } from '../../../shared/ott/catalogue/field-changes.ts';
import { isLiveOpening, loosenedRestrictions } from '../../../shared/ott/catalogue/restrictions.ts';
import type { Event } from '../../../shared/ott/events/event.ts';
import type { EventStatus } from '../../../shared/ott/events/event-kinds.ts';
import {
  dueEntry,
  effectiveStatus,
  isSetByHand,
  settled,
  statusInFileOf,
} from '../../../shared/ott/events/schedule.ts';
import type { EventChange, StoredEvent } from '../../../shared/ott/ports/catalogue.ts';
import type { Signing } from '../../../shared/ott/streams/signed-path.ts';
import { countedFromOne } from '../../platform/terminal/read-file.ts';
import type { CompletedEvent } from './complete-event.ts';
import type { ImportEntry } from './import-entry.ts';
import type { KeptEnd } from './kept-ends.ts';

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

/**
 * The outcome for a valid event of a file. A status that an operator has set is kept until the event's status in the
 * file changes. `statusInFile` is the status in the file at the time when the operator set a different status. A status
 * that the schedule has set since does not count as a change: both events are compared as they are at `now`.
 */
export const planEvent = (
  {
    line,
    event,
    keptEnds = [],
  }: { readonly line: number; readonly event: Event; readonly keptEnds?: readonly KeptEnd[] },
  {
    stored,
    overwriteStatus,
    now,
  }: Pick<ImportRules, 'overwriteStatus' | 'now'> & { readonly stored: StoredEvent | undefined },
): PlannedRow => {
  const before = stored && settled(stored.event, now);
  const after = settled((overwriteStatus ? undefined : keepHand(event, before, now)) ?? event, now);
  const inFile = effectiveStatus(event, now);
  const keptStatus =
    isSetByHand(after) && after.status !== inFile ? { stored: after.status, file: inFile } : undefined;
  const row = { line, id: event.id, keptStatus, ...(keptEnds.length > 0 && { keptEnds }), reasons: [] };
  if (stored === undefined || before === undefined)
    return { ...row, outcome: 'created', fields: [], change: { after } };
  const fields = changedFields(before, after);
  if (fields.length === 0) return { ...row, outcome: 'unchanged', fields };
  const loosens = loosenedRestrictions(before, after);
  return {
    ...row,
    outcome: 'changed',
    fields,
    ...(loosens.length > 0 && { loosens, opensLive: isLiveOpening(before, after) }),
    change: { before: stored, after },
  };
};

/**
 * The event of a file with the status that an operator has set, if the event's status in the file is still the same. If
 * an entry has ended that status, only the same schedule keeps when it was set.
 */
const keepHand = (event: Event, before: Event | undefined, now: number): Event | undefined => {
  if (before === undefined) return undefined;
  const inFile = statusInFileOf(before);
  if (!isSetByHand(before) || statusInFileOf(event) !== inFile) return undefined;
  const isEnded = dueEntry(before, now) !== undefined;
  if (isEnded && !isDeepStrictEqual(event.schedule, before.schedule)) return undefined;
  const { statusSetAt = new Date(now).toISOString(), status } = before;
  return { ...event, status, statusInFile: inFile === status ? undefined : inFile, statusSetAt };
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
  const { event, keptEnds } = completed;
  const mistakes = eventMistakes({ before: stored?.event, after: event }, { signing, notErc721 });
  if (mistakes.length > 0) return refused(entry, mistakes.map(countedFromOne));
  return planEvent({ line: entry.line, event, keptEnds }, { stored, overwriteStatus, now });
};
