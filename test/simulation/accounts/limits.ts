/** The promise that an erasure resets no limit: what a user has done counts, whichever registration did it. */
import type { Store } from '../store.ts';
import { environment } from './service.ts';

/** How often a user may erase the account in a day. */
const erasuresPerDay = 2;

export type Limits = ReturnType<typeof watchLimits>;

export const watchLimits = ({
  store,
  changesPerHour,
  onViolation,
}: {
  readonly store: Store;
  readonly changesPerHour: number;
  readonly onViolation: (what: string) => void;
}) => {
  const counts = new Map<string, { changes: number; ends: number; removals: number }>();
  const countsOf = (userSub: string) => {
    const own = counts.get(userSub) ?? { changes: 0, ends: 0, removals: 0 };
    counts.set(userSub, own);
    return own;
  };
  // No world lasts longer than an hour, and nobody but the user changes the user's data.
  store.watch(({ table, after }) => {
    if (table !== environment.USERS_TABLE || after === undefined) return;
    const userSub = String(after.user_sub);
    const own = countsOf(userSub);
    if (after.is_removed === true) own.ends += 1;
    else own.changes += 1;
    if (own.changes > changesPerHour) onViolation(`${userSub} makes ${own.changes} changes within an hour`);
    if (own.ends > erasuresPerDay + own.removals)
      onViolation(
        `${userSub} was erased ${own.ends} times in a day, ${own.removals} times at most by the operator`,
      );
  });
  return {
    /** Called before each try to remove a user who need not have asked for it. */
    onRemoval: (userSub: string): void => {
      countsOf(userSub).removals += 1;
    },
  };
};
