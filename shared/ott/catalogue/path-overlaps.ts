import { effectiveStream } from '../events/effective.ts';
import type { Stream } from '../events/event.ts';
import type { Catalogue, RecentPaths } from '../ports/catalogue.ts';
import { type Signing, signedPathOf, signedPlace } from '../streams/signed-path.ts';
import { occupiedPaths } from './occupied-paths.ts';
import type { Overlap } from './overlapping-pairs.ts';

/**
 * The maximum number of changed events that are looked up one by one. If more events have changed, reading the streams
 * of all stored events takes fewer requests.
 */
export const lookedForAtMost = 300;

const lookUpsAtOnce = 8;

type Streams = ReadonlyMap<string, Stream>;

/** A stream that a change moves, adds (without `before`) or removes (without `after`). */
export interface Move {
  readonly before: Stream | undefined;
  readonly after: Stream | undefined;
}
type Moves = ReadonlyMap<string, Move>;
type Paths = ReadonlyMap<string, RecentPaths>;

/** The hosts whose paths the moves change. */
export const hostsOf = (moves: Moves): ReadonlySet<string> =>
  new Set([...moves.values()].flatMap(({ after }) => (after === undefined ? [] : [signedPlace(after).host])));

/** Until when, in epoch milliseconds, `paths` and the index of signed paths together may lack a path. */
export const incompleteUntil = (paths: Paths): number =>
  Math.max(0, ...[...paths.values()].map(({ incompleteUntil: until = 0 }) => until));

/**
 * Reads the stored streams that may overlap with a stream of the moves. Two streams overlap if a signature for one also
 * gives access to the other. The index is for streams that have been where they are; `paths`, which were read before,
 * are for those of the last minute, which the index may not have yet. What another writer moves meanwhile makes the
 * write fail.
 */
export const storedBeside = async (
  { catalogue }: { readonly catalogue: Pick<Catalogue, 'idsSignedNear' | 'findAllStored'> },
  { moves, paths, signing }: { readonly moves: Moves; readonly paths: Paths; readonly signing: Signing },
): Promise<Streams> => {
  if (signing === 'none') return new Map();
  const due = [...moves.values()].flatMap(({ after }) => (after === undefined ? [] : [after]));
  const ids = new Set<string>();
  const work = async () => {
    for (let stream = due.pop(); stream !== undefined; stream = due.pop()) {
      const { host, path, isPrefix: below } = signedPathOf(stream, { signing });
      for await (const id of catalogue.idsSignedNear({ host, path, below })) ids.add(id);
      for (const recent of paths.get(host)?.paths ?? [])
        if (path.startsWith(recent.path) || (below && recent.path.startsWith(path))) ids.add(recent.id);
    }
  };
  await Promise.all(Array.from({ length: lookUpsAtOnce }, work));
  const streams = new Map<string, Stream>();
  for (const { event } of (await catalogue.findAllStored([...ids])).values()) {
    const stream = effectiveStream(event);
    if (stream !== undefined) streams.set(event.id, stream);
  }
  return streams;
};

/**
 * Finds the moves that must be refused, because a signature for the new stream would also give access to another
 * event's stream, or the other way round. Returns the overlaps by event id.
 *
 * The result does not depend on the order of the lines, and each refused stream overlaps with one that stays or is
 * accepted: a refused line never refuses another. Of two new streams that overlap, the one with the narrower path is
 * accepted, so that one path that is too wide does not hold back the events below it. A refused event keeps its stored
 * stream, which then may be in the way of others. Streams that the file does not move are never refused.
 */
export const findOverlaps = ({
  moves,
  stored,
  signing,
}: {
  readonly moves: Moves;
  /** The stored streams that the import does not delete. Streams of events in `moves` are ignored. */
  readonly stored: Streams;
  readonly signing: Signing;
}): ReadonlyMap<string, readonly Overlap[]> => {
  if (signing === 'none') return new Map();
  const staying = [...stored].filter(([id]) => !moves.has(id));
  const wanted = [...moves]
    .flatMap(([id, { before, after }]) => (after === undefined ? [] : [{ id, before, after }]))
    .map((move) => ({ ...move, width: signedPathOf(move.after, { signing }).path.length }))
    .sort(
      (a, b) =>
        Number(a.before === undefined) - Number(b.before === undefined) ||
        b.width - a.width ||
        (a.id < b.id ? -1 : 1),
    );
  const refusals = new Map<string, readonly Overlap[]>();
  let occupied = occupiedPaths(staying, { signing });
  for (let isSettled = false; !isSettled; ) {
    isSettled = true;
    const inTheWay = wanted.flatMap(({ id, before }): [string, Stream][] =>
      refusals.has(id) && before !== undefined ? [[id, before]] : [],
    );
    occupied = occupiedPaths([...staying, ...inTheWay], { signing });
    for (const { id, before, after } of wanted) {
      if (refusals.has(id)) continue;
      const overlaps = occupied.overlapsOf(id, after);
      if (overlaps.length === 0) occupied.add(id, after);
      else {
        refusals.set(id, overlaps);
        isSettled &&= before === undefined;
      }
    }
  }
  // A stream may have been refused because of one that was refused later.
  for (let isAgain = true; isAgain; ) {
    isAgain = false;
    for (const { id, before, after } of wanted) {
      if (!refusals.has(id)) continue;
      if (before !== undefined) occupied.remove(id, before);
      const overlaps = occupied.overlapsOf(id, after);
      if (overlaps.length === 0) {
        isAgain = true;
        refusals.delete(id);
        occupied.add(id, after);
      } else {
        refusals.set(id, overlaps);
        if (before !== undefined) occupied.add(id, before);
      }
    }
  }
  return refusals;
};
