import * as z from 'zod';
import { reservedKey } from '../../platform/errors.ts';
import { maximumDepth, reservedKeys } from '../../platform/parsing/json.ts';
import { isUserData, type UserData, type UserDataChange } from '../user-data.ts';

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
export const dataSchema = z
  .custom<UserData>(isUserData, { error: 'Must be an object' })
  .refine((value) => isStorable(value), storable)
  .meta({ type: 'object', additionalProperties: true });

export const agreementsSchema = z.array(z.unknown()).refine((value) => isStorable(value), storable);

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

export const applicationUserSub = z
  .string()
  .min(1)
  .describe(
    'This application’s identifier for the user. Each application has a different identifier for the same user',
  );

export const applicationUserSubSchema = z.object({ application_user_sub: applicationUserSub }).meta({
  id: 'ApplicationUserSub',
  description: 'One application’s identifier for a user.',
  examples: [{ application_user_sub: '9f0c2b4e-6a51-4c1e-8f0a-3f3de1d6a2c7' }],
});

export const applicationUserSubsSchema = z
  .object({
    application_user_subs: z
      .array(applicationUserSub)
      .min(1)
      .max(100)
      .describe('This application’s identifiers for the users'),
  })
  .meta({
    id: 'ApplicationUserSubs',
    description: 'One application’s identifiers for users.',
    examples: [
      { application_user_subs: ['9f0c2b4e6a514c1e8f0a3f3de1d6a2c7', '00000000000000000000000000000000'] },
    ],
  });

export const userSubsSchema = z
  .object({
    user_subs: z
      .array(z.string().min(1))
      .min(1)
      .max(100)
      .describe('The identity provider’s identifiers of the users (`sub`)'),
  })
  .meta({
    id: 'UserSubs',
    description: 'Users, by the identity provider’s identifiers (`sub`).',
    examples: [{ user_subs: ['ana', 'nobody'] }],
  });
