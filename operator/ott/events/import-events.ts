import type { Address } from '../../../shared/chain/hex.ts';
import { isMoved } from '../../../shared/ott/catalogue/event-mistakes.ts';
import { overlapText } from '../../../shared/ott/catalogue/overlapping-pairs.ts';
import {
  areComplete,
  findOverlaps,
  hostsOf,
  lookedForAtMost,
  type Move,
  storedBeside,
} from '../../../shared/ott/catalogue/path-overlaps.ts';
import { hasOtherTickets, judgeTickets } from '../../../shared/ott/catalogue/ticket-mistakes.ts';
import { effectiveStatus, effectiveStream } from '../../../shared/ott/events/effective.ts';
import type { Stream } from '../../../shared/ott/events/event.ts';
import { isEventId } from '../../../shared/ott/events/event-record.ts';
import type { Catalogue } from '../../../shared/ott/ports/catalogue.ts';
import type { TicketHoldings } from '../../../shared/ott/ports/ticket-holdings.ts';
import type { Clock } from '../../../shared/platform/clock.ts';
import { counted, part } from '../../platform/terminal/counted.ts';
import { OperatorError } from '../../platform/terminal/operator-error.ts';
import { chunksOf, eventsAtOnce } from './chunks.ts';
import { completeEvent } from './complete-event.ts';
import { planBlock } from './import-blocks.ts';
import type { ImportEntry } from './import-entry.ts';
import { type ImportRow, type ImportRules, type PlannedRow, planEntry, refused } from './import-plan.ts';
import { writeAll } from './import-writes.ts';

/** The largest share of the catalogue that an import may delete, unless its brake is lifted. */
const largestDeletion = 0.05;

/**
 * What keeps an import from deleting missing events: events of the file that are `refused`, because the file may be
 * incomplete, and too many `deletions`.
 */
export const brakes = ['refused', 'deletions'] as const;
export type Brake = (typeof brakes)[number];

export interface ImportDependencies {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  /** Checks whether the tickets' contracts are ERC-721 collections. Called only for events that get other tickets. */
  readonly holdings: Pick<TicketHoldings, 'notErc721'>;
  readonly showProgress: (text: string) => void;
  /**
   * Called before anything is written, if LIVE events would open: with the rows that loosen their restrictions.
   * Nothing is written if it rejects. @default nobody is asked
   */
  readonly requireConsent?: ((openings: readonly ImportRow[]) => Promise<void>) | undefined;
}

export interface ImportInput extends Omit<ImportRules, 'now'> {
  readonly entries: Iterable<ImportEntry>;
  readonly deleteMissing: boolean;
  /** The brakes that do not hold. Each lifts only itself. */
  readonly force: readonly Brake[];
  /** Reports the outcomes without writing anything. */
  readonly dryRun: boolean;
}

/** The state of an import before anything is written. It may have many thousands of rows, so each row is kept small. */
interface Plan {
  readonly rows: ImportRow[];
  /**
   * The fields in the file for each row to write, by row index. Kept as JSON to save memory. `undefined` deletes the
   * event.
   */
  readonly due: Map<number, string | undefined>;
  /**
   * For each row that is refused, or may be refused because it moves a stream, the block to write, by row index (see
   * import-blocks.ts).
   */
  readonly blocks: Map<number, { readonly row: ImportRow; readonly source: string }>;
  /** The streams that the import would move, add or remove, by event id. */
  readonly moves: Map<string, Move>;
  readonly idsInFile: Set<string | undefined>;
}

/**
 * Imports the events of a file and returns the outcome for each event. Each event is written atomically. Importing the
 * same file again writes nothing. The whole catalogue is read only if missing events are to be deleted, or if the stage
 * signs streams and more than `lookedForAtMost` events change.
 *
 * @throws HeldImportError when a brake holds that is not lifted. Nothing is written then.
 */
export const importEvents = async (
  dependencies: ImportDependencies,
  input: ImportInput,
): Promise<readonly ImportRow[]> => {
  const { catalogue } = dependencies;
  const { deleteMissing, signing, dryRun, force } = input;
  const plan = await planFile(dependencies, input);
  const { rows, due, moves, idsInFile } = plan;

  const paths = signing === 'none' ? undefined : await catalogue.recentPaths(hostsOf(moves));
  const needsStreams = paths !== undefined && (moves.size > lookedForAtMost || !areComplete(paths));
  const whole = deleteMissing || needsStreams ? await readWhole(dependencies) : undefined;
  const missing = deleteMissing && whole ? whole.deletable.filter((id) => !idsInFile.has(id)) : [];
  const stored =
    whole?.streams ?? (await storedBeside({ catalogue }, { moves, paths: paths ?? new Map(), signing }));
  const deleted = new Set(missing);
  const staying = new Map([...stored].filter(([id]) => !deleted.has(id)));

  const overlaps = findOverlaps({ moves, stored: staying, signing });
  for (const index of due.keys()) {
    const row = rows[index];
    const found = row?.id === undefined ? undefined : overlaps.get(row.id);
    if (row === undefined || found === undefined) continue;
    rows[index] = refused(row, found.map(overlapText));
    due.delete(index);
  }
  takeBlocks(plan);
  for (const id of missing) {
    due.set(rows.length, undefined);
    rows.push({ line: undefined, id, outcome: 'deleted', fields: [], reasons: [] });
  }
  if (deleteMissing) requireNoBrake({ rows, size: whole?.size ?? 0, force });
  const openings = [...due.keys()].flatMap((index) => rows[index] ?? []).filter(({ opensLive }) => opensLive);
  if (!dryRun && openings.length > 0) await dependencies.requireConsent?.(openings);
  if (!dryRun) await writeAll(dependencies, { plan, paths, rules: input });
  return rows;
};

/** Plans an import by comparing the file, batch by batch, with the stored events of the same ids. */
const planFile = async (
  { catalogue, clock, holdings, showProgress }: ImportDependencies,
  { entries, signing, overwriteStatus }: ImportInput,
): Promise<Plan> => {
  const plan: Plan = { rows: [], due: new Map(), blocks: new Map(), moves: new Map(), idsInFile: new Set() };
  const firstLines = new Map<string, number>();
  const judged = new Map<Address, boolean>();
  for (const together of chunksOf(entries, eventsAtOnce)) {
    const now = clock();
    const stored = await catalogue.findAllStored(
      together.flatMap(({ id }) => (id !== undefined && isEventId(id) ? [id] : [])),
    );
    const completed = together.map((entry) => completeEvent(entry, stored.get(entry.id ?? '')?.event, now));
    const events = completed.flatMap((each) =>
      'event' in each && hasOtherTickets(stored.get(each.event.id)?.event, each.event) ? [each.event] : [],
    );
    const notErc721 = await judgeTickets({ holdings }, { events, judged });
    for (const [index, entry] of together.entries()) {
      const each = completed[index];
      const before = stored.get(entry.id ?? '');
      if (each === undefined) continue;
      const rules = { completed: each, stored: before, signing, overwriteStatus, now, notErc721 };
      const { change, ...row } = withoutRepetition(planEntry(entry, rules), firstLines);
      plan.idsInFile.add(entry.id);
      if (change?.after !== undefined) {
        const { id } = change.after;
        plan.due.set(plan.rows.length, JSON.stringify(entry.fields));
        const [was, stream] = [before && effectiveStream(before.event), effectiveStream(change.after)];
        if (isMoved(was, stream)) plan.moves.set(id, { before: was, after: stream });
      }
      if (row.outcome === 'refused' || plan.moves.has(row.id ?? '')) {
        const { fields } = entry;
        const { change: block, ...blocked } = planBlock(refused(row, row.reasons), {
          fields,
          stored: before,
          overwriteStatus,
          now,
        });
        if (block) plan.blocks.set(plan.rows.length, { row: blocked, source: JSON.stringify(fields) });
      }
      plan.rows.push(row);
    }
    showProgress(`Compared ${plan.rows.length} events with what is stored`);
  }
  return plan;
};

/**
 * Adds the blocks of refused rows to the writes. If a file has several rows for one event, an accepted row decides,
 * otherwise the first row that has a block.
 */
const takeBlocks = ({ rows, due, blocks }: Plan): void => {
  const decided = new Set(rows.flatMap(({ id, outcome }) => (outcome === 'refused' ? [] : [id])));
  for (const [index, { row, source }] of blocks) {
    const planned = rows[index];
    if (planned?.outcome !== 'refused' || decided.has(row.id)) continue;
    rows[index] = { ...row, reasons: planned.reasons };
    due.set(index, source);
    decided.add(row.id);
  }
};

/** Refuses an event whose id an earlier line has used, unless that line was refused. */
const withoutRepetition = (row: PlannedRow, firstLines: Map<string, number>): PlannedRow => {
  if (row.id === undefined || row.line === undefined || row.outcome === 'refused') return row;
  const first = firstLines.get(row.id);
  if (first !== undefined) return refused(row, [`event_id: is already used by the event on line ${first}`]);
  firstLines.set(row.id, row.line);
  return row;
};

const readWhole = async ({ catalogue, clock, showProgress }: ImportDependencies) => {
  const streams = new Map<string, Stream>();
  const deletable: string[] = [];
  let size = 0;
  for await (const { event } of catalogue.all()) {
    const { id } = event;
    const stream = effectiveStream(event);
    size += 1;
    if (stream !== undefined) streams.set(id, stream);
    if (effectiveStatus(event, clock()) !== 'LIVE') deletable.push(id);
    if (size % 1_000 === 0) showProgress(`Read ${size} stored events`);
  }
  return { streams, deletable, size };
};

/** An import whose deletions are held: nothing was written. */
export class HeldImportError extends OperatorError {
  /** What the import would do. */
  readonly rows: readonly ImportRow[];

  constructor({ message, rows }: { readonly message: string; readonly rows: readonly ImportRow[] }) {
    super({ message });
    this.rows = rows;
  }
}

const requireNoBrake = ({
  rows,
  size,
  force,
}: {
  readonly rows: readonly ImportRow[];
  readonly size: number;
  readonly force: readonly Brake[];
}): void => {
  const counts = Object.groupBy(rows, ({ outcome }) => outcome);
  const deletions = counts.deleted?.length ?? 0;
  const [first, ...others] = counts.refused ?? [];
  if (deletions === 0) return;
  const where =
    first && `${others.length > 0 ? 'the first is ' : ''}on line ${first.line}: ${first.reasons.join('; ')}`;
  const holding: Record<Brake, string | undefined> = {
    refused:
      first &&
      `${counted(others.length + 1, 'event of the file is', 'events of the file are')} refused (${where}), so the file may be incomplete. Correct it, or add --force refused to delete ${deletions === 1 ? 'the stored event that is' : `the ${deletions} stored events that are`} not in the file nevertheless.`,
    deletions:
      deletions > size * largestDeletion
        ? `${part(deletions, size, 'event')} would be deleted, which is more than ${largestDeletion * 100} %. Add --force deletions to delete ${deletions === 1 ? 'it' : 'them'}.`
        : undefined,
  };
  const held = brakes.flatMap((brake) => (force.includes(brake) ? [] : (holding[brake] ?? [])));
  if (held.length > 0)
    throw new HeldImportError({ message: ['Nothing was changed.', ...held].join('\n'), rows });
};
