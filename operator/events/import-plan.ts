import type { Event, Stream } from '../../shared/ott/event.ts';
import type { EventStatus } from '../../shared/ott/event-kinds.ts';
import type { EventChange, StoredEvent } from '../../shared/ott/ports/catalogue.ts';
import { type Signing, signedPathMistakes } from '../../shared/ott/signed-path.ts';
import type { Entry } from './event-file.ts';
import { changedFields, type FieldChange } from './field-changes.ts';
import { overlappingPairs } from './overlaps.ts';

export interface ImportRules {
  /** How the stage signs what it hands out, which decides what may be stored. */
  readonly signing: Signing;
  /** Take the file's status also where a hand has set another. */
  readonly overwriteStatus: boolean;
}

/** What an import does, or has done, about one event. `line` is `undefined` for one that the file does not hold. */
export interface ImportRow {
  readonly line: number | undefined;
  readonly id: string | undefined;
  /** `refused` and `failed` leave the stored event as it was; a failed one may be tried again. */
  readonly outcome: 'created' | 'changed' | 'unchanged' | 'deleted' | 'refused' | 'failed';
  readonly fields: readonly FieldChange[];
  /** Where a status that was set by hand stays. */
  readonly keptStatus?: { readonly stored: EventStatus; readonly file: EventStatus } | undefined;
  readonly reasons: readonly string[];
  readonly change?: EventChange | undefined;
  /** The event as the file has it; deletions have none. */
  readonly source?: Event | undefined;
}

/** What becomes of an event of a file. A status set by hand stays until the file says another than it did then. */
export const planEvent = (
  { line, event }: { readonly line: number; readonly event: Event },
  {
    stored,
    overwriteStatus,
  }: { readonly stored: StoredEvent | undefined; readonly overwriteStatus: boolean },
): ImportRow => {
  const mark = stored?.event.statusInFile;
  const isKept = mark !== undefined && !overwriteStatus && (event.statusInFile ?? event.status) === mark;
  const after: Event = isKept
    ? { ...event, status: stored?.event.status ?? event.status, statusInFile: mark }
    : event;
  const keptStatus =
    isKept && after.status !== event.status ? { stored: after.status, file: event.status } : undefined;
  const row = { line, id: event.id, keptStatus, reasons: [], source: event };
  if (stored === undefined) return { ...row, outcome: 'created', fields: [], change: { after } };
  const fields = changedFields(stored.event, after);
  return fields.length === 0
    ? { ...row, outcome: 'unchanged', fields }
    : { ...row, outcome: 'changed', fields, change: { before: stored, after } };
};

const refused = ({ line, id }: Pick<ImportRow, 'line' | 'id'>, reasons: readonly string[]): ImportRow => ({
  line,
  id,
  outcome: 'refused',
  fields: [],
  reasons,
});

/**
 * What an import does to a catalogue, without doing it: a row for each entry, in their order, and with `deleteMissing` one
 * for each stored event that the file does not hold. An event that is LIVE stays, and so does one that was refused.
 */
export const planImport = ({
  entries,
  stored,
  deleteMissing,
  signing,
  overwriteStatus,
}: ImportRules & {
  readonly entries: readonly Entry[];
  readonly stored: ReadonlyMap<string, StoredEvent>;
  readonly deleteMissing: boolean;
}): readonly ImportRow[] => {
  const rows = entries.map((entry): ImportRow => {
    if ('mistakes' in entry) return refused(entry, entry.mistakes);
    const { event } = entry;
    const mistakes = event.stream === undefined ? [] : signedPathMistakes(event.stream, { signing });
    if (mistakes.length > 0) return refused(entry, mistakes);
    return planEvent(entry, { stored: stored.get(event.id), overwriteStatus });
  });
  const inFile = new Set(entries.map(({ id }) => id));
  const deletions = deleteMissing
    ? [...stored.values()]
        .filter(({ event: { id, status } }) => !inFile.has(id) && status !== 'LIVE')
        .map(
          (before): ImportRow => ({
            line: undefined,
            id: before.event.id,
            outcome: 'deleted',
            fields: [],
            reasons: [],
            change: { before },
          }),
        )
    : [];
  return [...withoutOverlaps({ rows, deletions, stored, signing }), ...deletions];
};

/**
 * Refuses what would bring two streams under one signature. An event that is refused stays as it is stored, and that may
 * be in the way of another one, so it is looked at again until nothing is.
 */
const withoutOverlaps = ({
  rows,
  deletions,
  stored,
  signing,
}: {
  readonly rows: readonly ImportRow[];
  readonly deletions: readonly ImportRow[];
  readonly stored: ReadonlyMap<string, StoredEvent>;
  readonly signing: Signing;
}): readonly ImportRow[] => {
  if (signing === 'none') return rows;
  const deleted = new Set(deletions.map(({ id }) => id));
  const kept = [...rows];
  for (;;) {
    const streams = new Map<string, Stream>();
    const changing = new Map<string, number>();
    for (const [id, { event }] of stored) if (event.stream && !deleted.has(id)) streams.set(id, event.stream);
    for (const [index, { change }] of kept.entries()) {
      if (change?.after === undefined) continue;
      const { id, stream } = change.after;
      changing.set(id, index);
      if (stream === undefined) streams.delete(id);
      else streams.set(id, stream);
    }
    const refusals = new Map<number, Set<string>>();
    for (const { signed, opened } of overlappingPairs(streams, { signing })) {
      // The later line of the file gives way; what is stored and not touched is not this file's to mend.
      const index = Math.max(changing.get(signed) ?? -1, changing.get(opened) ?? -1);
      if (index < 0) continue;
      const reasons = refusals.get(index) ?? new Set();
      if (reasons.size < 5) reasons.add(overlapText({ signed, opened }));
      refusals.set(index, reasons);
    }
    if (refusals.size === 0) return kept;
    for (const [index, reasons] of refusals) {
      const row = kept[index];
      if (row !== undefined) kept[index] = refused(row, [...reasons]);
    }
  }
};

export const overlapText = ({
  signed,
  opened,
}: {
  readonly signed: string;
  readonly opened: string;
}): string => `stream: what is signed for ${signed} would open ${opened}, too, while both may be played`;
