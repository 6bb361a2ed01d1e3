import * as z from 'zod';

const environments = z.int().min(1).max(10_000);

/**
 * How many environments of Lambda are kept for a function. Each number is also the most that the function ever gets, so
 * that what outside services hold up cannot take the account's whole concurrency.
 */
export const concurrencyConfig = z.strictObject({
  /** Of the waiter, which needs one for each signer with unfinished work. */
  waiter: environments,
  /** Of what starts the waiter: one for each shard of the transaction log's stream, and one for the schedule. */
  watcher: environments,
  /** Of the publisher: ten for each shard of the users table's stream. */
  publisher: environments,
  /** Of each of the three calls that sign: deploying, minting and minting a batch. */
  signing: environments,
  /** Of each of the three OTT calls: list, event and stream. */
  ott: environments,
});

export type ConcurrencyConfig = z.output<typeof concurrencyConfig>;

/** What a stage takes of the account's concurrency for itself. */
export const reservedEnvironments = (concurrency: ConcurrencyConfig | undefined): number => {
  if (concurrency === undefined) return 0;
  const { waiter, watcher, publisher, signing, ott } = concurrency;
  return waiter + watcher + publisher + 3 * signing + 3 * ott;
};
