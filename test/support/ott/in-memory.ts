import type { HeldTokens } from '../../../shared/nft/ports/held-tokens.ts';
import type { Nft } from '../../../shared/nft/tokens/nft.ts';
import { changeDue } from '../../../shared/ott/events/effective.ts';
import type { Event } from '../../../shared/ott/events/event.ts';
import { type IndexPartition, partitionsOf, placeOf } from '../../../shared/ott/lists/index-partitions.ts';
import type {
  Catalogue,
  ChangeOutcome,
  EventChange,
  StoredEvent,
} from '../../../shared/ott/ports/catalogue.ts';
import type { EntitlementAnswer, EntitlementService } from '../../../shared/ott/ports/entitlement.ts';
import type { EventRepository } from '../../../shared/ott/ports/event-repository.ts';
import type { GeolocationService } from '../../../shared/ott/ports/geolocation.ts';
import { signedPlace } from '../../../shared/ott/streams/signed-path.ts';
import { streamAddress } from '../../../shared/ott/streams/stream-address.ts';
import { ruleBlocks } from '../../../shared/ott/viewers/geoblocking.ts';
import type { Application } from '../../../shared/platform/applications/application.ts';
import type { Applications } from '../../../shared/platform/applications/ports/applications.ts';
import type { VerifyAccessToken } from '../../../shared/platform/auth/access-token.ts';
import { InvalidTokenError } from '../../../shared/platform/auth/errors.ts';
import { present } from './builders.ts';

const isSame = (a: IndexPartition, b: IndexPartition) =>
  a.status === b.status && a.access === b.access && a.part === b.part && a.category === b.category;

export interface InMemoryEvents extends EventRepository, Catalogue {
  /** Events read by lists. */
  reads: number;
  /** Changes written. */
  writes: number;
}

/** Implements the catalogue's ports in memory, and counts reads and writes. */
export const inMemoryEvents = (catalogue: readonly Event[]): InMemoryEvents => {
  const byId = new Map(
    catalogue.map((event): [string, StoredEvent] => [
      event.id,
      { event, presentStatus: present(event).status, version: 1 },
    ]),
  );
  const newestFirst = () =>
    [...byId.values()].map(({ event }) => event).sort((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1));
  const ends = new Map<string, number>();
  let lives = 0;
  const writeOne = ({ before, after, life }: EventChange): ChangeOutcome => {
    const id = (after ?? before?.event)?.id ?? '';
    const stored = byId.get(id);
    if (stored?.version !== before?.version || stored?.life !== before?.life) return { outcome: 'conflict' };
    const version = (before?.version ?? ends.get(id) ?? 0) + 1;
    if (after === undefined) {
      byId.delete(id);
      ends.set(id, version);
    } else {
      lives += 1;
      const own = before === undefined ? (life ?? `life-${lives}`) : before.life;
      byId.set(id, { event: after, presentStatus: present(after).status, version, life: own });
    }
    repository.writes += 1;
    return { outcome: 'written', version };
  };
  const repository: InMemoryEvents = {
    reads: 0,
    writes: 0,
    find: async (id) => byId.get(id)?.event,
    findCounterpart: async () => {},
    readPartition: async ({ partition, country, after, from, to, limit }) => {
      const rest = newestFirst().filter(
        (event) =>
          partitionsOf(present(event)).some((own) => isSame(own, partition)) &&
          (after === undefined || placeOf(event) < after) &&
          (from === undefined || event.startsAt >= from) &&
          (to === undefined || event.startsAt < to),
      );
      const read = rest.slice(0, limit);
      const last = read.at(-1);
      repository.reads += read.length;
      return {
        events: read.filter(
          ({ geoblocking, status }) =>
            country === 'everywhere' || !ruleBlocks({ rule: geoblocking, status, country }),
        ),
        readUpTo: last === undefined ? undefined : placeOf(last),
        reads: read.length,
        more: rest.length >= limit,
      };
    },
    eventsDue: async () => newestFirst().filter(({ schedule }) => schedule !== undefined),
    streamsUnder: async function* ({ host, path, isPrefix }) {
      for (const { event } of byId.values()) {
        const { id, stream } = event;
        if (stream === undefined) continue;
        const address = streamAddress(stream);
        const isUnder = isPrefix ? address.path.startsWith(path) : address.path === path;
        if (address.host === host && isUnder) yield { eventId: id, stream };
      }
    },
    changesDue: async function* ({ until }) {
      for (const { event } of byId.values()) {
        const due = changeDue(event, until);
        if (due !== undefined && Date.parse(due) <= until) yield { eventId: event.id, due };
      }
    },
    findStored: async (id) => byId.get(id),
    findAllStored: async (ids) =>
      new Map([...new Set(ids)].flatMap((id) => [byId.get(id) ?? []].flat().map((stored) => [id, stored]))),
    all: async function* () {
      yield* byId.values();
    },
    idsSignedNear: async function* ({ host, path, below }) {
      for (const { event } of byId.values()) {
        if (event.stream === undefined) continue;
        const place = signedPlace(event.stream);
        const isNear = path.startsWith(place.path) || (below && place.path.startsWith(path));
        if (place.host === host && isNear) yield event.id;
      }
    },
    recentPaths: async (hosts) => new Map([...hosts].map((host) => [host, { version: 0, paths: [] }])),
    write: async (changes) => changes.map(writeOne),
  };
  return repository;
};

/** Writes an event over whatever is stored. */
export const saveEvent = async (
  catalogue: Pick<Catalogue, 'findStored' | 'write'>,
  event: Event,
): Promise<void> => {
  const [result] = await catalogue.write([{ before: await catalogue.findStored(event.id), after: event }]);
  if (result?.outcome !== 'written') throw new Error(`${event.id}: ${JSON.stringify(result)}`);
};

export const inMemoryApplications = (
  applications: readonly Application[],
): Pick<Applications, 'find' | 'findByClientId'> => ({
  find: async (id) => applications.find((application) => application.id === id),
  findByClientId: async (clientId) =>
    applications.find((application) => application.clientIds.includes(clientId)),
});

/** Tokens that are reserved for users. @default nothing is reserved for anybody */
export const inMemoryHeldTokens = (tokens: readonly Nft[] = []): HeldTokens => ({
  heldBy: async function* ({ holder }) {
    yield* tokens.filter((token) => token.holder === holder);
  },
  find: async ({ contract, tokenId }) =>
    tokens.find((token) => token.contract === contract && token.tokenId === tokenId),
});

/** Accepts `Bearer <sub>@<client>` as a valid token of that user, and rejects everything else. */
export const plainTokens: VerifyAccessToken = async (header) => {
  const [, sub, clientId] = /^Bearer ([^@]+)@(.+)$/.exec(header ?? '') ?? [];
  if (sub === undefined || clientId === undefined) throw new InvalidTokenError({ reason: 'not a plain one' });
  return { sub, clientId };
};

/** An entitlement service that gives the answer of `answer` and records the questions in `asked`. */
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
      return { outcome: 'answered', country: countries()[address] };
    },
  };
};
