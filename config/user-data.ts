import * as z from 'zod';
import { ladderSettings } from '../shared/notifications/redeliver/ladder-settings.ts';

/** The timeout, in seconds, of the function that records notifications. */
export const recorderSeconds = 15;

export const userDataConfig = z.strictObject({
  /** The account's quota of SNS filter policies for one topic. Each subscribed endpoint needs one filter policy. */
  filterPolicyQuota: z.int().positive().default(200),
  /**
   * Seconds between two attempts to record a notification. There are at most a thousand attempts. The time must not be
   * shorter than the function's timeout. @default six times the function's timeout, plus the batching window of one
   * second, as AWS recommends. The thousand attempts then take more than a day.
   */
  recordRetrySeconds: z.int().min(recorderSeconds).max(43_200).default(91),
  /** When undelivered notifications are sent again. */
  redelivery: ladderSettings.prefault({}),
  /**
   * How many times one user can change their data in an hour. Each change notifies every application. Changes of the
   * operator do not count.
   */
  changesPerHour: z.int().positive().default(60),
  /**
   * Keys of `user_data` that only the operator can write, so that customers can trust their values. Functions get these
   * keys in environment variables, of which one function can have 4 KB in total. @default none: users can write every
   * key
   */
  readOnlyKeys: z
    .array(z.string().min(1).max(64))
    .max(20)
    .refine((keys) => new Set(keys).size === keys.length, { error: 'names a key twice' })
    .default([]),
  /**
   * The clients of the issuer that may make calls about a user's whole account: to erase it, for example. Functions get
   * them in an environment variable. @default none: nobody can make these calls
   */
  accountClients: z
    .array(z.string().min(1).max(128))
    .max(10)
    .refine((clients) => new Set(clients).size === clients.length, { error: 'names a client twice' })
    .default([]),
  /**
   * Whether a user can erase the account with an access token that does not say when the user logged in (`auth_time`).
   * Then a stolen access token is enough.
   */
  eraseWithoutAuthTime: z.enum(['refused', 'allowed']).default('refused'),
});
