import * as z from 'zod';

export const userDataConfig = z.strictObject({
  /** How many filter policies AWS lets the topic have: one for each subscribed endpoint. */
  filterPolicyQuota: z.int().positive().default(200),
});
