import { randomBytes } from 'node:crypto';

/** Tells an event from an earlier one that had the same id and was deleted. */
export const newLife = (): string => randomBytes(9).toString('base64url');
