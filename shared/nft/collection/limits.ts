/** The most tokens in one batch: their writes must fit into one DynamoDB transaction of at most 100. */
export const batchTokensAtMost = 95;

/** The highest `max_supply`. A higher limit would make no practical difference. */
export const maxSupplyAtMost = 1_000_000_000;
