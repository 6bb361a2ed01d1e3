import { userDataChangeSchema } from '../../shared/users/http/user-data.ts';
import type { UserDataChange } from '../../shared/users/user-data.ts';
import { UsageError } from '../operator-error.ts';
import { mistakesOf, parseJson } from '../read-file.ts';

/** What `users put` was told, of which exactly one is given. */
export interface ChangeSource {
  readonly data?: string | undefined;
  readonly file?: { readonly name: string; readonly text: string } | undefined;
}

const readData = (data: string): unknown => ({ user_data: parseJson('--data', data) });

/**
 * A change of a user: `--data` is the `user_data` alone, a file has the body of the profile call.
 *
 * @throws OperatorError that names every mistake.
 */
export const readUserDataChange = ({ data, file }: ChangeSource): UserDataChange => {
  if ((data === undefined) === (file === undefined)) {
    throw new UsageError({ message: 'Say what is to be stored: --data or --file, one of them.' });
  }
  const value = file === undefined ? readData(data ?? '') : parseJson(file.name, file.text);
  const parsed = userDataChangeSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new UsageError({ message: mistakesOf(parsed.error).join('\n') });
};
