import { newCache } from '../cache.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { Application } from './application.ts';
import type { ApplicationChanges, Applications } from './ports/applications.ts';

const lifetimeMilliseconds = 30_000;
const capacity = 1_000;

/**
 * Applications as a function reads them on every request: one found is used for 30 s, so a change of
 * limits, rules or countries takes that long to be seen everywhere. One not found is asked for again at once.
 */
export const cachedApplications = (
  applications: Applications,
  clock: Clock = systemClock,
): Pick<Applications, 'find' | 'findByApiKeyId' | 'findByClientId'> => {
  const cached = (load: (key: string) => Promise<Application | undefined>) => {
    const known = newCache<Application>({ capacity, lifetimeMilliseconds, clock });
    return async (key: string): Promise<Application | undefined> => {
      const hit = known.get(key);
      if (hit !== undefined) return hit;
      const application = await load(key);
      if (application !== undefined) known.set(key, application);
      return application;
    };
  };
  return {
    find: cached(applications.find),
    findByApiKeyId: cached(applications.findByApiKeyId),
    findByClientId: cached(applications.findByClientId),
  };
};

/**
 * All applications, read again only when one has changed: the publisher asks for each batch, and every application
 * counts at once.
 */
export const listWhileUnchanged = (
  applications: Pick<Applications, 'list'> & ApplicationChanges,
): Pick<Applications, 'list'> => {
  let known: { readonly changes: number; readonly list: Application[] } | undefined;
  return {
    list: async () => {
      // Asked before the list is read: a change in between has the next batch read it again.
      const changes = await applications.changes();
      if (known?.changes !== changes) known = { changes, list: await applications.list() };
      return known.list;
    },
  };
};
