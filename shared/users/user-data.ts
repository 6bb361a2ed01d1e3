import { isDeepStrictEqual } from 'node:util';
import { FieldNotWritableError, UserDataTooLargeError } from './errors.ts';

/**
 * The maximum number of bytes that are stored for one user: data and agreements together, as the JSON of a response. The
 * body of a call has a limit of its own, which is checked first: `bodyBytesAtMost` of the operation.
 */
export const maximumStoredBytes = 32 * 1024;

export type UserData = Readonly<Record<string, unknown>>;
export type UserAgreements = readonly unknown[];

export const isUserData = (value: unknown): value is UserData =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export interface UserDataChange {
  /** The keys to set. Null removes a key. Any other value replaces the previous value of its key as a whole. */
  readonly data?: UserData | undefined;
  readonly agreements?: UserAgreements | undefined;
}

/** @throws FieldNotWritableError when a change names a read-only key, even if its value would not change. */
export const requireWritable = ({ data = {} }: UserDataChange, readOnlyKeys: readonly string[]): void => {
  const keys = readOnlyKeys.filter((key) => Object.hasOwn(data, key));
  if (keys.length > 0) throw new FieldNotWritableError({ keys });
};

export interface StoredUserData {
  readonly data: UserData;
  readonly agreements: UserAgreements;
}

/** The data as it will be read back from storage. For example, -0 becomes 0. */
const asStored = <T>(value: T): T => JSON.parse(JSON.stringify(value));

const merge = (before: UserData, change: UserData): UserData => {
  const merged = new Map([...Object.entries(before), ...Object.entries(change)]);
  return Object.fromEntries([...merged].filter(([, value]) => value !== null));
};

const bytesOf = ({ data, agreements }: StoredUserData): number =>
  Buffer.byteLength(JSON.stringify({ user_data: data, user_agreements: agreements }));

/** @throws UserDataTooLargeError */
export const applyChange = (before: StoredUserData | undefined, change: UserDataChange): StoredUserData => {
  const after: StoredUserData = asStored({
    data: merge(before?.data ?? {}, change.data ?? {}),
    agreements: change.agreements ?? before?.agreements ?? [],
  });
  const bytes = bytesOf(after);
  if (bytes > maximumStoredBytes) throw new UserDataTooLargeError({ bytes, maximum: maximumStoredBytes });
  return after;
};

export const isSameData = (one: StoredUserData, other: StoredUserData): boolean =>
  isDeepStrictEqual(one.data, other.data) && isDeepStrictEqual(one.agreements, other.agreements);
