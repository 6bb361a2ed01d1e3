/**
 * The status of a contract, token or change: `pending` until its transaction is final, then `confirmed` or `failed`
 * permanently.
 */
export type Status = 'pending' | 'confirmed' | 'failed';

/** `superseded`: another transaction used the entry's nonce. A new entry took over the entry's work, if it had any. */
export type EntryStatus = Status | 'superseded';
