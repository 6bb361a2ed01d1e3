import type { Event, PresentEvent } from '../events/event.ts';
import { type EventAccess, type EventStatus, eventAccesses, eventStatuses } from '../events/event-kinds.ts';
import { liftsClientRule, ruleBlocks } from '../viewers/geoblocking.ts';
import { rulesFor } from '../viewers/rules.ts';
import type { ViewerContext } from '../viewers/viewer-context.ts';

/**
 * A range of the catalogue index, sorted by start time with the newest first. The range contains the events with one
 * status and one access, or only those of one category. If `part` is `exempt`, the range contains only events to which
 * the application's geoblocking rule does not apply.
 */
export interface IndexPartition {
  readonly status: EventStatus;
  readonly access: EventAccess;
  readonly part: 'all' | 'exempt';
  readonly category?: string | undefined;
}

/** An event's position in its partition. The id orders events that start at the same time. */
export const placeOf = ({ startsAt, id }: Pick<Event, 'startsAt' | 'id'>): string => `${startsAt}#${id}`;

export const partitionsOf = (event: PresentEvent): readonly IndexPartition[] => {
  const { status, access, categories } = event;
  const parts = liftsClientRule(event.geoblocking) ? (['all', 'exempt'] as const) : (['all'] as const);
  return [undefined, ...new Set(categories)].flatMap((category) =>
    parts.map((part) => ({ status, access, part, category })),
  );
};

/** If a client's rules name more categories than this, whole partitions are read and then filtered. */
const categoriesAtMost = 8;

/**
 * The partitions that together contain every event that a viewer in this context may see. An event may be in several of
 * them. A partition is left out if rules, countries or filters exclude all its events, so these events are not read.
 */
export const partitionsFor = (
  { viewer, configuration, country }: ViewerContext,
  filters: {
    readonly status?: EventStatus | undefined;
    readonly access?: EventAccess | undefined;
    readonly category?: string | undefined;
  },
): readonly IndexPartition[] => {
  if (configuration.hidesAll) return [];
  const statuses = eventStatuses.filter(
    (status) => filters.status === undefined || filters.status === status,
  );
  const accesses = eventAccesses.filter(
    (access) => filters.access === undefined || filters.access === access,
  );
  return statuses.flatMap((status) => {
    const part = ruleBlocks({ rule: configuration.geoblocking, status, country }) ? 'exempt' : 'all';
    return accesses.flatMap((access) => {
      const rules = rulesFor(configuration.rules, { status, access });
      if (viewer.kind !== 'vip' && rules.length === 0) return [];
      const kind = { status, access, part } as const;
      if (filters.category !== undefined) return [{ ...kind, category: filters.category }];
      const isOpen = viewer.kind === 'vip' || rules.some(({ categories }) => categories === undefined);
      const named = new Set(rules.flatMap(({ categories = [] }) => categories));
      if (isOpen || named.size > categoriesAtMost) return [kind];
      return [...named].map((category) => ({ ...kind, category }));
    });
  });
};
