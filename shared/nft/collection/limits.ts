/** Most tokens in one batch: its writes fit into one database transaction, which holds 100. */
export const batchTokensAtMost = 95;
