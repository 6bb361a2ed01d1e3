/**
 * The maximum number of tokens in one request: of a batch that is minted or reserved, and of new metadata. All writes of
 * a request must fit into one DynamoDB transaction, which is limited to 100 writes. What is stored may have more tokens:
 * nothing that reads it relies on this limit.
 */
export const batchTokensAtMost = 95;

/** The highest `max_supply`. A higher limit would make no practical difference. */
export const maxSupplyAtMost = 1_000_000_000;
