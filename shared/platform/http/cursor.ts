import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { BadRequestError } from '../errors.ts';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** A list and its filters. A cursor can be opened only for the scope that it was sealed for. */
export interface CursorScope {
  readonly list: string;
  readonly filters: Readonly<Record<string, string | readonly string[] | undefined>>;
}

const keys = new Map<string, KeyObject>();

/** Keys are cached, because deriving a key takes longer than sealing with it. */
const keyOf = (secret: string): KeyObject => {
  const known = keys.get(secret);
  if (known !== undefined) return known;
  const key = createSecretKey(createHash('sha256').update('marquee cursor\0').update(secret).digest());
  keys.set(secret, key);
  return key;
};

const bindingOf = ({ list, filters }: CursorScope): Buffer =>
  Buffer.from(
    JSON.stringify([
      list,
      Object.entries(filters)
        .filter(([, value]) => value !== undefined)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ]),
  );

/**
 * Encrypts a position in a list, so that the caller can neither read nor change it: AES-256-GCM with the stage's
 * secret, bound to `scope`. The result is base64url.
 */
export const sealCursor = ({
  secret,
  scope,
  position,
}: {
  readonly secret: string;
  readonly scope: CursorScope;
  readonly position: unknown;
}): string => {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, keyOf(secret), iv).setAAD(bindingOf(scope));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(position), 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
};

/** @throws BadRequestError naming `cursor` if the cursor is broken, forged, or from another list or filter. */
export const openCursor = ({
  secret,
  scope,
  cursor,
}: {
  readonly secret: string;
  readonly scope: CursorScope;
  readonly cursor: string;
}): unknown => {
  try {
    const bytes = Buffer.from(cursor, 'base64url');
    // Decoding ignores characters outside of base64url and spare bits of the last character. So the cursor is encoded
    // again and compared, to accept only the exact text that was sealed.
    if (bytes.toString('base64url') !== cursor)
      throw new Error('The cursor is not the exact text that was sealed');
    const decipher = createDecipheriv(algorithm, keyOf(secret), bytes.subarray(0, ivBytes), {
      authTagLength: tagBytes,
    })
      .setAAD(bindingOf(scope))
      .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    const opened = Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
    return JSON.parse(opened.toString('utf8'));
  } catch (cause) {
    throw new BadRequestError({ issues: [{ path: 'cursor', message: 'Not a cursor of this list' }], cause });
  }
};
