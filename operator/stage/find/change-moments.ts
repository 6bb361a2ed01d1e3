import type { Changes, RecordedChange, RecordedChanges } from '../../../shared/nft/ports/changes.ts';
import type { LoggedEntry } from '../../../shared/nft/transactions/entry.ts';
import type { EntryKey } from '../../../shared/nft/waiter/operator-actions.ts';
import { inParallel } from '../../../shared/platform/in-parallel.ts';
import { nothingUnlessDenied } from '../../platform/terminal/access-denied.ts';
import { type EntryTimelineDependencies, entryMoments } from './entry-timeline.ts';
import { moment, type TimedMoment, unknown } from './timeline.ts';

export interface ChangeTimelineDependencies extends EntryTimelineDependencies {
  readonly changes: Changes;
}

interface ChangesOfThing {
  readonly read: (changes: Changes) => Promise<RecordedChanges>;
}

/** How many of the newest changes are shown in detail. */
const toldInFull = 20;
/**
 * The maximum number of changes shown, newest first: `toldInFull` of them in full, the others in one line each. Of older
 * changes, only the number is shown.
 */
const toldAtMost = 100;

const entriesAtOnce = 5;

/**
 * All timeline lines of these changes. The lines of a log entry include those of the entry that it supersedes. So a
 * superseded entry adds no lines of its own if the superseding entry is also among the changes.
 */
const fullMoments = async (
  dependencies: ChangeTimelineDependencies,
  keys: readonly EntryKey[],
): Promise<TimedMoment[]> => {
  const { transactionLog } = dependencies;
  const entries = await inParallel(keys, {
    atOnce: entriesAtOnce,
    run: (key) => transactionLog.find(key),
  });
  const isTakenOver = ({ signer, nonce }: LoggedEntry): boolean =>
    entries.some((other) => other?.supersedes === nonce && other.signer === signer);
  const told = await inParallel([...entries.entries()], {
    atOnce: entriesAtOnce,
    run: async ([index, entry]) => {
      if (entry === undefined)
        return [
          unknown(
            `a change was recorded with nonce ${keys[index]?.nonce}, but the transaction log has no entry for this nonce`,
          ),
        ];
      return isTakenOver(entry) ? [] : entryMoments(dependencies, entry, { isNamed: true });
    },
  });
  return told.flat();
};

const olderMoments = (older: readonly RecordedChange[], isMore: boolean): TimedMoment[] => {
  const lines = older.slice(0, toldAtMost - toldInFull);
  const untold = isMore
    ? 'further older changes, which this command does not read,'
    : `${older.length - lines.length} older changes`;
  return [
    ...(older.length > lines.length || isMore ? [unknown(`${untold} are not shown here`)] : []),
    ...lines
      .toReversed()
      .map(({ signedAt, nonce }) =>
        moment(signedAt, `nonce ${nonce}: a change was recorded; find the nonce for its own timeline`),
      ),
  ];
};

/**
 * Reads the recorded changes. If they cannot be read, `said` is a timeline line that says so.
 */
const readChanges = async (
  changes: Changes,
  { read }: ChangesOfThing,
): Promise<RecordedChanges & { readonly said: readonly TimedMoment[] }> => {
  try {
    return { ...(await read(changes)), said: [] };
  } catch (cause) {
    nothingUnlessDenied(cause);
    const reason = cause instanceof Error ? cause.message : cause;
    return { changes: [], isMore: false, said: [unknown(`the recorded changes cannot be read: ${reason}`)] };
  }
};

/**
 * The changes of a collection or token since its creation, oldest first. `known` are changes that are shown even if the
 * index lacks them.
 */
export const changeMoments = async (
  dependencies: ChangeTimelineDependencies,
  { known = [], ...thing }: ChangesOfThing & { readonly known?: readonly EntryKey[] },
): Promise<TimedMoment[]> => {
  const { changes: recorded, isMore, said } = await readChanges(dependencies.changes, thing);
  const unindexed = known.filter(
    ({ signer, nonce }) => !recorded.some((each) => each.nonce === nonce && each.signer === signer),
  );
  return [
    ...said,
    ...olderMoments(recorded.slice(toldInFull), isMore),
    ...(await fullMoments(dependencies, [...unindexed, ...recorded.slice(0, toldInFull).toReversed()])),
  ];
};
