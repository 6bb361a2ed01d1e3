import * as z from 'zod';

/** What the function has that records notifications. */
export const recorderSeconds = 15;

export const userDataConfig = z.strictObject({
  /** How many filter policies AWS lets the topic have: one for each subscribed endpoint. */
  filterPolicyQuota: z.int().positive().default(200),
  /**
   * After so long what could not be recorded of notifications is tried again, a thousand times at most. Not before the
   * time of the function that does it is over. @default six times that and the second of a batch, as AWS asks: a day's outage is outlived
   */
  recordRetrySeconds: z.int().min(recorderSeconds).max(43_200).default(91),
  /**
   * Keys of `user_data` that the operator writes and users may not: what customers take for a fact. They are part of a
   * function's environment, which has 4 KB for all.
   * @default none: users write every key
   */
  readOnlyKeys: z
    .array(z.string().min(1).max(64))
    .max(20)
    .refine((keys) => new Set(keys).size === keys.length, { error: 'names a key twice' })
    .default([]),
});
