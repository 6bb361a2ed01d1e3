/** Most tokens in one batch: its writes fit into one database transaction, which holds 100. */
export const batchTokensAtMost = 95;

/** Highest `max_supply`: above it a collection is not limited in any way that matters. */
export const maxSupplyAtMost = 1_000_000_000;
