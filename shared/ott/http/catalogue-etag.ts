import { createHash } from 'node:crypto';
import type { StoredEvent } from '../ports/catalogue.ts';

/** The entity tag of an event. It changes with each change, and whenever the event is created again. */
export const etagOf = ({ life = '', version }: Pick<StoredEvent, 'life' | 'version'>): string => {
  const hash = createHash('sha256').update(`${life}#${version}`).digest('base64url');
  return `"${hash.slice(0, 22)}"`;
};
