import { inParallel } from '../../shared/in-parallel.ts';
import type { CollectionKey } from '../../shared/nft/collection/nft.ts';
import type { Entry } from '../../shared/nft/entry.ts';
import type { Changes, RecordedChange, RecordedChanges } from '../../shared/nft/ports/changes.ts';
import { nothingUnlessDenied } from '../access-denied.ts';
import { type EntryTimelineDependencies, entryMoments } from './entry-timeline.ts';
import { moment, type TimedMoment, unknown } from './timeline.ts';

export interface ChangeTimelineDependencies extends EntryTimelineDependencies {
  readonly changes: Changes;
}

interface ChangesOfThing {
  readonly collection: CollectionKey;
  readonly read: (changes: Changes) => Promise<RecordedChanges>;
}

type Place = Pick<RecordedChange, 'signer' | 'nonce'>;

/** The newest changes are shown in detail, older ones in one line each, and those before them are only counted. */
const toldInFull = 20;
const toldAtMost = 100;

const entriesAtOnce = 5;

const oldIndex = unknown(
  'it is older than the index of what changes a collection: earlier changes are found by their hash or nonce',
);

/** A superseded entry is shown with its successor, and not on its own. */
const fullMoments = async (
  dependencies: ChangeTimelineDependencies,
  places: readonly Place[],
): Promise<TimedMoment[]> => {
  const { transactionLog } = dependencies;
  const entries = await inParallel(places, {
    atOnce: entriesAtOnce,
    run: (place) => transactionLog.find(place),
  });
  const isTakenOver = ({ signer, nonce }: Entry): boolean =>
    entries.some((other) => other?.supersedes === nonce && other.signer === signer);
  const told = await inParallel([...entries.entries()], {
    atOnce: entriesAtOnce,
    run: async ([index, entry]) => {
      if (entry === undefined)
        return [unknown(`it was changed; the log has no entry of nonce ${places[index]?.nonce}`)];
      return isTakenOver(entry) ? [] : entryMoments(dependencies, entry, { isNamed: true });
    },
  });
  return told.flat();
};

const olderMoments = (older: readonly RecordedChange[], isMore: boolean): TimedMoment[] => {
  const lines = older.slice(0, toldAtMost - toldInFull);
  const untold = isMore ? 'more than this command reads' : `${older.length - lines.length} of them`;
  return [
    ...(older.length > lines.length || isMore
      ? [unknown(`older changes, ${untold}, are not shown here`)]
      : []),
    ...lines
      .toReversed()
      .map(({ signedAt, nonce }) =>
        moment(signedAt, `nonce ${nonce}: recorded, and changed it; the nonce has a timeline of its own`),
      ),
  ];
};

/** A stage that was deployed before the index existed has none; then this is all there is to show. */
const readChanges = async (
  changes: Changes,
  { collection, read }: ChangesOfThing,
): Promise<RecordedChanges & { readonly said: readonly TimedMoment[] }> => {
  try {
    const [recorded, isWhole] = await Promise.all([read(changes), changes.isWhole(collection)]);
    return { ...recorded, said: isWhole ? [] : [oldIndex] };
  } catch (cause) {
    nothingUnlessDenied(cause);
    const reason = cause instanceof Error ? cause.message : cause;
    return { changes: [], isMore: false, said: [unknown(`its changes cannot be read: ${reason}`)] };
  }
};

/** Changes of a collection or a token since it was made, oldest first. */
export const changeMoments = async (
  dependencies: ChangeTimelineDependencies,
  { known = [], ...thing }: ChangesOfThing & { readonly known?: readonly Place[] },
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
