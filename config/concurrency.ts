import * as z from 'zod';

const environments = z.int().min(1).max(10_000);
/** For functions that consume a queue. `MaximumConcurrency` of an SQS event source must be at least 2. */
const queueEnvironments = environments.min(2).max(1_000);

/**
 * How many messages one environment of the publisher of events publishes in a second. In the smallest Regions, SNS
 * accepts 300 a second of the whole account, and changes of users must find room beside an import.
 */
export const eventMessagesPerSecond = 50;

/**
 * Reserved concurrency of functions. Each number is also the maximum concurrency of its function, so a function that
 * waits for other services cannot use up the account's concurrency.
 */
export const concurrencyConfig = z.strictObject({
  /** The waiter, which needs one environment for each signer with unfinished transactions. */
  waiter: environments,
  /**
   * The function that starts the waiter. It needs one environment for each shard of the transaction log's stream, and
   * one for the schedule.
   */
  watcher: environments,
  /** The publisher, which uses up to ten environments for each shard of the users table's stream. */
  publisher: environments,
  /** The publisher of events. Each environment publishes at most `eventMessagesPerSecond` messages a second. */
  eventPublisher: environments,
  /**
   * The number of environments for each of the three functions that deploy a contract, mint a token, and mint a batch.
   */
  signing: environments,
  /**
   * The number of environments for each of the six functions that change a collection or its tokens: a collection's
   * metadata, a token's metadata, the metadata of a batch, royalties, revocations, and users' claims of reserved tokens.
   */
  updating: environments,
  /** The function that lists events. On a busy evening, viewers call it ten times as often as any other function. */
  lists: environments,
  /** The number of environments for each of the two functions that return one event and an event's stream. */
  ott: environments,
  /** The function that serves the calls of editors. */
  editing: environments,
  /** The function that records notifications and deliveries. It consumes a queue. */
  recorder: queueEnvironments,
  /** The function that puts SNS's delivery log into the recorder's queue. */
  forwarder: environments,
  /** The function that runs replays. It consumes a queue. */
  replays: queueEnvironments,
});

export type ConcurrencyConfig = z.output<typeof concurrencyConfig>;

/** How many environments of the account's concurrency a stage reserves. */
export const reservedEnvironments = (concurrency: ConcurrencyConfig | undefined): number => {
  if (concurrency === undefined) return 0;
  const { signing, updating, ott, ...one } = concurrency;
  return 3 * signing + 6 * updating + 2 * ott + Object.values(one).reduce((sum, each) => sum + each, 0);
};
