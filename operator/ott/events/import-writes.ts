import { overlapText } from '../../../shared/ott/catalogue/overlapping-pairs.ts';
import type { Move } from '../../../shared/ott/catalogue/path-overlaps.ts';
import { effectiveStatus } from '../../../shared/ott/events/effective.ts';
import type { Catalogue, RecentPaths, StoredEvent } from '../../../shared/ott/ports/catalogue.ts';
import type { Clock } from '../../../shared/platform/clock.ts';
import { chunksOf, eventsAtOnce } from './chunks.ts';
import { completeEvent } from './complete-event.ts';
import { planBlock } from './import-blocks.ts';
import type { Fields } from './import-entry.ts';
import { type PathJudge, pathJudge } from './import-paths.ts';
import { type ImportRow, type ImportRules, type PlannedRow, planEvent, refused } from './import-plan.ts';

/** How many batches are written concurrently. */
const writersAtOnce = 4;

/** The maximum number of attempts to write one event while other writers keep changing it. */
const attempts = 5;

/** An event that a later release has stored in a way that this one cannot read looks new until it is written. */
const conflictText =
  'others keep changing this event at the same time, or a later release has stored it; try again with the latest release';

interface WriteDependencies {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly showProgress: (text: string) => void;
}

/** Writes the due rows in batches, and records the outcome of each in `rows`. */
export const writeAll = async (
  { catalogue, clock, showProgress }: WriteDependencies,
  {
    plan: { rows, due, moves },
    paths,
    rules,
  }: {
    readonly plan: {
      readonly rows: ImportRow[];
      /** The fields in the file, as JSON, by row index. `undefined` deletes the event. */
      readonly due: ReadonlyMap<number, string | undefined>;
      /** The moves that were judged, by event id. */
      readonly moves: ReadonlyMap<string, Move>;
    };
    /** The paths against which the plan was judged. @default paths are not judged */
    readonly paths: Map<string, RecentPaths> | undefined;
    readonly rules: Omit<ImportRules, 'now'>;
  },
): Promise<void> => {
  const judge = pathJudge({ catalogue }, { moves, paths, signing: rules.signing });
  const total = due.size;
  let done = 0;
  const chunks = chunksOf(due, eventsAtOnce);
  const work = async () => {
    for (const chunk of chunks) {
      const written = await writeTogether(
        { catalogue, clock, judge },
        chunk.map(([index, source]) => ({ row: rows[index] as ImportRow, source })),
        rules,
      );
      for (const [position, [index]] of chunk.entries()) rows[index] = written[position] as ImportRow;
      done += chunk.length;
      showProgress(`Wrote ${done} of ${total} changes`);
    }
  };
  await Promise.all(Array.from({ length: writersAtOnce }, work));
};

interface DueRow {
  readonly row: ImportRow;
  readonly source: string | undefined;
}

/** Compares rows with the stored events and writes them. Tries again for events that another writer has changed. */
const writeTogether = async (
  { catalogue, clock, judge }: Pick<WriteDependencies, 'catalogue' | 'clock'> & { readonly judge: PathJudge },
  dueRows: readonly DueRow[],
  { overwriteStatus }: Pick<ImportRules, 'overwriteStatus'>,
): Promise<readonly ImportRow[]> => {
  const outcomes = dueRows.map(({ row }) => row);
  let due = dueRows.map((each, index) => ({ ...each, index }));
  for (let attempt = 1; due.length > 0; attempt += 1) {
    const stored = await catalogue.findAllStored(
      due.flatMap(({ row: { id } }) => (id === undefined ? [] : [id])),
    );
    const rules = { overwriteStatus, now: clock() };
    const planned = due.flatMap((each) => {
      const { change, ...row } = planNow(each, stored.get(each.row.id ?? ''), rules);
      outcomes[each.index] = row;
      return change === undefined ? [] : [{ ...each, change }];
    });
    const results = await judge.write(planned.map(({ change }) => change));
    const failWith = (index: number, reason: string) => {
      outcomes[index] = failed(outcomes[index] as ImportRow, reason);
    };
    due = planned.flatMap(({ change, ...each }, position) => {
      const { index } = each;
      const result = results[position];
      if (result?.outcome === 'failed') failWith(index, result.reason);
      if (result?.outcome === 'overlapping') {
        const row = refused(each.row, result.overlaps.map(overlapText));
        outcomes[index] = row;
        // Its block is still to be written.
        return [{ ...each, row: { ...row, opensLive: each.row.opensLive } }];
      }
      if (result?.outcome !== 'conflict' && result?.outcome !== 'paths-changed') return [];
      if (attempt < attempts) return [each];
      failWith(index, conflictText);
      return [];
    });
  }
  return outcomes;
};

const planNow = (
  { row, source }: DueRow,
  stored: StoredEvent | undefined,
  rules: Pick<ImportRules, 'overwriteStatus' | 'now'>,
): PlannedRow => {
  if (source !== undefined) {
    const planned = planAgain({ row, fields: JSON.parse(source), stored, ...rules });
    // If an event has become LIVE since the comparison, the operator has not confirmed that it opens while viewers
    // watch.
    return planned.opensLive && !row.opensLive
      ? failed(row, 'would open while it is LIVE, which it was not when the file was compared; try again')
      : planned;
  }
  if (stored === undefined) return row;
  if (effectiveStatus(stored.event, rules.now) === 'LIVE')
    return { ...row, outcome: 'failed', reasons: ['has become LIVE'] };
  return { ...row, change: { before: stored } };
};

const planAgain = ({
  row,
  fields,
  stored,
  ...rules
}: Pick<ImportRules, 'overwriteStatus' | 'now'> & {
  readonly row: ImportRow;
  readonly fields: Fields;
  readonly stored: StoredEvent | undefined;
}): PlannedRow => {
  if (row.outcome === 'refused') return planBlock(refused(row, row.reasons), { fields, stored, ...rules });
  const completed = completeEvent({ fields, mistakes: [] }, stored?.event, rules.now);
  if ('mistakes' in completed) return { ...row, outcome: 'failed', reasons: completed.mistakes };
  return planEvent({ line: row.line ?? 0, ...completed }, { stored, ...rules });
};

/** A refused row is written only for its block. */
const failed = (row: ImportRow, reason: string): ImportRow =>
  row.outcome === 'refused'
    ? {
        ...row,
        outcome: 'failed',
        fields: [],
        reasons: [...row.reasons, `its block was not taken: ${reason}`],
      }
    : { ...row, outcome: 'failed', reasons: [reason] };
