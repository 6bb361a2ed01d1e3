import * as z from 'zod';
import { reservedKey } from '../../platform/errors.ts';
import { reservedKeys } from '../../platform/json.ts';
import { isUserData, type StoredUserData, type UserData, type UserDataChange } from '../user-data.ts';

/**
 * How deep user data may be nested. The limit is far above what real data needs. Much deeper JSON would overflow the
 * stack of programs that print it.
 */
const maximumDepth = 32;

/** `1e999` is legal JSON, but it is parsed to Infinity, which JSON cannot express. */
const isStorable = (value: unknown, depth = 0): boolean => {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return depth < maximumDepth && Object.values(value).every((inner) => isStorable(inner, depth + 1));
};

const storable = { error: `Numbers must be finite, and nesting must be at most ${maximumDepth} levels deep` };

type Path = readonly (string | number)[];

/**
 * The path of the first reserved key in a value. Values that are nested too deep are not searched, because they are
 * refused anyway.
 */
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
    context.addIssue({ code: 'custom', path: [...path], message: reservedKey });
  });

// The object is checked without a copy: z.record would rebuild it and lose a stored key named `__proto__`.
const dataSchema = z
  .custom<UserData>(isUserData, { error: 'Must be an object' })
  .refine((value) => isStorable(value), storable)
  .meta({ type: 'object', additionalProperties: true });

const agreementsSchema = z.array(z.unknown()).refine((value) => isStorable(value), storable);

export const userDataChangeSchema = z
  .strictObject({
    user_data: withoutReserved(dataSchema).optional(),
    user_agreements: withoutReserved(agreementsSchema).optional(),
  })
  .transform(({ user_data: data, user_agreements: agreements }): UserDataChange => ({ data, agreements }))
  .meta({
    id: 'UserDataChange',
    description: 'A change of a user’s data.',
    examples: [{ user_data: { email: 'ana@example.com', is_club: 'yes', club_id: '7' } }],
  });

export const userDataSchema = z.object({ user_data: dataSchema, user_agreements: agreementsSchema }).meta({
  id: 'UserData',
  description: 'All data of a user.',
  examples: [{ user_data: { email: 'ana@example.com', is_club: 'yes', club_id: '7' }, user_agreements: [] }],
});

export const userDataAnswer = ({ data, agreements }: StoredUserData): z.output<typeof userDataSchema> => ({
  user_data: data,
  user_agreements: [...agreements],
});
