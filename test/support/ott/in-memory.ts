import type { Application } from '../../../shared/applications/application.ts';
import type { Applications } from '../../../shared/applications/ports/applications.ts';
import type { VerifyAccessToken } from '../../../shared/auth/access-token.ts';
import { InvalidTokenError } from '../../../shared/auth/errors.ts';
import type { Event } from '../../../shared/ott/event.ts';
import type { EntitlementAnswer, EntitlementService } from '../../../shared/ott/ports/entitlement.ts';
import type { EventRepository } from '../../../shared/ott/ports/event-repository.ts';
import type { GeolocationService } from '../../../shared/ott/ports/geolocation.ts';
import { placeOf, type Shelf, shelvesOf } from '../../../shared/ott/shelves.ts';

const isSame = (a: Shelf, b: Shelf) => a.status === b.status && a.access === b.access && a.part === b.part;

/** The catalogue as the port promises it, and how many events were read of it. */
export const inMemoryEvents = (catalogue: readonly Event[]): EventRepository & { reads: number } => {
  const byId = new Map(catalogue.map((event) => [event.id, event]));
  const newestFirst = () => [...byId.values()].sort((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1));
  const repository = {
    reads: 0,
    find: async (id: string) => byId.get(id),
    readShelf: async ({ shelf, after, from, to, limit }: Parameters<EventRepository['readShelf']>[0]) => {
      const rest = newestFirst().filter(
        (event) =>
          shelvesOf(event).some((own) => isSame(own, shelf)) &&
          (after === undefined || placeOf(event) < after) &&
          (from === undefined || event.startsAt >= from) &&
          (to === undefined || event.startsAt < to),
      );
      const events = rest.slice(0, limit);
      repository.reads += events.length;
      return { events, more: rest.length >= limit };
    },
    save: async (event: Event) => {
      const isKnown = byId.has(event.id);
      byId.set(event.id, event);
      return isKnown ? ('replaced' as const) : ('created' as const);
    },
  };
  return repository;
};

export const inMemoryApplications = (
  applications: readonly Application[],
): Pick<Applications, 'find' | 'findByClientId'> => ({
  find: async (id) => applications.find((application) => application.id === id),
  findByClientId: async (clientId) =>
    applications.find((application) => application.clientIds.includes(clientId)),
});

/** Takes `Bearer <sub>@<client>` for a good token of that user, and everything else for a bad one. */
export const plainTokens: VerifyAccessToken = async (header) => {
  const [, sub, clientId] = /^Bearer ([^@]+)@(.+)$/.exec(header ?? '') ?? [];
  if (sub === undefined || clientId === undefined) throw new InvalidTokenError({ reason: 'not a plain one' });
  return { sub, clientId };
};

/** An outside service that answers as told, and what it was asked. */
export const toldEntitlement = (
  answer: () => EntitlementAnswer,
): EntitlementService & { asked: unknown[] } => {
  const asked: unknown[] = [];
  return {
    asked,
    check: async (question) => {
      asked.push(question);
      return answer();
    },
  };
};

export const toldGeolocation = (
  countries: () => Readonly<Record<string, string>>,
): GeolocationService & { asked: string[] } => {
  const asked: string[] = [];
  return {
    asked,
    countryOf: async (address) => {
      asked.push(address);
      return countries()[address];
    },
  };
};
