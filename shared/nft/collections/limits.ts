/**
 * The maximum number of tokens in one batch. All writes of a batch must fit into one DynamoDB transaction, which is
 * limited to 100 writes.
 */
export const batchTokensAtMost = 95;

/** The highest `max_supply`. A higher limit would make no practical difference. */
export const maxSupplyAtMost = 1_000_000_000;
