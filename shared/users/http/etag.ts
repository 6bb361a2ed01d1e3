import { createHash } from 'node:crypto';
import type { User } from '../user.ts';

/** The entity tag of a user's data. It changes with each change to the user and with each new registration. */
export const etagOf = ({ registrationId, version }: Pick<User, 'registrationId' | 'version'>): string => {
  const hash = createHash('sha256').update(`${registrationId}#${version}`).digest('base64url');
  return `"${hash.slice(0, 22)}"`;
};
