import * as z from 'zod';

export const userDataConfig = z.strictObject({
  /**
   * Of a hundred deliveries that a customer's endpoint accepted, how many are logged with their duration.
   * Those that failed are all logged.
   */
  deliveryLogSamplePercent: z.int().min(0).max(100).default(10),
  /** How many filter policies AWS lets the topic have: one for each subscribed endpoint. */
  filterPolicyQuota: z.int().positive().default(200),
});
