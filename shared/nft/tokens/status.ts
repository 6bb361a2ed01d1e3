import * as z from 'zod';
import { type EntryStatus, entryStatuses } from '../../platform/watched.ts';

/**
 * The status of a contract, token or change: `pending` until its transaction is final, then `confirmed` or `failed`
 * permanently.
 */
export const statusSchema = z.enum(['pending', 'confirmed', 'failed']);

/** A status that only a later release knows is not final here. */
export const storedStatusSchema = statusSchema.catch('pending');

/** `reserved`: the token is promised to a user, and no transaction mints it yet. */
export const nftStatusSchema = z.enum([...statusSchema.options, 'reserved']);
export const storedNftStatusSchema = nftStatusSchema.catch('pending');

/**
 * `superseded`: another transaction used the entry's nonce. If the entry's work is still needed, a new entry does it
 * with another nonce.
 */
export const entryStatusSchema = z.enum(Object.keys(entryStatuses) as EntryStatus[]);
