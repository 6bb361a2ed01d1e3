import { randomBytes } from 'node:crypto';

/** 128 random bits in hexadecimal. */
export const newRandomId = (): string => randomBytes(16).toString('hex');

/**
 * Whether a text has the form of such an id. Other text is the id of nothing. As a key, it could be too long, or not
 * Unicode.
 */
export const isRandomId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);
