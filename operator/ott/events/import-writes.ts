import type { Catalogue, StoredEvent } from '../../../shared/ott/ports/catalogue.ts';
import { chunksOf, eventsAtOnce } from './chunks.ts';
import { completeEvent } from './complete-event.ts';
import { planBlock } from './import-blocks.ts';
import type { Fields } from './import-entry.ts';
import { type ImportRow, type ImportRules, type PlannedRow, planEvent, refused } from './import-plan.ts';

/** How many batches are written concurrently. */
const writersAtOnce = 4;

/** The maximum number of attempts to write one event while other writers keep changing it. */
const attempts = 5;

/** An event that a later release has stored in a way that this one cannot read looks new until it is written. */
const conflictText =
  'others keep changing this event at the same time, or a later release has stored it; try again with the latest release';

interface WriteDependencies {
  readonly catalogue: Pick<Catalogue, 'findAllStored' | 'write'>;
  readonly showProgress: (text: string) => void;
}

/** Writes the due rows in batches, and records the outcome of each in `rows`. */
export const writeAll = async (
  { catalogue, showProgress }: WriteDependencies,
  {
    plan: { rows, due },
    rules,
  }: {
    readonly plan: {
      readonly rows: ImportRow[];
      /** The fields in the file, as JSON, by row index. `undefined` deletes the event. */
      readonly due: ReadonlyMap<number, string | undefined>;
    };
    readonly rules: ImportRules;
  },
): Promise<void> => {
  const total = due.size;
  let done = 0;
  const chunks = chunksOf(due, eventsAtOnce);
  const work = async () => {
    for (const chunk of chunks) {
      const written = await writeTogether(
        { catalogue },
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
  { catalogue }: Pick<WriteDependencies, 'catalogue'>,
  planned: readonly DueRow[],
  rules: ImportRules,
): Promise<readonly ImportRow[]> => {
  const outcomes = planned.map(({ row }) => row);
  let due = planned.map((each, index) => ({ ...each, index }));
  for (let attempt = 1; due.length > 0; attempt += 1) {
    const stored = await catalogue.findAllStored(
      due.flatMap(({ row: { id } }) => (id === undefined ? [] : [id])),
    );
    const writing = due.flatMap((each) => {
      const { change, ...row } = planNow(each, stored.get(each.row.id ?? ''), rules);
      outcomes[each.index] = row;
      return change === undefined ? [] : [{ ...each, change }];
    });
    const results = await catalogue.write(writing.map(({ change }) => change));
    const failWith = (index: number, reason: string) => {
      outcomes[index] = failed(outcomes[index] as ImportRow, reason);
    };
    due = writing.filter(({ index }, position) => {
      const result = results[position];
      if (result?.outcome === 'failed') failWith(index, result.reason);
      if (result?.outcome !== 'conflict') return false;
      if (attempt >= attempts) failWith(index, conflictText);
      return attempt < attempts;
    });
  }
  return outcomes;
};

const planNow = (
  { row, source }: DueRow,
  stored: StoredEvent | undefined,
  { overwriteStatus }: ImportRules,
): PlannedRow => {
  if (source !== undefined) {
    const planned = planAgain({ row, fields: JSON.parse(source), stored, overwriteStatus });
    // Nobody was asked about an event that has become LIVE since the file was compared.
    return planned.opensLive && !row.opensLive
      ? failed(row, 'would open while it is LIVE, which it was not when the file was compared; try again')
      : planned;
  }
  if (stored === undefined) return row;
  if (stored.event.status === 'LIVE') return { ...row, outcome: 'failed', reasons: ['has become LIVE'] };
  return { ...row, change: { before: stored } };
};

const planAgain = ({
  row,
  fields,
  stored,
  overwriteStatus,
}: Pick<ImportRules, 'overwriteStatus'> & {
  readonly row: ImportRow;
  readonly fields: Fields;
  readonly stored: StoredEvent | undefined;
}): PlannedRow => {
  if (row.outcome === 'refused')
    return planBlock(refused(row, row.reasons), { fields, stored, overwriteStatus });
  const completed = completeEvent({ fields, mistakes: [] }, stored?.event);
  if ('mistakes' in completed) return { ...row, outcome: 'failed', reasons: completed.mistakes };
  return planEvent({ line: row.line ?? 0, ...completed }, { stored, overwriteStatus });
};

/** A refused row was to be written only for its block. */
const failed = (row: ImportRow, reason: string): ImportRow =>
  row.outcome === 'refused'
    ? {
        ...row,
        outcome: 'failed',
        fields: [],
        reasons: [...row.reasons, `its block was not taken: ${reason}`],
      }
    : { ...row, outcome: 'failed', reasons: [reason] };
