/** The status of what a transaction makes: `pending` until finality decides, then `confirmed` or `failed` for good. */
export type Status = 'pending' | 'confirmed' | 'failed';

/**
 * A log entry is `superseded` if another transaction used its nonce. Another entry then took over its work, if it had
 * any.
 */
export type EntryStatus = Status | 'superseded';
