import * as z from 'zod';
import type { Registration } from '../../users/application-user-sub.ts';

const text = z.object({ S: z.string().min(1) });

const removalSchema = z.object({
  dynamodb: z.object({
    NewImage: z.object({
      user_sub: text,
      registration_id: text,
      is_removed: z.object({ BOOL: z.literal(true) }),
    }),
  }),
});

/**
 * The registration that has ended, from a record of the users table's stream that is about a removal.
 * @throws z.ZodError for any other record
 */
export const removalIn = (record: unknown): Registration => {
  const { user_sub, registration_id } = removalSchema.parse(record).dynamodb.NewImage;
  return { userSub: user_sub.S, registrationId: registration_id.S };
};
