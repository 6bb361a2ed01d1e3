import { recordLifetimeMilliseconds } from '../notifications/record/record.ts';
import { tombstoneRetentionMilliseconds } from '../users/user.ts';

/** For how many days the stage keeps what no code deletes. */
export interface KeptDays {
  readonly logs: number;
  readonly backups: number;
}

/** Something of a user that an erasure does not delete. */
export interface Kept {
  readonly what: (typeof keptThings)[number];
  /** For at most so many days. `undefined`: the service does not delete it. */
  readonly days: number | undefined;
}

/** The customer guide says what each of them is. */
export const keptThings = [
  'removal',
  'application_user_subs',
  'wallet_challenges',
  'notifications',
  'sessions',
  'logs',
  'backups',
  'reserved_tokens',
  'tokens_on_chain',
  'copies_of_applications',
] as const;

const daysOf = (milliseconds: number): number => Math.ceil(milliseconds / 86_400_000);

/** A viewer's sessions and the counts of a day are kept until the end of the next day. */
const sessionDays = 2;

/** DynamoDB deletes an item that has expired within two days ("Using time to live (TTL) in DynamoDB"). */
const expiryDays = 2;

export const keptAfterErasure = ({ logs, backups }: KeptDays): readonly Kept[] => {
  const days: Readonly<Record<Kept['what'], number | undefined>> = {
    removal: daysOf(tombstoneRetentionMilliseconds) + expiryDays,
    application_user_subs: daysOf(tombstoneRetentionMilliseconds) + expiryDays,
    wallet_challenges: expiryDays + 1,
    notifications: daysOf(recordLifetimeMilliseconds) + expiryDays,
    sessions: sessionDays + expiryDays,
    logs,
    backups,
    reserved_tokens: undefined,
    tokens_on_chain: undefined,
    copies_of_applications: undefined,
  };
  return keptThings.map((what) => ({ what, days: days[what] }));
};
