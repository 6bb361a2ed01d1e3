import type { Address } from '../../shared/nft/hex.ts';
import type { Event } from '../../shared/ott/event.ts';
import type { EventStatus } from '../../shared/ott/event-kinds.ts';
import type { EventChange, StoredEvent } from '../../shared/ott/ports/catalogue.ts';
import { type Signing, signedPathMistakes } from '../../shared/ott/signed-path.ts';
import type { Entry } from './event-file.ts';
import { changedFields, type FieldChange } from './field-changes.ts';
import { ticketMistakes } from './ticket-mistakes.ts';

export interface ImportRules {
  /** How the stage signs streams. Some streams and tickets are valid for one way of signing only. */
  readonly signing: Signing;
  /** Whether the status in the file also overwrites a status that was set by hand. */
  readonly overwriteStatus: boolean;
}

/** The outcome of an import for one event. `line` is `undefined` for an event that is not in the file. */
export interface ImportRow {
  readonly line: number | undefined;
  readonly id: string | undefined;
  /** After `refused` or `failed`, the stored event is unchanged. Only a failed event is worth importing again. */
  readonly outcome: 'created' | 'changed' | 'unchanged' | 'deleted' | 'refused' | 'failed';
  readonly fields: readonly FieldChange[];
  /** Present if the event keeps a status that was set by hand and that differs from the file's status. */
  readonly keptStatus?: { readonly stored: EventStatus; readonly file: EventStatus } | undefined;
  readonly reasons: readonly string[];
}

/** A row and the change to write. `change` is absent if there is nothing to write. */
export interface PlannedRow extends ImportRow {
  readonly change?: EventChange | undefined;
}

/**
 * The outcome for a valid event of a file. A status that an operator has set is kept until the event's status in the
 * file changes. `statusInFile` is the status in the file at the time when the operator set a different status.
 */
export const planEvent = (
  { line, event }: { readonly line: number; readonly event: Event },
  {
    stored,
    overwriteStatus,
  }: { readonly stored: StoredEvent | undefined; readonly overwriteStatus: boolean },
): PlannedRow => {
  const mark = stored?.event.statusInFile;
  const isKept = mark !== undefined && !overwriteStatus && (event.statusInFile ?? event.status) === mark;
  const after: Event = isKept
    ? { ...event, status: stored?.event.status ?? event.status, statusInFile: mark }
    : event;
  const keptStatus =
    isKept && after.status !== event.status ? { stored: after.status, file: event.status } : undefined;
  const row = { line, id: event.id, keptStatus, reasons: [] };
  if (stored === undefined) return { ...row, outcome: 'created', fields: [], change: { after } };
  const fields = changedFields(stored.event, after);
  return fields.length === 0
    ? { ...row, outcome: 'unchanged', fields }
    : { ...row, outcome: 'changed', fields, change: { before: stored, after } };
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
  entry: Entry,
  {
    stored,
    signing,
    overwriteStatus,
    notErc721,
  }: ImportRules & {
    readonly stored: ReadonlyMap<string, StoredEvent>;
    /** Contracts that are named in tickets but are not ERC-721 collections. */
    readonly notErc721: ReadonlySet<Address>;
  },
): PlannedRow => {
  if ('mistakes' in entry) return refused(entry, entry.mistakes);
  const { event } = entry;
  const mistakes = [
    ...(event.stream === undefined ? [] : signedPathMistakes(event.stream, { signing })),
    ...ticketMistakes(event, { signing, notErc721 }),
  ];
  if (mistakes.length > 0) return refused(entry, mistakes);
  return planEvent(entry, { stored: stored.get(event.id), overwriteStatus });
};
