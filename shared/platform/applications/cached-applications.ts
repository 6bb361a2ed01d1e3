import { newCache } from '../cache.ts';
import { type Clock, systemClock } from '../time/clock.ts';
import type { Application } from './application.ts';
import type { ApplicationChanges, Applications } from './ports/applications.ts';

const lifetimeMilliseconds = 30_000;
const capacity = 1_000;

/**
 * Caches applications, because functions read them on every request. An existing application is cached for 30 s, so a
 * change of its limits, rules or countries takes up to 30 s to reach every function. A missing application is not
 * cached.
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
 * Caches the list of all applications for the publisher of notifications. For each batch, the number of changes to
 * applications is read. The list is read again only if this number differs, so no new application is missed.
 */
export const listWhileUnchanged = (
  applications: Pick<Applications, 'list'> & ApplicationChanges,
): Pick<Applications, 'list'> => {
  let known: { readonly changes: number; readonly list: Application[] } | undefined;
  return {
    list: async () => {
      // The number of changes is read before the list. If a change happens between the two reads, the next batch reads
      // the list again.
      const changes = await applications.changes();
      if (known?.changes !== changes) known = { changes, list: await applications.list() };
      return known.list;
    },
  };
};
