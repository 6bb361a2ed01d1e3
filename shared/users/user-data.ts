import { isDeepStrictEqual } from 'node:util';
import { FieldNotWritableError, UserDataTooLargeError } from './errors.ts';

/** Bytes of JSON that are stored of one user, data and agreements together, as a read answers them. */
export const maximumStoredBytes = 32 * 1024;

/** What is stored of a user, under whatever keys it came with. */
export type UserData = Readonly<Record<string, unknown>>;
export type UserAgreements = readonly unknown[];

export const isUserData = (value: unknown): value is UserData =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a user wants changed. */
export interface UserDataChange {
  /** Keys to set; null removes one. A value replaces what was under its key as a whole. */
  readonly data?: UserData | undefined;
  /** Replaces all agreements. */
  readonly agreements?: UserAgreements | undefined;
}

/** @throws FieldNotWritableError when a change names a key that is not its user's to write, whatever it would make of it. */
export const requireWritable = ({ data = {} }: UserDataChange, readOnlyKeys: readonly string[]): void => {
  const keys = readOnlyKeys.filter((key) => Object.hasOwn(data, key));
  if (keys.length > 0) throw new FieldNotWritableError({ keys });
};

export interface StoredUserData {
  readonly data: UserData;
  readonly agreements: UserAgreements;
}

/** As it comes back from storage: -0 becomes 0, for one. */
const asStored = <T>(value: T): T => JSON.parse(JSON.stringify(value));

const merge = (before: UserData, change: UserData): UserData => {
  const merged = new Map([...Object.entries(before), ...Object.entries(change)]);
  return Object.fromEntries([...merged].filter(([, value]) => value !== null));
};

const bytesOf = ({ data, agreements }: StoredUserData): number =>
  Buffer.byteLength(JSON.stringify({ user_data: data, user_agreements: agreements }));

/**
 * What is stored after a change.
 *
 * @throws UserDataTooLargeError when it is more than may be stored.
 */
export const applyChange = (before: StoredUserData | undefined, change: UserDataChange): StoredUserData => {
  const after: StoredUserData = asStored({
    data: merge(before?.data ?? {}, change.data ?? {}),
    agreements: change.agreements ?? before?.agreements ?? [],
  });
  const bytes = bytesOf(after);
  if (bytes > maximumStoredBytes) throw new UserDataTooLargeError({ bytes, maximum: maximumStoredBytes });
  return after;
};

/** Whether the same is stored, whatever the order of keys. */
export const isSameData = (one: StoredUserData, other: StoredUserData): boolean =>
  isDeepStrictEqual(one.data, other.data) && isDeepStrictEqual(one.agreements, other.agreements);
