import type { Catalogue, StoredEvent } from '../../shared/ott/ports/catalogue.ts';
import { OperatorError } from '../operator-error.ts';
import type { Entry } from './event-file.ts';
import { type ImportRow, type ImportRules, planEvent, planImport } from './import-plan.ts';

/** Changes handed to the catalogue at a time, and how many such at once. */
const changesAtOnce = 100;
const writersAtOnce = 4;

/** How often an event is looked at again that somebody else changes at the same time. */
const attempts = 5;

/** More of the catalogue than this part is not deleted without `force`. */
const largestDeletion = 0.05;

export interface ImportDependencies {
  readonly catalogue: Catalogue;
  /** Told as the work goes on. */
  readonly showProgress: (text: string) => void;
}

export interface ImportInput extends ImportRules {
  readonly entries: readonly Entry[];
  readonly deleteMissing: boolean;
  readonly force: boolean;
  /** Only say what would be done. */
  readonly dryRun: boolean;
}

/**
 * Brings the events of a file into the catalogue, each as a whole or not at all, and says for every one what came of it.
 * To import a file again writes nothing.
 *
 * @throws OperatorError when more would be deleted than goes without `force`; nothing is written then.
 */
export const importEvents = async (
  { catalogue, showProgress }: ImportDependencies,
  { entries, deleteMissing, force, dryRun, signing, overwriteStatus }: ImportInput,
): Promise<readonly ImportRow[]> => {
  const stored = new Map<string, StoredEvent>();
  for await (const each of catalogue.all()) {
    stored.set(each.event.id, each);
    if (stored.size % 1_000 === 0) showProgress(`Read ${stored.size} stored events`);
  }
  const rows = [...planImport({ entries, stored, deleteMissing, signing, overwriteStatus })];
  if (deleteMissing && !force) requireFewDeletions({ rows, size: stored.size });
  if (dryRun) return rows;

  const due = rows.flatMap(({ change }, index) => (change === undefined ? [] : [index]));
  const total = due.length;
  let done = 0;
  const work = async () => {
    for (let next = due.splice(0, changesAtOnce); next.length > 0; next = due.splice(0, changesAtOnce)) {
      const planned = next.map((index) => rows[index] as ImportRow);
      const written = await writeRows({ catalogue }, { rows: planned, overwriteStatus });
      for (const [position, index] of next.entries()) rows[index] = settled(written[position] as ImportRow);
      done += next.length;
      showProgress(`Wrote ${done} of ${total} changes`);
    }
  };
  await Promise.all(Array.from({ length: writersAtOnce }, work));
  return rows;
};

/** Without what it took to write it: many thousands of rows wait for the report. */
const settled = ({ change, source, ...row }: ImportRow): ImportRow => row;

const requireFewDeletions = ({
  rows,
  size,
}: {
  readonly rows: readonly ImportRow[];
  readonly size: number;
}): void => {
  const counts = Object.groupBy(rows, ({ outcome }) => outcome);
  const deletions = counts.deleted?.length ?? 0;
  const refusals = counts.refused ?? [];
  if (deletions === 0) return;
  if (refusals.length > 0) {
    const [first] = refusals;
    throw new OperatorError({
      message: `Nothing was done: ${refusals.length} events are refused (line ${first?.line}: ${first?.reasons.join('; ')}), so the file is not the whole catalogue. --force deletes the ${deletions} missing ones all the same.`,
    });
  }
  if (deletions > size * largestDeletion) {
    throw new OperatorError({
      message: `Nothing was done: ${deletions} of ${size} events would be deleted, which is more than ${largestDeletion * 100} %. --force deletes them.`,
    });
  }
};

/** Writes what is planned, and plans again what somebody else changed meanwhile. */
const writeRows = async (
  { catalogue }: Pick<ImportDependencies, 'catalogue'>,
  { rows, overwriteStatus }: { readonly rows: readonly ImportRow[]; readonly overwriteStatus: boolean },
): Promise<readonly ImportRow[]> => {
  const outcomes = [...rows];
  let due = outcomes.map((row, index) => ({ row, index }));
  for (let attempt = 1; due.length > 0; attempt += 1) {
    const results = await catalogue.write(due.map(({ row }) => row.change ?? {}));
    const again: typeof due = [];
    for (const [position, { row, index }] of due.entries()) {
      const result = results[position];
      if (result?.outcome === 'written') outcomes[index] = row;
      else if (result?.outcome === 'failed') {
        outcomes[index] = { ...row, outcome: 'failed', reasons: [result.reason] };
      } else if (attempt >= attempts) {
        outcomes[index] = {
          ...row,
          outcome: 'failed',
          reasons: ['somebody else changes it at the same time'],
        };
      } else {
        const replanned = await planAgain({ catalogue }, { row, overwriteStatus });
        outcomes[index] = replanned;
        if (replanned.change !== undefined) again.push({ row: replanned, index });
      }
    }
    due = again;
  }
  return outcomes;
};

const planAgain = async (
  { catalogue }: Pick<ImportDependencies, 'catalogue'>,
  { row, overwriteStatus }: { readonly row: ImportRow; readonly overwriteStatus: boolean },
): Promise<ImportRow> => {
  const stored = row.id === undefined ? undefined : await catalogue.findStored(row.id);
  if (row.source !== undefined) {
    return planEvent({ line: row.line ?? 0, event: row.source }, { stored, overwriteStatus });
  }
  if (stored === undefined) return { ...row, change: undefined };
  if (stored.event.status === 'LIVE') {
    return { ...row, outcome: 'failed', reasons: ['is LIVE by now'], change: undefined };
  }
  return { ...row, change: { before: stored } };
};
