import { isMoved, movedBy } from '../../../shared/ott/catalogue/event-mistakes.ts';
import type { Overlap } from '../../../shared/ott/catalogue/overlapping-pairs.ts';
import {
  areComplete,
  findOverlaps,
  hostsOf,
  type Move,
  storedBeside,
} from '../../../shared/ott/catalogue/path-overlaps.ts';
import { effectiveStream } from '../../../shared/ott/events/effective.ts';
import type { Stream } from '../../../shared/ott/events/event.ts';
import type {
  Catalogue,
  ChangeOutcome,
  EventChange,
  RecentPaths,
} from '../../../shared/ott/ports/catalogue.ts';
import type { Signing } from '../../../shared/ott/streams/signed-path.ts';

export type JudgedOutcome =
  | ChangeOutcome
  | { readonly outcome: 'overlapping'; readonly overlaps: readonly Overlap[] };

export interface PathJudge {
  /** Writes changes of the import. One that overlaps with what others have written meanwhile is not written. */
  write(changes: readonly EventChange[]): Promise<readonly JudgedOutcome[]>;
}

/**
 * Writes changes whose moves were judged together against `paths`. If somebody else has moved a path of the same hosts
 * since, each batch is judged again before it is written, one batch after the other. So is a batch with a move that was
 * not judged: of an event that somebody has deleted or moved since it was compared, and that the file brings back.
 */
export const pathJudge = (
  { catalogue }: { readonly catalogue: Catalogue },
  {
    moves: judged,
    paths,
    signing,
  }: {
    readonly moves: ReadonlyMap<string, Move>;
    readonly paths: Map<string, RecentPaths> | undefined;
    readonly signing: Signing;
  },
): PathJudge => {
  const wasJudged = (change: EventChange): boolean => {
    const move = movedBy(change);
    return paths === undefined || move === undefined || !isMoved(judged.get(move.id)?.after, move.after);
  };
  let isJudged = true;
  let turn: Promise<unknown> = Promise.resolve();

  const writeJudged = async (changes: readonly EventChange[]): Promise<readonly JudgedOutcome[]> => {
    const moves = new Map(
      changes.flatMap((change) => movedBy(change) ?? []).map(({ id, ...move }) => [id, move]),
    );
    const fresh = await catalogue.recentPaths(hostsOf(moves));
    const stored = areComplete(fresh)
      ? await storedBeside({ catalogue }, { moves, paths: fresh, signing })
      : await streamsOf(catalogue);
    const overlaps = findOverlaps({ moves, stored, signing });
    const isAllowed = ({ after }: EventChange) => !overlaps.has(after?.id ?? '');
    const written = (await catalogue.write(changes.filter(isAllowed), fresh)).values();
    return changes.map((change): JudgedOutcome => {
      const found = overlaps.get(change.after?.id ?? '');
      return found === undefined
        ? (written.next().value as ChangeOutcome)
        : { outcome: 'overlapping', overlaps: found };
    });
  };

  return {
    write: async (changes) => {
      if (isJudged && changes.every(wasJudged)) {
        const outcomes = await catalogue.write(changes, paths);
        isJudged &&= outcomes.every(({ outcome }) => outcome !== 'paths-changed');
        return outcomes;
      }
      const writing = turn.then(() => writeJudged(changes));
      turn = writing.catch(() => {});
      return writing;
    },
  };
};

const streamsOf = async (catalogue: Pick<Catalogue, 'all'>): Promise<ReadonlyMap<string, Stream>> => {
  const streams = new Map<string, Stream>();
  for await (const { event } of catalogue.all()) {
    const stream = effectiveStream(event);
    if (stream !== undefined) streams.set(event.id, stream);
  }
  return streams;
};
