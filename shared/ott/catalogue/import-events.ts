import { countedFromOne } from '../../platform/mistake-sentences.ts';
import { effectiveStatus, effectiveStream } from '../events/effective.ts';
import type { Stream } from '../events/event.ts';
import { isEventId } from '../events/event-record.ts';
import type { Catalogue, StoredEvent } from '../ports/catalogue.ts';
import type { Fields, FileRow } from './file-row.ts';
import { decideRow, type ImportRow, type RowRules, refused } from './import-row.ts';
import { type Streams, streamsOf } from './judged-paths.ts';
import { overlapText } from './overlapping-pairs.ts';
import {
  type Decided,
  type JudgedPut,
  judgeEvents,
  type Put,
  type PutEventsDependencies,
  type PutOutcome,
  putEvents,
} from './put-events.ts';
import { decideRestrictions, mayRestrict } from './row-restrictions.ts';

/** The largest share of the catalogue that an import may delete, unless its brake is lifted. */
export const largestDeletion = 0.05;

/** The maximum number of attempts to write one event while other writers keep changing it. */
const attempts = 5;

/** An event that a later release has stored in a way that this one cannot read looks new until it is written. */
const conflictText =
  'others keep changing this event at the same time, or a later release has stored it; try again with the latest release';

/**
 * What keeps an import from deleting missing events: events of the file that are `refused`, because the file may be
 * incomplete, and too many `deletions`.
 */
export const brakes = ['refused', 'deletions'] as const;
export type Brake = (typeof brakes)[number];

export interface Progress {
  readonly step: 'compared' | 'read' | 'written';
  readonly count: number;
  /** Of how many. `undefined`: nobody knows yet. */
  readonly total?: number;
}

export interface ImportEventsDependencies extends Omit<PutEventsDependencies, 'signing' | 'allStreams'> {
  readonly catalogue: Catalogue;
  readonly onProgress: (progress: Progress) => void;
  /**
   * Called before anything is written, if LIVE events would open: with the rows that loosen their restrictions.
   * Nothing is written if it rejects. @default nobody is asked
   */
  readonly requireConsent?: ((openings: readonly ImportRow[]) => Promise<void>) | undefined;
}

export interface ImportInput extends RowRules, Pick<PutEventsDependencies, 'signing'> {
  readonly entries: Iterable<FileRow>;
  readonly deleteMissing: boolean;
  /** The brakes that do not hold. Each lifts only itself. */
  readonly force: readonly Brake[];
  /** Reports the outcomes without writing anything. */
  readonly dryRun: boolean;
}

/** An import whose deletions are held: nothing was written. */
export class BrakesHoldError extends Error {
  readonly held: readonly Brake[];
  /** What the import would do. */
  readonly rows: readonly ImportRow[];
  /** How many events are stored. */
  readonly size: number;

  constructor({ held, rows, size }: Pick<BrakesHoldError, 'held' | 'rows' | 'size'>) {
    super(`The import is held: ${held.join(', ')}`);
    this.held = held;
    this.rows = rows;
    this.size = size;
  }
}

/** What an import has for an event: a row of the file, the restrictions of a refused row, or that the event is missing. */
type Wanted = 'row' | 'restrictions' | 'deletion';

interface DuePut extends Put<ImportRow> {
  /** Of the row that it is for. */
  readonly index: number;
  readonly wanted: Wanted;
}

/**
 * Imports the events of a file and returns the outcome for each event: first a dry run, deletions included, then the
 * brakes, then the same for good. Each event is written atomically. Importing the same file again writes nothing. The
 * whole catalogue is read only if missing events are to be deleted, or if the stage signs streams and more than
 * `lookedForAtMost` events change.
 *
 * @throws BrakesHoldError when a brake holds that is not lifted. Nothing is written then.
 */
export const importEvents = async (
  { onProgress, requireConsent, ...dependencies }: ImportEventsDependencies,
  { entries, deleteMissing, force, dryRun, signing, overwriteStatus }: ImportInput,
): Promise<readonly ImportRow[]> => {
  const { catalogue, clock } = dependencies;
  /** There may be many thousands of rows, so each is kept small. */
  const rows: ImportRow[] = [];
  /** What is to be written, by row index. The fields of the row are kept as JSON to save memory. */
  const due = new Map<number, { readonly wanted: Wanted; readonly source: string }>();
  /** The fields of refused rows that may restrict an event, by row index. */
  const refusedSources = new Map<number, string>();
  const idsInFile = new Set<string | undefined>();
  const whole = catalogueReader(catalogue, { clock, onProgress });
  const dry = { ...dependencies, signing, allStreams: async () => (await whole()).streams };
  const forGood = { ...dependencies, signing, allStreams: () => streamsOf(catalogue) };

  const firstLines = new Map<string, number>();
  let missing: readonly string[] = [];
  const judged = await judgeEvents<ImportRow, FilePut>(dry, filePuts(entries, { overwriteStatus }), {
    onJudged: (each, { entry }) => {
      const index = rows.length;
      const row = withoutRepetition(rowOf(each), firstLines);
      if (deleteMissing) idsInFile.add(entry.id);
      rows.push(row);
      const source = entry.fields && JSON.stringify(entry.fields);
      const isTaken = each.outcome === 'allowed' && row.outcome !== 'refused';
      if (isTaken && source !== undefined) due.set(index, { wanted: 'row', source });
      if (row.outcome === 'refused' && entry.fields && source !== undefined && mayRestrict(entry.fields))
        refusedSources.set(index, source);
      if (rows.length % progressEvery === 0) onProgress({ step: 'compared', count: rows.length });
      return isTaken;
    },
    deleted: async () => {
      if (deleteMissing) missing = (await whole()).deletable.filter((id) => !idsInFile.has(id));
      return new Set(missing);
    },
  });
  for (const [index, { source }] of due) {
    const row = rows[index] as ImportRow;
    const found = judged.overlaps.get(row.id ?? '');
    if (found === undefined) continue;
    due.delete(index);
    rows[index] = refused(row, found.map(overlapText));
    if (mayRestrict(JSON.parse(source))) refusedSources.set(index, source);
  }

  const restrictionPuts = function* (of: Iterable<readonly [number, string]>, mayOpen?: ReadonlySet<number>) {
    for (const [index, source] of of) {
      const row = rows[index] as ImportRow;
      const fields: Fields = JSON.parse(source);
      yield put(index, 'restrictions', row.id, (stored, now) =>
        consented(decideRestrictions(row, fields, stored, { overwriteStatus, now }), {
          ...row,
          opensLive: mayOpen === undefined || mayOpen.has(index),
        }),
      );
    }
  };
  // If a file has several rows for one event, an accepted row decides, otherwise the first one that restricts it.
  const decided = new Set(rows.flatMap(({ id, outcome }) => (outcome === 'refused' ? [] : [id])));
  const inOrder = [...refusedSources].sort(([one], [other]) => one - other);
  if (inOrder.length > 0) {
    await judgeEvents<ImportRow, DuePut>(dry, restrictionPuts(inOrder), {
      onJudged: ({ told, change }, { index }) => {
        if (change === undefined || decided.has(told.id)) return false;
        decided.add(told.id);
        rows[index] = told;
        due.set(index, { wanted: 'restrictions', source: refusedSources.get(index) ?? '' });
        return true;
      },
    });
  }
  for (const id of missing) {
    due.set(rows.length, { wanted: 'deletion', source: '' });
    rows.push({ line: undefined, id, outcome: 'deleted', fields: [], reasons: [] });
  }

  if (deleteMissing) requireNoBrake({ rows, size: (await whole()).size, force });
  const openings = [...due.keys()].flatMap((index) => rows[index] ?? []).filter(({ opensLive }) => opensLive);
  if (dryRun) return rows;
  if (openings.length > 0) await requireConsent?.(openings);

  const duePuts = function* (): Generator<DuePut> {
    for (const [index, { wanted, source }] of due) {
      const row = rows[index] as ImportRow;
      if (wanted === 'restrictions')
        yield* restrictionPuts([[index, source]], new Set(row.opensLive ? [index] : []));
      else if (wanted === 'deletion')
        yield put(index, wanted, row.id, (stored, now) => decideDeletion(row, stored, now));
      else {
        const entry: FileRow = {
          line: row.line ?? 0,
          id: row.id,
          fields: JSON.parse(source),
          mistakes: [],
        };
        yield put(index, wanted, row.id, (stored, now) =>
          consented(decideRow(entry, stored, { overwriteStatus, now }), row),
        );
      }
    }
  };
  let written = 0;
  const late: [number, string][] = [];
  const mayOpen = new Set<number>();
  const onOutcome = (outcome: PutOutcome<ImportRow>, { index, wanted }: DuePut): void => {
    written += 1;
    onProgress({ step: 'written', count: written, total: due.size });
    const before = rows[index] as ImportRow;
    const row = rowOf(outcome);
    rows[index] = row;
    if (wanted !== 'row' || row.outcome !== 'refused') return;
    const { source = '' } = due.get(index) ?? {};
    if (before.opensLive) mayOpen.add(index);
    if (mayRestrict(JSON.parse(source))) late.push([index, source]);
  };
  await putEvents<ImportRow, DuePut>(forGood, duePuts(), { onOutcome, attempts, judged });
  // The path of a row was taken since the dry run.
  if (late.length > 0)
    await putEvents<ImportRow, DuePut>(forGood, restrictionPuts(late, mayOpen), {
      onOutcome,
      attempts,
      judged,
    });
  return rows;
};

const progressEvery = 100;

const put = (index: number, wanted: Wanted, id: string | undefined, decide: DuePut['decide']): DuePut => ({
  index,
  wanted,
  id,
  decide,
});

interface FilePut extends Put<ImportRow> {
  readonly entry: FileRow;
}

function* filePuts(entries: Iterable<FileRow>, rules: RowRules): Generator<FilePut> {
  for (const entry of entries) {
    const { id } = entry;
    yield {
      entry,
      id: id !== undefined && isEventId(id) ? id : undefined,
      decide: (stored, now) => decideRow(entry, stored, { ...rules, now }),
    };
  }
}

const decideDeletion = (row: ImportRow, stored: StoredEvent | undefined, now: number): Decided<ImportRow> => {
  if (stored === undefined) return { told: row };
  return effectiveStatus(stored.event, now) === 'LIVE'
    ? { told: failed(row, 'has become LIVE') }
    : { told: row, change: { before: stored } };
};

/**
 * If an event has become LIVE since the dry run, the operator has not confirmed that it opens while viewers watch. `row`
 * is what the dry run has found.
 */
const consented = (decided: Decided<ImportRow>, row: ImportRow): Decided<ImportRow> =>
  decided.told.opensLive && !row.opensLive
    ? {
        told: failed(
          row,
          'would open while it is LIVE, which it was not when the file was compared; try again',
        ),
      }
    : decided;

/** The row of an event with what became of it. */
const rowOf = (each: JudgedPut<ImportRow> | PutOutcome<ImportRow>): ImportRow => {
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
const failed = (row: ImportRow, reason: string): ImportRow =>
  row.outcome === 'refused'
    ? {
        ...row,
        outcome: 'failed',
        fields: [],
        reasons: [...row.reasons, `its block was not taken: ${reason}`],
      }
    : { ...row, outcome: 'failed', reasons: [reason] };

/** Refuses an event whose id an earlier line has used, unless that line was refused. */
const withoutRepetition = (row: ImportRow, firstLines: Map<string, number>): ImportRow => {
  if (row.id === undefined || row.line === undefined || row.outcome === 'refused') return row;
  const first = firstLines.get(row.id);
  if (first !== undefined) return refused(row, [`event_id: is already used by the event on line ${first}`]);
  firstLines.set(row.id, row.line);
  return row;
};

/** Reads the whole catalogue, once. */
const catalogueReader = (
  catalogue: Catalogue,
  { clock, onProgress }: Pick<ImportEventsDependencies, 'clock' | 'onProgress'>,
) => {
  const read = async () => {
    const streams = new Map<string, Stream>();
    const deletable: string[] = [];
    let size = 0;
    for await (const { event } of catalogue.all()) {
      const stream = effectiveStream(event);
      size += 1;
      if (stream !== undefined) streams.set(event.id, stream);
      if (effectiveStatus(event, clock()) !== 'LIVE') deletable.push(event.id);
      if (size % 1_000 === 0) onProgress({ step: 'read', count: size });
    }
    return { streams: streams as Streams, deletable, size };
  };
  let reading: ReturnType<typeof read> | undefined;
  return () => {
    reading ??= read();
    return reading;
  };
};

const requireNoBrake = ({
  rows,
  size,
  force,
}: {
  readonly rows: readonly ImportRow[];
  readonly size: number;
  readonly force: readonly Brake[];
}): void => {
  const deletions = rows.filter(({ outcome }) => outcome === 'deleted').length;
  if (deletions === 0) return;
  const holds: Record<Brake, boolean> = {
    refused: rows.some(({ outcome }) => outcome === 'refused'),
    deletions: deletions > size * largestDeletion,
  };
  const held = brakes.filter((brake) => holds[brake] && !force.includes(brake));
  if (held.length > 0) throw new BrakesHoldError({ held, rows, size });
};
