/** The items of the users table. */
import * as z from 'zod';
import { dateTimeSchema } from '../../platform/time/date-time.ts';
import type { UserTrace } from '../ports/users.ts';
import type { EndedRegistration, User, UserChange, UserCounts } from '../user.ts';
import { isUserData, type UserData } from '../user-data.ts';
import { endedPrefix } from './ended-registration-key.ts';

/** The message of the error does not quote the text, because it could be personal data. */
const jsonText = z.string().transform((text, { addIssue }): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    addIssue('not JSON');
    return z.NEVER;
  }
});

const countsShape = {
  hour_began_at: z.int().optional(),
  changes_in_hour: z.int().optional(),
  erasure_day_began_at: z.int().optional(),
  erasures_in_day: z.int().optional(),
};

const countsIn = (item: z.output<z.ZodObject<typeof countsShape>>): UserCounts => ({
  hour:
    item.hour_began_at === undefined || item.changes_in_hour === undefined
      ? undefined
      : { beganAt: item.hour_began_at, changes: item.changes_in_hour },
  day:
    item.erasure_day_began_at === undefined || item.erasures_in_day === undefined
      ? undefined
      : { beganAt: item.erasure_day_began_at, erasures: item.erasures_in_day },
});

export const countsItem = ({ hour, day }: UserCounts) => ({
  hour_began_at: hour?.beganAt,
  changes_in_hour: hour?.changes,
  erasure_day_began_at: day?.beganAt,
  erasures_in_day: day?.erasures,
});

/**
 * Data and agreements are stored as JSON text. A DynamoDB map cannot express all of JSON: numbers with more than 38
 * digits, lone surrogates, more than 32 levels.
 */
export const itemSchema = z
  .object({
    user_sub: z.string(),
    registration_id: z.string(),
    version: z.int(),
    changed_at: dateTimeSchema,
    registered_at: dateTimeSchema,
    user_data: jsonText.pipe(z.custom<UserData>(isUserData)),
    user_agreements: jsonText.pipe(z.array(z.unknown())),
    ...countsShape,
  })
  .transform(
    (item): User => ({
      userSub: item.user_sub,
      registrationId: item.registration_id,
      version: item.version,
      changedAt: item.changed_at,
      registeredAt: item.registered_at,
      data: item.user_data,
      agreements: item.user_agreements,
      ...countsIn(item),
    }),
  );

export const registrationSchema = z.object({
  user_sub: z.string(),
  registration_id: z.string(),
  is_removed: z.boolean().default(false),
});

export const tombstoneSchema = registrationSchema
  .extend(countsShape)
  .transform((item) => ({ ended: item.registration_id, counts: countsIn(item) }));

export const changeSchema = z.object({ ...registrationSchema.shape, changed_at: dateTimeSchema }).transform(
  (item): UserChange => ({
    userSub: item.user_sub,
    registrationId: item.registration_id,
    changedAt: item.changed_at,
    isRemoved: item.is_removed,
  }),
);

export const endedSchema = z
  .object({ pk: z.string().startsWith(endedPrefix), changed_at: dateTimeSchema })
  .transform(
    ({ pk, changed_at: changedAt }): EndedRegistration => ({
      registrationId: pk.slice(endedPrefix.length),
      changedAt,
    }),
  );

const countsOrNone = {
  hour_began_at: countsShape.hour_began_at.catch(undefined),
  changes_in_hour: countsShape.changes_in_hour.catch(undefined),
  erasure_day_began_at: countsShape.erasure_day_began_at.catch(undefined),
  erasures_in_day: countsShape.erasures_in_day.catch(undefined),
};

export const traceSchema = z
  .object({
    user_sub: z.string(),
    registration_id: z.string().optional().catch(undefined),
    version: z.int().optional().catch(undefined),
    changed_at: dateTimeSchema.optional().catch(undefined),
    is_removed: z.boolean().catch(false),
    ...countsOrNone,
  })
  .transform(
    (item): UserTrace => ({
      userSub: item.user_sub,
      registrationId: item.registration_id,
      version: item.version,
      changedAt: item.changed_at,
      isRemoved: item.is_removed,
      ...countsIn(item),
    }),
  );

export const toItem = (user: User) => ({
  user_sub: user.userSub,
  registration_id: user.registrationId,
  version: user.version,
  changed_at: user.changedAt,
  registered_at: user.registeredAt,
  user_data: JSON.stringify(user.data),
  user_agreements: JSON.stringify(user.agreements),
  ...countsItem(user),
});

export const knownAttributes = { ...itemSchema.in.shape, is_removed: true, expires_at: true } as const;
