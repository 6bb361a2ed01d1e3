import * as z from 'zod';
import { isUserData, type StoredUserData, type UserData, type UserDataChange } from '../user-data.ts';

/** Nobody needs deeper JSON, and far deeper JSON overflows the stack of whoever prints it. */
const maximumDepth = 32;

/** `1e999` is legal JSON, but a number that cannot be given back. */
const isStorable = (value: unknown, depth = 0): boolean => {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return depth < maximumDepth && Object.values(value).every((inner) => isStorable(inner, depth + 1));
};

const storable = { error: `Numbers must be finite and nesting at most ${maximumDepth} levels deep` };

/** Keys that give access to an object's prototype in JavaScript: merging data with them would change it. */
const reservedKeys = ['__proto__', 'constructor', 'prototype'];

type Path = readonly (string | number)[];

/** The path of a value's reserved key; not searched in values that are refused for their depth. */
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

// Checked in place. z.record would rebuild the object and lose a stored key named __proto__.
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
