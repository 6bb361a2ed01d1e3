import { newCache } from '../../cache.ts';
import type { Countable, Counting, DailyCounts } from '../ports/daily-counts.ts';

/** A process counts at most so many more than a request needs, for the requests that follow … */
const aheadAtMost = 20;
/** … and at most this share of the limit, so that a small limit is met exactly. */
const shareAhead = 1 / 5_000;

/** What is counted already and not yet used. */
interface Credit {
  readonly day: string;
  left: number;
}

/** Applications, and what they have counted, that one function looks at. */
const capacity = 2_000;

const nameOf = ({ application, what }: { readonly application: string; readonly what: Countable }): string =>
  `${what}#${application}`;

/**
 * Daily counts that are taken for several requests at once where the limit is large: all but the first then wait for no
 * write. The limit is never passed. What a process has counted ahead and does not use is lost for the day: at most
 * twenty mints for each process, of a limit of a hundred thousand. What failed is given back to this process's next
 * request.
 */
export const countsAhead = (counts: DailyCounts): DailyCounts => {
  const credits = newCache<Credit>({ capacity, lifetimeMilliseconds: Number.POSITIVE_INFINITY });
  const creditOf = (counting: Counting): Credit | undefined => {
    const credit = credits.get(nameOf(counting));
    return credit?.day === counting.day ? credit : undefined;
  };

  return {
    count: async ({ limit, ...counting }) => {
      const { by, day } = counting;
      const ahead = Math.min(aheadAtMost, Math.floor(limit * shareAhead));
      if (ahead === 0) return counts.count({ ...counting, limit });
      const credit = creditOf(counting);
      if (credit !== undefined && credit.left >= by) {
        credit.left -= by;
        return true;
      }
      // The last of the day are counted one by one.
      if (!(await counts.count({ ...counting, by: by + ahead, limit }))) {
        return counts.count({ ...counting, limit });
      }
      const before = creditOf(counting)?.left ?? 0;
      credits.set(nameOf(counting), { day, left: before + ahead });
      return true;
    },

    giveBack: async (counting) => {
      const credit = creditOf(counting);
      if (credit === undefined) return counts.giveBack(counting);
      credit.left += counting.by;
    },
  };
};
