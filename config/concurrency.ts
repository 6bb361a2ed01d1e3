import * as z from 'zod';

const environments = z.int().min(1).max(10_000);
/** Of what works off a queue: Lambda reads a queue with at least two of them ("MaximumConcurrency"). */
const queueEnvironments = environments.min(2).max(1_000);

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
  /** Of each of the four calls that change a collection or its tokens: both kinds of metadata, batches of it, royalties. */
  updating: environments,
  /** Of each of the three OTT calls: list, event and stream. */
  ott: environments,
  /** Of what records notifications and their deliveries, from a queue. */
  recorder: queueEnvironments,
  /** Of what puts SNS's log of deliveries into that queue. */
  forwarder: environments,
  /** Of what sends notifications again, from a queue. */
  replays: queueEnvironments,
});

export type ConcurrencyConfig = z.output<typeof concurrencyConfig>;

/** What a stage takes of the account's concurrency for itself. */
export const reservedEnvironments = (concurrency: ConcurrencyConfig | undefined): number => {
  if (concurrency === undefined) return 0;
  const { signing, updating, ott, ...one } = concurrency;
  return 3 * signing + 4 * updating + 3 * ott + Object.values(one).reduce((sum, each) => sum + each, 0);
};
