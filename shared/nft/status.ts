/**
 * The status of a contract, token or change: `pending` until its transaction is final, then `confirmed` or `failed`
 * permanently.
 */
export type Status = 'pending' | 'confirmed' | 'failed';

/**
 * `superseded`: another transaction used the entry's nonce. If the entry's work is still needed, a new entry does it
 * with another nonce.
 */
export type EntryStatus = Status | 'superseded';
