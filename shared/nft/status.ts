/** The status of what a transaction makes: `pending` until finality decides, then `confirmed` or `failed` for good. */
export type Status = 'pending' | 'confirmed' | 'failed';

/** `superseded`: another transaction used the entry's nonce, and another entry took over its work, if it had any. */
export type EntryStatus = Status | 'superseded';
