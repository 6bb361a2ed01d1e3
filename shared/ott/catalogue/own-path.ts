import type { Clock } from '../../platform/clock.ts';
import { ServiceUnavailableError } from '../../platform/errors.ts';
import type { Catalogue, EventChange, RecentPaths } from '../ports/catalogue.ts';
import type { Signing } from '../streams/signed-path.ts';
import { PathOverlapsError } from './errors.ts';
import { movedBy } from './event-mistakes.ts';
import type { Overlap } from './overlapping-pairs.ts';
import { findOverlaps, hostsOf, storedBeside } from './path-overlaps.ts';

interface OwnPathDependencies {
  readonly catalogue: Pick<Catalogue, 'recentPaths' | 'idsSignedNear' | 'findAllStored'>;
  readonly clock: Clock;
}

type OwnPathInput = EventChange & { readonly signing: Signing };

/**
 * Checks the path of one event that changes. Returns the paths of the path's host with which it was compared, for the
 * write. `undefined` if the change moves no path, or the stage signs nothing.
 *
 * @throws PathOverlapsError, ServiceUnavailableError if so many paths of the host were moved within the last minute
 * that overlaps cannot be ruled out.
 */
export const requireOwnPath = async (
  dependencies: OwnPathDependencies,
  input: OwnPathInput,
): Promise<Map<string, RecentPaths> | undefined> => {
  const { id = '', paths, overlaps } = (await comparedPath(dependencies, input)) ?? {};
  if (overlaps !== undefined) throw new PathOverlapsError({ id, overlaps });
  return paths;
};

/**
 * Compares the path of one event that changes with those of all others. `undefined` if the change moves no path, or the
 * stage signs nothing.
 *
 * @throws ServiceUnavailableError as `requireOwnPath`
 */
export const comparedPath = async (
  { catalogue, clock }: OwnPathDependencies,
  { signing, ...change }: OwnPathInput,
): Promise<
  | {
      readonly id: string;
      readonly paths: Map<string, RecentPaths>;
      /** `undefined`: the path is free. */
      readonly overlaps: readonly Overlap[] | undefined;
    }
  | undefined
> => {
  const move = movedBy(change);
  if (signing === 'none' || move === undefined) return undefined;
  const { id } = move;
  const moves = new Map([[id, move]]);
  const paths = await catalogue.recentPaths(hostsOf(moves));
  const until = Math.max(...[...paths.values()].map(({ incompleteUntil = 0 }) => incompleteUntil));
  if (until > clock()) {
    throw new ServiceUnavailableError({
      message: 'Too many paths of the host were moved within the last minute',
      retryAfterSeconds: Math.ceil((until - clock()) / 1_000),
    });
  }
  const stored = await storedBeside({ catalogue }, { moves, paths, signing });
  const [overlaps] = findOverlaps({ moves, stored, signing }).values();
  return { id, paths, overlaps };
};
