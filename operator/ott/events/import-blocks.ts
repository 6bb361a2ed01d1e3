import { opensCountries } from '../../../shared/ott/catalogue/restrictions.ts';
import type { Event } from '../../../shared/ott/events/event.ts';
import { type EventStatus, isOver } from '../../../shared/ott/events/event-kinds.ts';
import type { StoredEvent } from '../../../shared/ott/ports/catalogue.ts';
import {
  type Geoblocking,
  geoblockingSchema,
  liftsClientRule,
} from '../../../shared/ott/viewers/geoblocking.ts';
import type { Fields } from './import-entry.ts';
import { type ImportRow, type ImportRules, type PlannedRow, planEvent } from './import-plan.ts';

/**
 * Plans which parts of a refused row are written nevertheless: its *block*, which restricts the stored event. A mistake
 * in a title or in a path must not keep an event open where its rights have ended. The row stays refused; `fields` then
 * lists what the block changes.
 */
export const planBlock = (
  row: ImportRow,
  {
    fields,
    stored,
    overwriteStatus,
    now,
  }: Pick<ImportRules, 'overwriteStatus' | 'now'> & {
    readonly fields: Fields | undefined;
    readonly stored: StoredEvent | undefined;
  },
): PlannedRow => {
  if (fields === undefined || stored === undefined) return row;
  const event = blockedBy(fields, stored.event);
  const planned = planEvent(
    { line: row.line ?? 0, event, hasStatus: true },
    { stored, overwriteStatus, now },
  );
  return planned.outcome === 'changed' ? { ...planned, outcome: 'refused', reasons: row.reasons } : row;
};

/**
 * A stored event as the block of a row changes it: with the row's rules if they block more than before, and with its
 * status if the event is over with it.
 */
const blockedBy = ({ geoblocking, status, stream }: Fields, stored: Event): Event => {
  const own = ruleIn(geoblocking);
  const isOwnStricter =
    own !== undefined &&
    (opensCountries(own.rule, stored.geoblocking) ||
      (liftsClientRule(stored.geoblocking) && !liftsClientRule(own.rule)));
  const ofStream =
    typeof stream === 'object' && stream !== null ? ruleIn((stream as Fields).geoblocking) : undefined;
  const isStreamStricter =
    ofStream !== undefined && opensCountries(ofStream.rule, stored.stream?.geoblocking);
  return {
    ...stored,
    ...(isOwnStricter && { geoblocking: own.rule }),
    ...(stored.stream && isStreamStricter && { stream: { ...stored.stream, geoblocking: ofStream.rule } }),
    ...(isOver(status) && {
      status: status as EventStatus,
      hand: { ...stored.hand, status: undefined },
    }),
  };
};

/** `undefined` if the row leaves the rule out, or its rule is invalid. */
const ruleIn = (value: unknown): { readonly rule: Geoblocking | undefined } | undefined => {
  if (value === null) return { rule: undefined };
  const parsed = geoblockingSchema.safeParse(value);
  return parsed.success ? { rule: parsed.data } : undefined;
};
