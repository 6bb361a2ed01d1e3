import * as z from 'zod';

const environments = z.int().min(1).max(10_000);
/** For functions that consume a queue: Lambda reads a queue with at least two of them ("MaximumConcurrency"). */
const queueEnvironments = environments.min(2).max(1_000);

/**
 * Reserved concurrency of functions. Each number is also the function's maximum, so a function that waits for outside
 * services cannot take the account's whole concurrency.
 */
export const concurrencyConfig = z.strictObject({
  /** The waiter, which needs one for each signer with unfinished work. */
  waiter: environments,
  /**
   * The function that starts the waiter: one for each shard of the transaction log's stream, and one for the schedule.
   */
  watcher: environments,
  /** The publisher: ten for each shard of the users table's stream. */
  publisher: environments,
  /** Each of the three calls that sign: deploying, minting and minting a batch. */
  signing: environments,
  /**
   * Each of the five calls that change a collection or its tokens: both kinds of metadata, batches of it, royalties,
   * revocations.
   */
  updating: environments,
  /** The list of events, which an evening's viewers ask for ten times as often as for anything else. */
  lists: environments,
  /** Each of the two other OTT calls: event and stream. */
  ott: environments,
  /** The recorder of notifications and deliveries, which consumes a queue. */
  recorder: queueEnvironments,
  /** The function that puts SNS's log of deliveries into that queue. */
  forwarder: environments,
  /** The function that runs replays, which consumes a queue. */
  replays: queueEnvironments,
});

export type ConcurrencyConfig = z.output<typeof concurrencyConfig>;

/** The part of the account's concurrency that a stage reserves. */
export const reservedEnvironments = (concurrency: ConcurrencyConfig | undefined): number => {
  if (concurrency === undefined) return 0;
  const { signing, updating, ott, ...one } = concurrency;
  return 3 * signing + 5 * updating + 2 * ott + Object.values(one).reduce((sum, each) => sum + each, 0);
};
