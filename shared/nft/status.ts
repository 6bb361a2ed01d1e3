/**
 * Where something that a transaction makes stands: `pending` until the chain's finality has decided, then for
 * good `confirmed` or `failed`.
 */
export type Status = 'pending' | 'confirmed' | 'failed';

/** A log entry's: `superseded` when another nonce took its work over, or it had none. */
export type EntryStatus = Status | 'superseded';
