import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { UserDataTooLargeError } from './errors.ts';

/** Bytes of JSON that are stored of one user, data and agreements together. */
export const maximumStoredBytes = 32 * 1024;

/** Deeper than this nobody means it, and far deeper JSON overflows the stack of whoever prints it. */
const maximumDepth = 32;

export type UserData = Readonly<Record<string, unknown>>;
export type UserAgreements = readonly unknown[];

/** What a user wants changed. */
export interface UserDataChange {
  /** Keys to set; null removes one. A value replaces what was under its key as a whole. */
  readonly user_data?: UserData | undefined;
  /** Replaces all agreements. */
  readonly user_agreements?: UserAgreements | undefined;
}

export interface StoredUserData {
  readonly user_data: UserData;
  readonly user_agreements: UserAgreements;
}

const isObject = (value: unknown): value is UserData =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `1e999` is legal JSON but no number that can be given back. */
const isStorable = (value: unknown, depth = 0): boolean => {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return depth < maximumDepth && Object.values(value).every((inner) => isStorable(inner, depth + 1));
};

const storable = { error: `Numbers must be finite and nesting at most ${maximumDepth} levels deep` };

// Checked in place rather than rebuilt by z.record, which would lose a key named __proto__.
const userDataSchema = z
  .custom<UserData>(isObject, { error: 'Must be an object' })
  .refine((value) => isStorable(value), storable)
  .meta({ type: 'object', additionalProperties: true });

const userAgreementsSchema = z.array(z.unknown()).refine((value) => isStorable(value), storable);

export const userDataChangeSchema = z.strictObject({
  user_data: userDataSchema.optional(),
  user_agreements: userAgreementsSchema.optional(),
});

export const storedUserDataSchema = z.object({
  user_data: userDataSchema,
  user_agreements: userAgreementsSchema,
});

/** As it comes back from storage: -0 becomes 0, for one. */
const asStored = <T>(value: T): T => JSON.parse(JSON.stringify(value));

const merge = (before: UserData, change: UserData): UserData => {
  const merged = new Map([...Object.entries(before), ...Object.entries(change)]);
  return Object.fromEntries([...merged].filter(([, value]) => value !== null));
};

/**
 * What is stored after a change.
 *
 * @throws UserDataTooLargeError when it is more than may be stored.
 */
export const applyChange = (before: StoredUserData | undefined, change: UserDataChange): StoredUserData => {
  const after: StoredUserData = asStored({
    user_data: merge(before?.user_data ?? {}, change.user_data ?? {}),
    user_agreements: change.user_agreements ?? before?.user_agreements ?? [],
  });
  const bytes = Buffer.byteLength(JSON.stringify(after));
  if (bytes > maximumStoredBytes) throw new UserDataTooLargeError({ bytes, maximum: maximumStoredBytes });
  return after;
};

/** Whether the same is stored, whatever the order of keys. */
export const isSameData = (one: StoredUserData, other: StoredUserData): boolean =>
  isDeepStrictEqual(one.user_data, other.user_data) &&
  isDeepStrictEqual(one.user_agreements, other.user_agreements);
