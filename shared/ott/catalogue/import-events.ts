import { effectiveStatus, effectiveStream } from '../events/effective.ts';
import type { Stream } from '../events/event.ts';
import { isEventId } from '../events/event-schema.ts';
import type { Catalogue } from '../ports/catalogue.ts';
import type { Fields, FileRow } from './file-row.ts';
import { type Brake, requireNoBrake } from './import-brakes.ts';
import {
  decideRow,
  failed,
  type ImportRow,
  type RowRules,
  refused,
  rowOf,
  withoutRepetition,
} from './import-row.ts';
import { type Streams, streamsOf } from './judged-paths.ts';
import { overlapText } from './overlapping-pairs.ts';
import {
  type Decided,
  type Judged,
  type JudgedPut,
  judgeEvents,
  type Put,
  type PutEventsDependencies,
  type PutToJudge,
  type PutToWrite,
  putEvents,
} from './put-events.ts';
import { decideRestrictions, mayRestrict } from './row-restrictions.ts';

/** The maximum number of attempts to write one event while other writers keep changing it. */
const attempts = 5;

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

/**
 * What an import has for an event: a row of the file, the restrictions of a refused row, or that the event is missing.
 */
type Wanted = 'row' | 'restrictions' | 'deletion';

/** The state of an import before anything is written. It may have many thousands of rows, so each row is kept small. */
interface Plan {
  readonly rows: ImportRow[];
  /**
   * What is to be written, by row index. The fields of a row are kept as JSON: those of 100,000 rows then take 50 MB of
   * memory instead of 75.
   */
  readonly due: Map<number, { readonly wanted: Wanted; readonly source: string }>;
  readonly judged: Judged;
}

/**
 * Imports the events of a file and returns the outcome for each event.
 *
 * | Phase | What is done | Where |
 * |---|---|---|
 * | 1. Rows | each row is decided on the stored event, and judged but for its path | `judgeEvents` |
 * | 2. Deletions | the events that the file lacks are to be deleted, if that is wanted | `catalogueReader` |
 * | 3. Paths | the rows whose streams overlap, with each other or with others, are refused | `judgeEvents` |
 * | 4. Restrictions | of a refused row, what restricts its event is a row of its own | `decideRestrictions` |
 * | 5. Brakes | too many deletions, or any beside refused rows, stop here; a dry run ends here | `requireNoBrake` |
 * | 6. Consent | the caller is asked about LIVE events that would open | `requireConsent` |
 * | 7. Writes | 1 to 4 again, on what is stored then, and for good: each event is written atomically | `putEvents` |
 * | 8. Late restrictions | as 4, of the rows that were refused only in 7 | `putEvents` |
 *
 * Phases 1 to 4 are `planImport`, 7 and 8 `writePlan`. Importing the same file again writes nothing. The whole catalogue is
 * read only if missing events are to be deleted, or if the stage signs streams and more than `lookedForAtMost` events
 * change.
 *
 * @throws BrakesHoldError when a brake holds that is not lifted. Nothing is written then.
 */
export const importEvents = async (
  dependencies: ImportEventsDependencies,
  input: ImportInput,
): Promise<readonly ImportRow[]> => {
  const { deleteMissing, force, dryRun } = input;
  const whole = catalogueReader(dependencies);
  const plan = await planImport(dependencies, input, whole);
  const { rows, due } = plan;
  if (deleteMissing) requireNoBrake({ rows, size: (await whole()).size, force });
  if (dryRun) return rows;
  const openings = [...due.keys()].flatMap((index) => rows[index] ?? []).filter(({ opensLive }) => opensLive);
  if (openings.length > 0) await dependencies.requireConsent?.(openings);
  await writePlan(dependencies, input, plan);
  return rows;
};

/** The dry run of an import. */
const planImport = async (
  dependencies: ImportEventsDependencies,
  { entries, deleteMissing, signing, ...rules }: ImportInput,
  whole: ReturnType<typeof catalogueReader>,
): Promise<Plan> => {
  const { onProgress } = dependencies;
  const engine = { ...dependencies, signing, allStreams: async () => (await whole()).streams };
  const rows: ImportRow[] = [];
  const due: Plan['due'] = new Map();
  /** The fields of refused rows that may restrict an event, by row index. */
  const refusedSources = new Map<number, string>();
  const idsInFile = new Set<string | undefined>();
  const firstLines = new Map<string, number>();
  let missing: readonly string[] = [];
  const compared = (each: JudgedPut<ImportRow>, { id, fields }: FileRow): boolean => {
    const index = rows.length;
    const row = withoutRepetition(rowOf(each), firstLines);
    rows.push(row);
    if (deleteMissing) idsInFile.add(id);
    if (rows.length % progressEvery === 0) onProgress({ step: 'compared', count: rows.length });
    const isRefused = row.outcome === 'refused';
    const isTaken = each.outcome === 'allowed' && !isRefused;
    if (isTaken) due.set(index, { wanted: 'row', source: JSON.stringify(fields) });
    if (isRefused && fields && mayRestrict(fields)) refusedSources.set(index, JSON.stringify(fields));
    return isTaken;
  };
  const deleted = async () => {
    if (deleteMissing) missing = (await whole()).deletable.filter((id) => !idsInFile.has(id));
    return new Set(missing);
  };
  const judged = await judgeEvents(engine, filePuts(entries, rules, compared), deleted);
  for (const [index, { source }] of due) {
    const row = rows[index] as ImportRow;
    const found = judged.overlaps.get(row.id ?? '');
    if (found === undefined) continue;
    due.delete(index);
    rows[index] = refused(row, found.map(overlapText));
    if (mayRestrict(JSON.parse(source))) refusedSources.set(index, source);
  }
  // If a file has several rows for one event, an accepted row decides, otherwise the first one that restricts it.
  const decided = new Set(rows.flatMap(({ id, outcome }) => (outcome === 'refused' ? [] : [id])));
  const inOrder = [...refusedSources].sort(([one], [other]) => one - other);
  const restrictions = inOrder.map(
    ([index, source]): PutToJudge<ImportRow> => ({
      ...restrictionPut(rows[index] as ImportRow, { source, mayOpen: true, rules }),
      onJudged: ({ told, change }) => {
        const isFirst = change !== undefined && !decided.has(told.id);
        if (!isFirst) return false;
        decided.add(told.id);
        rows[index] = told;
        due.set(index, { wanted: 'restrictions', source });
        return true;
      },
    }),
  );
  if (restrictions.length > 0) await judgeEvents(engine, restrictions);
  for (const id of missing) {
    due.set(rows.length, { wanted: 'deletion', source: '' });
    rows.push({ line: undefined, id, outcome: 'deleted', fields: [], reasons: [] });
  }
  return { rows, due, judged };
};

/** Puts for good what the dry run has found, and records in `rows` what became of it. */
const writePlan = async (
  dependencies: ImportEventsDependencies,
  { signing, ...rules }: Pick<ImportInput, 'signing'> & RowRules,
  { rows, due, judged }: Plan,
): Promise<void> => {
  const { catalogue, onProgress } = dependencies;
  const engine = { ...dependencies, signing, allStreams: () => streamsOf(catalogue) };
  let written = 0;
  const late: PutToWrite<ImportRow>[] = [];
  const restriction = (index: number, source: string, mayOpen: boolean): PutToWrite<ImportRow> => ({
    ...restrictionPut(rows[index] as ImportRow, { source, mayOpen, rules }),
    onOutcome: (outcome) => note(index, rowOf(outcome)),
  });
  const note = (index: number, row: ImportRow): void => {
    written += 1;
    onProgress({ step: 'written', count: written, total: due.size });
    rows[index] = row;
  };
  const puts = function* (): Generator<PutToWrite<ImportRow>> {
    for (const [index, { wanted, source }] of due) {
      const row = rows[index] as ImportRow;
      const mayOpen = row.opensLive ?? false;
      if (wanted === 'restrictions') yield restriction(index, source, mayOpen);
      else
        yield {
          id: row.id,
          decide: wanted === 'row' ? rowAgain(row, source, rules) : deletion(row),
          onOutcome: (outcome) => {
            const now = rowOf(outcome);
            note(index, now);
            if (wanted === 'row' && now.outcome === 'refused' && mayRestrict(JSON.parse(source)))
              late.push(restriction(index, source, mayOpen));
          },
        };
    }
  };
  await putEvents(engine, puts(), { attempts, judged });
  // The path of a row was taken since the dry run.
  if (late.length > 0) await putEvents(engine, late, { attempts, judged });
};

const progressEvery = 100;

const restrictionPut = (
  row: ImportRow,
  {
    source,
    mayOpen,
    rules,
  }: { readonly source: string; readonly mayOpen: boolean; readonly rules: RowRules },
): Put<ImportRow> => ({
  id: row.id,
  decide: (stored, now) => {
    const fields: Fields = JSON.parse(source);
    return consented(decideRestrictions(row, fields, { ...rules, stored, now }), {
      ...row,
      opensLive: mayOpen,
    });
  },
});

/** A row that is decided on the version which is stored when it is written. */
const rowAgain =
  (row: ImportRow, source: string, rules: RowRules): Put<ImportRow>['decide'] =>
  (stored, now) => {
    const entry = { line: row.line ?? 0, id: row.id, fields: JSON.parse(source), mistakes: [] };
    return consented(decideRow(entry, stored, { ...rules, now }), row);
  };

function* filePuts(
  entries: Iterable<FileRow>,
  rules: RowRules,
  onJudged: (judged: JudgedPut<ImportRow>, entry: FileRow) => boolean,
): Generator<PutToJudge<ImportRow>> {
  for (const entry of entries) {
    const { id } = entry;
    yield {
      id: id !== undefined && isEventId(id) ? id : undefined,
      decide: (stored, now) => decideRow(entry, stored, { ...rules, now }),
      onJudged: (judged) => onJudged(judged, entry),
    };
  }
}

const deletion =
  (row: ImportRow): Put<ImportRow>['decide'] =>
  (stored, now) => {
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

/** Reads the whole catalogue, once. */
const catalogueReader = ({
  catalogue,
  clock,
  onProgress,
}: Pick<ImportEventsDependencies, 'catalogue' | 'clock' | 'onProgress'>) => {
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
