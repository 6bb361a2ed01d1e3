import { createHash } from 'node:crypto';
import type { User } from '../user.ts';

/** The entity tag of a user's data: it differs for each change, and for each registration of the same user. */
export const etagOf = ({ registrationId, version }: Pick<User, 'registrationId' | 'version'>): string => {
  const hash = createHash('sha256').update(`${registrationId}#${version}`).digest('base64url');
  return `"${hash.slice(0, 22)}"`;
};
