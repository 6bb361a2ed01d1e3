import type { Address } from '../../shared/nft/hex.ts';
import type { Event, Stream } from '../../shared/ott/event.ts';
import type { Catalogue, StoredEvent } from '../../shared/ott/ports/catalogue.ts';
import type { TicketHoldings } from '../../shared/ott/ports/ticket-holdings.ts';
import { OperatorError } from '../operator-error.ts';
import type { Entry } from './event-file.ts';
import { findOverlaps, lookedForAtMost, storedBeside } from './import-overlaps.ts';
import {
  type ImportRow,
  type ImportRules,
  type PlannedRow,
  planEntry,
  planEvent,
  refused,
} from './import-plan.ts';
import { judgeTickets } from './ticket-mistakes.ts';

/** How many events are read or written in one batch. */
const eventsAtOnce = 100;
/** How many batches are written concurrently. */
const writersAtOnce = 4;

/** The maximum number of attempts to write one event while other writers keep changing it. */
const attempts = 5;

/** The largest share of the catalogue that an import may delete without `force`. */
const largestDeletion = 0.05;

export interface ImportDependencies {
  readonly catalogue: Catalogue;
  /** Checks whether the tickets' contracts are ERC-721 collections. Called only if the file has tickets. */
  readonly holdings: Pick<TicketHoldings, 'notErc721'>;
  readonly showProgress: (text: string) => void;
}

export interface ImportInput extends ImportRules {
  readonly entries: Iterable<Entry>;
  readonly deleteMissing: boolean;
  readonly force: boolean;
  /** Reports the outcomes without writing anything. */
  readonly dryRun: boolean;
}

/** The state of an import before anything is written. It may have many thousands of rows, so each row is kept small. */
interface Plan {
  readonly rows: ImportRow[];
  /** The event to write for each row, by row index. Kept as JSON to save memory. `undefined` deletes the event. */
  readonly due: Map<number, string | undefined>;
  /** The stream of each event to write, by event id. */
  readonly changing: Map<string, Stream | undefined>;
  readonly idsInFile: Set<string | undefined>;
}

/**
 * Imports the events of a file and returns the outcome for each event. Each event is written atomically. Importing the
 * same file again writes nothing. The whole catalogue is read only if missing events are to be deleted, if some events
 * are not fully indexed, or if the stage signs streams and more than `lookedForAtMost` events change.
 *
 * @throws OperatorError when more events would be deleted than is allowed without `force`. Nothing is written then.
 */
export const importEvents = async (
  dependencies: ImportDependencies,
  input: ImportInput,
): Promise<readonly ImportRow[]> => {
  const { catalogue } = dependencies;
  const { deleteMissing, signing, dryRun, force } = input;
  const plan = await planFile(dependencies, input);
  const { rows, due, changing, idsInFile } = plan;

  const isIndexed = await catalogue.isIndexed();
  const needsStreams = signing !== 'none' && (!isIndexed || changing.size > lookedForAtMost);
  const whole =
    deleteMissing || !isIndexed || needsStreams
      ? await readWhole(dependencies, { isIndexed, dryRun })
      : undefined;
  const missing = deleteMissing && whole ? whole.deletable.filter((id) => !idsInFile.has(id)) : [];
  const stored = whole?.streams ?? (await storedBeside({ catalogue }, { changing, signing }));
  const deleted = new Set(missing);
  const staying = new Map([...stored].filter(([id]) => !deleted.has(id)));

  const overlaps = await findOverlaps({ catalogue }, { changing, stored: staying, signing });
  for (const index of due.keys()) {
    const row = rows[index];
    const reasons = row?.id === undefined ? undefined : overlaps.get(row.id);
    if (row === undefined || reasons === undefined) continue;
    rows[index] = refused(row, reasons);
    due.delete(index);
  }
  for (const id of missing) {
    due.set(rows.length, undefined);
    rows.push({ line: undefined, id, outcome: 'deleted', fields: [], reasons: [] });
  }
  if (deleteMissing && !force) requireFewDeletions({ rows, size: whole?.size ?? 0 });
  if (!dryRun) await writeAll(dependencies, { plan, rules: input });
  return rows;
};

/** Plans an import by comparing the file, batch by batch, with the stored events of the same ids. */
const planFile = async (
  { catalogue, holdings, showProgress }: ImportDependencies,
  { entries, signing, overwriteStatus }: ImportInput,
): Promise<Plan> => {
  const plan: Plan = { rows: [], due: new Map(), changing: new Map(), idsInFile: new Set() };
  const judged = new Map<Address, boolean>();
  for (const together of chunksOf(entries, eventsAtOnce)) {
    const ids = together.flatMap((entry) => ('event' in entry ? [entry.event.id] : []));
    const stored = await catalogue.findAllStored(ids);
    const events = together.flatMap((entry) => ('event' in entry ? [entry.event] : []));
    const notErc721 = await judgeTickets({ holdings }, { events, judged });
    for (const entry of together) {
      const { change, ...row } = planEntry(entry, { stored, signing, overwriteStatus, notErc721 });
      plan.idsInFile.add(entry.id);
      if (change?.after !== undefined && 'event' in entry) {
        plan.due.set(plan.rows.length, JSON.stringify(entry.event));
        plan.changing.set(change.after.id, change.after.stream);
      }
      plan.rows.push(row);
    }
    showProgress(`Compared ${plan.rows.length} events with what is stored`);
  }
  return plan;
};

/**
 * Reads the whole catalogue for an import. Unless it is a dry run, also rewrites events that an older release stored
 * with fewer indexes, so that the next import need not read the whole catalogue.
 */
const readWhole = async (
  { catalogue, showProgress }: ImportDependencies,
  { isIndexed, dryRun }: { readonly isIndexed: boolean; readonly dryRun: boolean },
) => {
  const streams = new Map<string, Stream>();
  const deletable: string[] = [];
  let size = 0;
  let areAllWritten = true;
  const index = async (events: readonly StoredEvent[]) => {
    const outcomes = await catalogue.write(events.map((before) => ({ before, after: before.event })));
    // After a conflict nothing is left to do: the other writer stored the event with all its indexes.
    areAllWritten &&= outcomes.every(({ outcome }) => outcome !== 'failed');
  };
  let lacking: StoredEvent[] = [];
  for await (const { isIndexed: isComplete, ...stored } of catalogue.all()) {
    const { id, status, stream } = stored.event;
    size += 1;
    if (stream !== undefined) streams.set(id, stream);
    if (status !== 'LIVE') deletable.push(id);
    if (!isComplete && !dryRun) lacking.push(stored);
    if (lacking.length >= eventsAtOnce) {
      await index(lacking);
      lacking = [];
    }
    if (size % 1_000 === 0) showProgress(`Read ${size} stored events`);
  }
  await index(lacking);
  if (!isIndexed && !dryRun && areAllWritten) await catalogue.markIndexed();
  return { streams, deletable, size };
};

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
      message: `Nothing was changed: ${refusals.length} events are refused (the first is on line ${first?.line}: ${first?.reasons.join('; ')}), so the file may be incomplete. Use --force if the ${deletions} stored events that are not in the file are to be deleted nevertheless.`,
    });
  }
  if (deletions > size * largestDeletion) {
    throw new OperatorError({
      message: `Nothing was changed: ${deletions} of ${size} events would be deleted, which is more than ${largestDeletion * 100} %. Use --force to delete them.`,
    });
  }
};

/** Writes the due rows in batches, and records the outcome of each. */
const writeAll = async (
  { catalogue, showProgress }: ImportDependencies,
  { plan: { rows, due }, rules }: { readonly plan: Plan; readonly rules: ImportRules },
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
  { catalogue }: Pick<ImportDependencies, 'catalogue'>,
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
      outcomes[index] = { ...(outcomes[index] as ImportRow), outcome: 'failed', reasons: [reason] };
    };
    due = writing.filter(({ index }, position) => {
      const result = results[position];
      if (result?.outcome === 'failed') failWith(index, result.reason);
      if (result?.outcome !== 'conflict') return false;
      if (attempt >= attempts) failWith(index, 'others keep changing this event at the same time; try again');
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
    const event: Event = JSON.parse(source);
    return planEvent({ line: row.line ?? 0, event }, { stored, overwriteStatus });
  }
  if (stored === undefined) return row;
  if (stored.event.status === 'LIVE') return { ...row, outcome: 'failed', reasons: ['has become LIVE'] };
  return { ...row, change: { before: stored } };
};

function* chunksOf<Value>(values: Iterable<Value>, size: number): Generator<Value[]> {
  let chunk: Value[] = [];
  for (const value of values) {
    chunk.push(value);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
