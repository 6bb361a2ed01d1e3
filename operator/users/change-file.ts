import { userDataChangeSchema } from '../../shared/users/http/user-data.ts';
import type { UserDataChange } from '../../shared/users/user-data.ts';
import { OperatorError, UsageError } from '../operator-error.ts';
import { mistakesOf, parseJson } from '../read-file.ts';

/** What `users put` was told, of which exactly one is given. */
export interface ChangeSource {
  readonly data?: string | undefined;
  readonly file?: { readonly name: string; readonly text: string } | undefined;
}

/** What stands on the command line itself is a wrong call, and no wrong file. */
const readData = (data: string): unknown => {
  try {
    return { user_data: parseJson('--data', data) };
  } catch (cause) {
    if (cause instanceof OperatorError) throw new UsageError({ message: cause.message });
    throw cause;
  }
};

/**
 * A change of a user: `--data` is the `user_data` alone, a file has the body of the profile call.
 *
 * @throws OperatorError that names every mistake.
 */
export const readUserDataChange = ({ data, file }: ChangeSource): UserDataChange => {
  if ((data === undefined) === (file === undefined)) {
    throw new UsageError({ message: 'Give either --data or --file.' });
  }
  const value = file === undefined ? readData(data ?? '') : parseJson(file.name, file.text);
  const parsed = userDataChangeSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new UsageError({ message: mistakesOf(parsed.error).join('\n') });
};
