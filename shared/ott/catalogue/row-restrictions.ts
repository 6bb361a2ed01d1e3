import type { Event } from '../events/event.ts';
import { type EventStatus, isOver } from '../events/event-kinds.ts';
import type { StoredEvent } from '../ports/catalogue.ts';
import { type Geoblocking, geoblockingSchema, liftsClientRule } from '../viewers/geoblocking.ts';
import type { Fields } from './file-row.ts';
import { decideCompleted, type ImportRow, type RowRules } from './import-row.ts';
import type { Decided } from './put-events.ts';
import { opensCountries } from './restrictions.ts';

const streamFieldsIn = ({ stream }: Fields): Fields =>
  typeof stream === 'object' && stream !== null ? (stream as Fields) : {};

/** Whether a row says anything that may restrict its event. */
export const mayRestrict = (fields: Fields): boolean =>
  fields.geoblocking !== undefined ||
  streamFieldsIn(fields).geoblocking !== undefined ||
  isOver(fields.status);

/**
 * The restrictions of a refused row, which are a row of their own: a mistake in a title or in a path must not keep an
 * event open where its rights have ended. The row stays refused; `fields` then lists what its restrictions change.
 */
export const decideRestrictions = (
  row: ImportRow,
  fields: Fields,
  { stored, ...rules }: RowRules & { readonly stored: StoredEvent | undefined; readonly now: number },
): Decided<ImportRow> => {
  if (stored === undefined) return { told: row };
  const event = restrictedBy(fields, stored.event);
  const { told, change } = decideCompleted(row, { event, hasStatus: true }, { stored, ...rules });
  return change === undefined
    ? { told: row }
    : { told: { ...told, outcome: 'refused', reasons: row.reasons }, change };
};

/**
 * A stored event as a row restricts it: with the row's rules if they block more than before, and with its status if the
 * event is over with it.
 */
const restrictedBy = (fields: Fields, stored: Event): Event => {
  const { geoblocking, status } = fields;
  const own = ruleIn(geoblocking);
  const isOwnStricter =
    own !== undefined &&
    (opensCountries(own.rule, stored.geoblocking) ||
      (liftsClientRule(stored.geoblocking) && !liftsClientRule(own.rule)));
  const ofStream = ruleIn(streamFieldsIn(fields).geoblocking);
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
  if (value === undefined) return undefined;
  if (value === null) return { rule: undefined };
  const parsed = geoblockingSchema.safeParse(value);
  return parsed.success ? { rule: parsed.data } : undefined;
};
