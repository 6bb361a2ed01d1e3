import * as z from 'zod';

/** Settings of the function that records notifications. */
export const recorderSeconds = 15;

export const userDataConfig = z.strictObject({
  /** AWS's quota of filter policies for the topic: one for each subscribed endpoint. */
  filterPolicyQuota: z.int().positive().default(200),
  /**
   * When unrecorded notifications are tried again, a thousand times at most. Not before the function's timeout.
   * @default six times the timeout plus the second of a batch, as AWS asks: a day's outage is survived
   */
  recordRetrySeconds: z.int().min(recorderSeconds).max(43_200).default(91),
  /**
   * Keys of `user_data` that only the operator writes: customers treat them as facts. They are in the functions'
   * environment, which has 4 KB in all. @default none: users write every key
   */
  readOnlyKeys: z
    .array(z.string().min(1).max(64))
    .max(20)
    .refine((keys) => new Set(keys).size === keys.length, { error: 'names a key twice' })
    .default([]),
});
