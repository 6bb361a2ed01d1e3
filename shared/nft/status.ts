/**
 * The state of something that a transaction makes: `pending` until finality decides, then `confirmed` or `failed` for
 * good.
 */
export type Status = 'pending' | 'confirmed' | 'failed';

/** The status of a log entry: `superseded` when another nonce took its work over, or there was no work. */
export type EntryStatus = Status | 'superseded';
