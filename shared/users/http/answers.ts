import * as z from 'zod';
import type { StoredUserData } from '../user-data.ts';
import { agreementsSchema, applicationUserSub, dataSchema } from './requests.ts';

export const userDataSchema = z.object({ user_data: dataSchema, user_agreements: agreementsSchema }).meta({
  id: 'UserData',
  description: 'All data of a user.',
  examples: [{ user_data: { email: 'ana@example.com', is_club: 'yes', club_id: '7' }, user_agreements: [] }],
});

export const userDataAnswer = ({ data, agreements }: StoredUserData): z.output<typeof userDataSchema> => ({
  user_data: data,
  user_agreements: [...agreements],
});

const exchangedUserSubSchema = z
  .object({ user_sub: z.string(), application_user_sub: applicationUserSub.nullable() })
  .meta({
    id: 'ExchangedUserSub',
    description:
      'The application’s identifier for a user; null if the user is unknown or not in the application’s audience.',
    examples: [{ user_sub: 'ana', application_user_sub: '9f0c2b4e-6a51-4c1e-8f0a-3f3de1d6a2c7' }],
  });

export const exchangedUserSubsSchema = z.object({ user_subs: z.array(exchangedUserSubSchema) }).meta({
  id: 'ExchangedUserSubs',
  description: 'One entry for each requested user, in the order of the request.',
  examples: [
    {
      user_subs: [
        { user_sub: 'ana', application_user_sub: '9f0c2b4e-6a51-4c1e-8f0a-3f3de1d6a2c7' },
        { user_sub: 'nobody', application_user_sub: null },
      ],
    },
  ],
});

export const applicationUserSchema = z
  .object({ application_user_sub: applicationUserSub, ...userDataSchema.shape })
  .meta({
    id: 'ApplicationUser',
    description: 'All data of a user, with the application’s identifier for the user.',
    examples: [
      {
        application_user_sub: '9f0c2b4e-6a51-4c1e-8f0a-3f3de1d6a2c7',
        user_data: { email: 'ana@example.com', is_club: 'yes', club_id: '7' },
        user_agreements: [],
      },
    ],
  });

const unreadApplicationUserSchema = z
  .object({
    application_user_sub: applicationUserSub,
    error_fields: z
      .enum(['USER_NOT_FOUND', 'READ_AGAIN'])
      .describe(
        '`READ_AGAIN`: the response was full, or the user could not be read, so request this user again',
      ),
  })
  .meta({
    id: 'UnreadApplicationUser',
    description: 'The reason why a user’s data is not in the response.',
    examples: [{ application_user_sub: '00000000000000000000000000000000', error_fields: 'USER_NOT_FOUND' }],
  });

export const applicationUserEntrySchema = z.union([applicationUserSchema, unreadApplicationUserSchema]).meta({
  id: 'ApplicationUserEntry',
  description: 'One user of a batch: all data, or the reason why it is missing.',
  examples: [
    {
      application_user_sub: '9f0c2b4e6a514c1e8f0a3f3de1d6a2c7',
      user_data: { email: 'ana@example.com', is_club: 'yes', club_id: '7' },
      user_agreements: [],
    },
    { application_user_sub: '00000000000000000000000000000000', error_fields: 'USER_NOT_FOUND' },
  ],
});
