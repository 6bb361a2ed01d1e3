import { isDeepStrictEqual } from 'node:util';
import type { eventRecord } from '../events/event-record.ts';

/** A change of one field. `field` is its name in import files. A value is `undefined` where the field is absent. */
export interface FieldChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

type EventRecord = ReturnType<typeof eventRecord>;

const fieldsOf = (record: EventRecord): ReadonlyMap<string, unknown> => {
  const { stream = {}, ...fields } = record;
  return new Map([
    ...Object.entries(fields),
    ...Object.entries(stream).map(([name, value]): [string, unknown] => [`stream.${name}`, value]),
  ]);
};

/** The differences between two states of an event, field by field. */
export const changedFields = (before: EventRecord, after: EventRecord): readonly FieldChange[] => {
  const [old, fresh] = [fieldsOf(before), fieldsOf(after)];
  return [...new Set([...old.keys(), ...fresh.keys()])]
    .map((field) => ({ field, before: old.get(field), after: fresh.get(field) }))
    .filter((change) => !isDeepStrictEqual(change.before, change.after));
};

export const changeText = ({ field, before, after }: FieldChange): string =>
  `${field}: ${shown(before)} → ${shown(after)}`;

const shown = (value: unknown): string => (value === undefined ? 'none' : JSON.stringify(value));
