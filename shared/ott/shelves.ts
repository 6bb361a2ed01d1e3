import type { Audience } from './decision.ts';
import type { Event } from './event.ts';
import { type EventAccess, type EventStatus, eventAccesses, eventStatuses } from './event-kinds.ts';
import { liftsClientRule, ruleBlocks } from './geoblocking.ts';
import { rulesMayShow } from './rules.ts';

/**
 * A range of the catalogue that is read in order: the events of one status and access, newest start first.
 * `lifted` is the part of it that the client's geoblocking rule does not reach.
 */
export interface Shelf {
  readonly status: EventStatus;
  readonly access: EventAccess;
  readonly part: 'all' | 'lifted';
}

/** Where an event stands on its shelf: by start, and by id among those that start together. */
export const placeOf = ({ startsAt, id }: Pick<Event, 'startsAt' | 'id'>): string => `${startsAt}#${id}`;

/** The shelves that an event stands on. */
export const shelvesOf = (event: Event): readonly Shelf[] => {
  const { status, access } = event;
  const all: Shelf = { status, access, part: 'all' };
  return liftsClientRule(event.geoblocking) ? [all, { ...all, part: 'lifted' }] : [all];
};

/**
 * The shelves that hold everything which this audience may see, each event once. What the customer's rules or
 * the client's countries hide as a whole is never read, so hidden events cost a page nothing.
 */
export const shelvesFor = (
  { viewer, client, country }: Audience,
  filters: { readonly status?: EventStatus | undefined; readonly access?: EventAccess | undefined },
): readonly Shelf[] =>
  eventStatuses
    .filter((status) => filters.status === undefined || filters.status === status)
    .flatMap((status) => {
      const part = ruleBlocks({ rule: client.geoblocking, status, country }) ? 'lifted' : 'all';
      return eventAccesses
        .filter((access) => filters.access === undefined || filters.access === access)
        .filter((access) => viewer.kind === 'vip' || rulesMayShow(client.rules, { status, access }))
        .map((access) => ({ status, access, part }));
    });
