import type { Clock } from '../../platform/time/clock.ts';

/**
 * Each page requests its stream again at a random time between these fractions of a signature's or lease's life. So
 * viewers who began at the same time do not all renew at the same time, and a page has time to try again.
 */
const earliestRenewal = 0.55;
const latestRenewal = 0.8;
export const renewalShare = (earliestRenewal + latestRenewal) / 2;

/**
 * Before a fixed end, the fractions of what is left become ever shorter, for all viewers of an event at the same time. So
 * no page is told to ask again sooner than after a least pause, which is drawn from the upper half of this.
 */
const longestLeastPauseSeconds = 60;
const longestLeastPause = (lifeSeconds: number): number =>
  Math.min(longestLeastPauseSeconds, lifeSeconds / 5);

/**
 * In the busiest second before a fixed end, the pages of this many viewers make one call. Found by drawing the calls of
 * 100,000 pages: one call for each 1.55 to 1.73 of the longest least pauses.
 */
export const viewersPerCallBeforeEnd = (lifeSeconds: number): number => longestLeastPause(lifeSeconds) / 1.75;

interface SignedTimes {
  /** When the signature or the lease began. */
  readonly from: number;
  /** When the lease ends, if the viewer's access does not end before. */
  readonly leaseEndsAt: number;
  /** When the signature expires. */
  readonly endsAt: number;
}

/** When a page that plays must request its stream again, in epoch milliseconds. */
export type RenewalOf = (signed: SignedTimes) => number;

/**
 * The last call of a page may come after the end of a viewer's access. If it had to come before, all pages would make
 * it in the same second. It says why the access has ended.
 */
export const createRenewals =
  ({
    clock,
    random,
    lifeSeconds,
  }: {
    readonly clock: Clock;
    /** From 0 to 1. */
    readonly random: () => number;
    /** How long the shortest signature or lease lives whose viewer keeps the access. */
    readonly lifeSeconds: number;
  }): RenewalOf =>
  ({ from, leaseEndsAt, endsAt }) => {
    const now = clock();
    const share = earliestRenewal + (latestRenewal - earliestRenewal) * random();
    const planned = from + share * (leaseEndsAt - from);
    // If access ends before the lease does, the page must renew earlier. If the lease could not be prolonged at the
    // planned time, the page asks again in what is left.
    const early = now + share * (endsAt - now);
    const least = now + ((1 + random()) / 2) * longestLeastPause(lifeSeconds) * 1_000;
    return Math.max(least, planned > now ? Math.min(planned, early) : early);
  };
