import { UserNotFoundError } from '../users/errors.ts';
import type { Users } from '../users/ports/users.ts';

export interface PreviewErasureDependencies {
  readonly users: Pick<Users, 'find'>;
}

/** What an erasure would delete of a user. */
export interface ErasurePreview {
  readonly registeredAt: string;
  /** The keys of the user's data. */
  readonly dataKeys: readonly string[];
  readonly agreements: number;
}

/** @throws UserNotFoundError */
export const previewErasure = async (
  { users }: PreviewErasureDependencies,
  { userSub }: { readonly userSub: string },
): Promise<ErasurePreview> => {
  const user = await users.find(userSub);
  if (user === undefined) throw new UserNotFoundError();
  return {
    registeredAt: user.registeredAt,
    dataKeys: Object.keys(user.data),
    agreements: user.agreements.length,
  };
};
