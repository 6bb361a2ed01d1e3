import type { Entry } from '../transactions/entry.ts';
import { type GivenOutcomes, type GiveOutcomesDependencies, giveOutcomes } from './give-outcomes.ts';
import { type ReopenDependencies, reopen } from './reopen.ts';
import { type SettleReservedDependencies, settleReserved } from './settle-reserved.ts';
import type { Undecided } from './undecided.ts';
import { undecidedEntries } from './undecided.ts';

export type FinishRestoreDependencies = GiveOutcomesDependencies &
  ReopenDependencies &
  SettleReservedDependencies;

/**
 * What `restore` does after all tables are copied, with what was pending at the moment: it gives the outcomes that the
 * log has, lets the waiter decide the rest, and brings reserved tokens back. It waits for the chain as long as it
 * takes. If it is interrupted, another run ends the same.
 */
export const finishRestore = async (
  dependencies: FinishRestoreDependencies,
  {
    undecided,
    onProgress = () => {},
  }: {
    readonly undecided: Undecided;
    readonly onProgress?: (left: number, what: 'transaction' | 'reserved token') => void;
  },
): Promise<GivenOutcomes> => {
  const decide = async (some: readonly Entry[]) => {
    const given = await giveOutcomes(dependencies, some);
    await reopen(dependencies, {
      entries: given.undecided,
      onProgress: (left) => onProgress(left, 'transaction'),
    });
    return given;
  };
  const entries = await undecidedEntries(dependencies, undecided);
  const given = await decide(entries);
  const { reservations: lost } = undecided;
  await settleReserved(dependencies, {
    lost,
    entries,
    onProgress: (left) => onProgress(left, 'reserved token'),
  });
  // A token comes back with its changes as they were at the moment. Their outcomes were given while it was missing.
  const addresses = new Set(lost.map(({ contract }) => contract));
  await decide(entries.filter(({ purpose }) => 'contract' in purpose && addresses.has(purpose.contract)));
  return given;
};
