import * as z from 'zod';
import { isUserData, type StoredUserData, type UserData, type UserDataChange } from '../user-data.ts';

/** Deeper than this nobody means it, and far deeper JSON overflows the stack of whoever prints it. */
const maximumDepth = 32;

/** `1e999` is legal JSON but no number that can be given back. */
const isStorable = (value: unknown, depth = 0): boolean => {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return depth < maximumDepth && Object.values(value).every((inner) => isStorable(inner, depth + 1));
};

const storable = { error: `Numbers must be finite and nesting at most ${maximumDepth} levels deep` };

/** Keys under which JavaScript finds what an object is made of: whoever merges the data would change that. */
const reservedKeys = ['__proto__', 'constructor', 'prototype'];

type Path = readonly (string | number)[];

/** Where a value has a reserved key; nothing of what is nested too deeply, which is refused for that. */
const findReserved = (value: unknown, depth = 0): Path | undefined => {
  if (typeof value !== 'object' || value === null || depth > maximumDepth) return undefined;
  const isList = Array.isArray(value);
  for (const [key, inner] of Object.entries(value)) {
    const within = reservedKeys.includes(key) ? [] : findReserved(inner, depth + 1);
    if (within !== undefined) return [isList ? Number(key) : key, ...within];
  }
  return undefined;
};

const withoutReserved = <Schema extends z.ZodType>(schema: Schema) =>
  schema.superRefine((value, context) => {
    const path = findReserved(value);
    if (path === undefined) return;
    const message = `${reservedKeys.join(', ')} cannot be keys`;
    context.addIssue({ code: 'custom', path: [...path], message });
  });

// Checked in place rather than rebuilt by z.record, which would lose a key named __proto__ that is stored.
const dataSchema = z
  .custom<UserData>(isUserData, { error: 'Must be an object' })
  .refine((value) => isStorable(value), storable)
  .meta({ type: 'object', additionalProperties: true });

const agreementsSchema = z.array(z.unknown()).refine((value) => isStorable(value), storable);

/** The body of a registration or change. */
export const userDataChangeSchema = z
  .strictObject({
    user_data: withoutReserved(dataSchema).optional(),
    user_agreements: withoutReserved(agreementsSchema).optional(),
  })
  .transform(({ user_data: data, user_agreements: agreements }): UserDataChange => ({ data, agreements }))
  .meta({
    id: 'UserDataChange',
    description: 'What is to change of a user.',
    examples: [{ user_data: { email: 'ana@example.com', is_club: 'yes', club_id: '7' } }],
  });

/** All data of a user, as every read answers it. */
export const userDataSchema = z.object({ user_data: dataSchema, user_agreements: agreementsSchema }).meta({
  id: 'UserData',
  description: 'All data of a user.',
  examples: [{ user_data: { email: 'ana@example.com', is_club: 'yes', club_id: '7' }, user_agreements: [] }],
});

export const userDataAnswer = ({ data, agreements }: StoredUserData) => ({
  user_data: data,
  user_agreements: agreements,
});
