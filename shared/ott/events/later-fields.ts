import type * as z from 'zod';
import type { Event, LaterField } from './event.ts';

/**
 * The paths, joined by `.`, of fields that a later release may store and that restrict nobody. A release names such a
 * field here before a later one writes it.
 */
const harmlessFields: ReadonlySet<string> = new Set<string>([]);

/** Whether all restrictions of an event are known. If not, its stream is not played. */
export const isUnderstood = (
  { later = [] }: Pick<Event, 'later'>,
  harmless: ReadonlySet<string> = harmlessFields,
): boolean => later.every(({ path }) => harmless.has(path.join('.')));

const partOf = (parent: unknown, name: PropertyKey): unknown => {
  if (typeof parent !== 'object' || parent === null) return undefined;
  if (Array.isArray(parent) && typeof name === 'string')
    return parent.find((each) => each?.contract_address === name);
  return (parent as Record<PropertyKey, unknown>)[name];
};

/**
 * Takes the fields that a schema does not know out of a record. `undefined` if the record has other faults, too.
 */
export const withoutLaterFields = (
  record: unknown,
  { issues }: z.ZodError,
): { readonly known: unknown; readonly later: readonly LaterField[] } | undefined => {
  const known = structuredClone(record);
  const later: LaterField[] = [];
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') return undefined;
    const names: string[] = [];
    let parent = known;
    for (const step of issue.path) {
      parent = partOf(parent, step);
      names.push(String(typeof step === 'number' ? partOf(parent, 'contract_address') : step));
    }
    for (const key of issue.keys) {
      later.push({ path: [...names, key], value: partOf(parent, key) });
      Reflect.deleteProperty(parent as object, key);
    }
  }
  return { known, later };
};

/** Puts fields back where they were. A field whose place is gone goes with it. */
export const withLaterFields = <Fields extends object>(
  record: Fields,
  later: readonly LaterField[] = [],
): Fields => {
  if (later.length === 0) return record;
  const whole = structuredClone(record);
  for (const { path, value } of later) {
    const parent = path.slice(0, -1).reduce<unknown>(partOf, whole);
    if (typeof parent === 'object' && parent !== null) Object.assign(parent, { [path.at(-1) ?? '']: value });
  }
  return whole;
};
