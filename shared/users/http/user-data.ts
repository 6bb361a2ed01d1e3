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

// Checked in place rather than rebuilt by z.record, which would lose a key named __proto__.
const dataSchema = z
  .custom<UserData>(isUserData, { error: 'Must be an object' })
  .refine((value) => isStorable(value), storable)
  .meta({ type: 'object', additionalProperties: true });

const agreementsSchema = z.array(z.unknown()).refine((value) => isStorable(value), storable);

/** The body of a registration or change. */
export const userDataChangeSchema = z
  .strictObject({
    user_data: dataSchema.optional(),
    user_agreements: agreementsSchema.optional(),
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
