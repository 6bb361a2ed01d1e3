import { ServiceUnavailableError } from '../../platform/errors.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { effectiveStream } from '../events/effective.ts';
import type { Stream } from '../events/event.ts';
import type { Catalogue, ChangeOutcome, EventChange, RecentPaths } from '../ports/catalogue.ts';
import type { Signing } from '../streams/signed-path.ts';
import { isMoved, movedBy } from './event-mistakes.ts';
import type { Overlap } from './overlapping-pairs.ts';
import {
  findOverlaps,
  hostsOf,
  incompleteUntil,
  lookedForAtMost,
  type Move,
  storedBeside,
} from './path-overlaps.ts';

export type Streams = ReadonlyMap<string, Stream>;

export interface JudgePathsDependencies {
  readonly catalogue: Pick<Catalogue, 'recentPaths' | 'idsSignedNear' | 'findAllStored'>;
  readonly clock: Clock;
  readonly signing: Signing;
  /**
   * The streams of all events, where the index of signed paths cannot say which overlap: so many paths of a host were
   * moved within the last minute that `recentPaths` does not have them all. @default the work is refused until then
   */
  readonly allStreams?: (() => Promise<Streams>) | undefined;
}

export interface PathJudgement {
  readonly moves: ReadonlyMap<string, Move>;
  /**
   * The paths of the hosts with which the moves were compared, for the writes. `undefined`: the stage signs nothing.
   */
  readonly paths: Map<string, RecentPaths> | undefined;
  /** By the id of the event that must not be moved. */
  readonly overlaps: ReadonlyMap<string, readonly Overlap[]>;
}

/**
 * Compares the streams that changes move with each other, and with all others.
 *
 * @throws ServiceUnavailableError if so many paths of a host were moved within the last minute that overlaps cannot be
 * ruled out, and nobody reads all streams.
 */
export const judgePaths = async (
  { catalogue, clock, signing, allStreams }: JudgePathsDependencies,
  {
    moves,
    deleted = new Set(),
  }: {
    readonly moves: ReadonlyMap<string, Move>;
    /** The events that are deleted together with the moves. @default none */
    readonly deleted?: ReadonlySet<string>;
  },
): Promise<PathJudgement> => {
  if (signing === 'none') return { moves, paths: undefined, overlaps: new Map() };
  const paths = await catalogue.recentPaths(hostsOf(moves));
  const until = incompleteUntil(paths);
  const isIncomplete = until > clock();
  if (isIncomplete && allStreams === undefined) {
    throw new ServiceUnavailableError({
      message: 'Too many paths of the host were moved within the last minute',
      retryAfterSeconds: Math.ceil((until - clock()) / 1_000),
    });
  }
  const stored =
    allStreams !== undefined && (isIncomplete || moves.size > lookedForAtMost)
      ? await allStreams()
      : await storedBeside({ catalogue }, { moves, paths, signing });
  const staying = new Map([...stored].filter(([id]) => !deleted.has(id)));
  return { moves, paths, overlaps: findOverlaps({ moves, stored: staying, signing }) };
};

export const movesOf = (changes: readonly EventChange[]): ReadonlyMap<string, Move> =>
  new Map(changes.flatMap((change) => movedBy(change) ?? []).map(({ id, ...move }) => [id, move]));

export type JudgedOutcome =
  | ChangeOutcome
  | { readonly outcome: 'overlapping'; readonly overlaps: readonly Overlap[] };

/**
 * Writes changes whose streams do not overlap with others. Changes that were judged together are written as they are.
 * If somebody else has moved a path of the same hosts since, each batch is judged again before it is written, one batch
 * after the other. So is a batch with a move that was not judged: of an event that somebody has deleted or moved since,
 * and that a file brings back.
 */
export const writerOfJudged = (
  dependencies: JudgePathsDependencies & { readonly catalogue: Pick<Catalogue, 'write'> },
  judged: PathJudgement,
): ((changes: readonly EventChange[]) => Promise<readonly JudgedOutcome[]>) => {
  const { catalogue } = dependencies;
  const wasJudged = (change: EventChange): boolean => {
    const move = movedBy(change);
    return (
      judged.paths === undefined ||
      move === undefined ||
      !isMoved(judged.moves.get(move.id)?.after, move.after)
    );
  };
  let isJudged = true;
  let turn: Promise<unknown> = Promise.resolve();

  const writeAnew = async (changes: readonly EventChange[]): Promise<readonly JudgedOutcome[]> => {
    const { paths, overlaps } = await judgePaths(dependencies, { moves: movesOf(changes) });
    const isAllowed = ({ after }: EventChange) => !overlaps.has(after?.id ?? '');
    const written = (await catalogue.write(changes.filter(isAllowed), paths)).values();
    return changes.map((change): JudgedOutcome => {
      const found = overlaps.get(change.after?.id ?? '');
      return found === undefined
        ? (written.next().value as ChangeOutcome)
        : { outcome: 'overlapping', overlaps: found };
    });
  };

  return async (changes) => {
    if (isJudged && changes.every(wasJudged)) {
      const outcomes = await catalogue.write(changes, judged.paths);
      isJudged &&= outcomes.every(({ outcome }) => outcome !== 'paths-changed');
      return outcomes;
    }
    const writing = turn.then(() => writeAnew(changes));
    turn = writing.catch(() => {});
    return writing;
  };
};

/** Nothing was judged yet: each change that moves a stream is. */
export const nothingJudged = (): PathJudgement => ({
  moves: new Map(),
  paths: new Map(),
  overlaps: new Map(),
});

/** The streams of all stored events. */
export const streamsOf = async (catalogue: Pick<Catalogue, 'all'>): Promise<Streams> => {
  const streams = new Map<string, Stream>();
  for await (const { event } of catalogue.all()) {
    const stream = effectiveStream(event);
    if (stream !== undefined) streams.set(event.id, stream);
  }
  return streams;
};
