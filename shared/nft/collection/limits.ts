/** Most tokens of one batch: what is written of them fits into one transaction of the database, which holds 100 writes. */
export const batchTokensAtMost = 95;
