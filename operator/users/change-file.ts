import { parseIncoming } from '../../shared/platform/parsing/incoming.ts';
import { sentencesOf } from '../../shared/platform/parsing/mistake-sentences.ts';
import { putUserDataOperation } from '../../shared/users/http/operations.ts';
import { userDataChangeSchema } from '../../shared/users/http/requests.ts';
import type { UserDataChange } from '../../shared/users/user-data.ts';
import { OperatorError, UsageError } from '../platform/terminal/operator-error.ts';
import { parseJson } from '../platform/terminal/read-file.ts';

/** The options of `users put` that contain the change: exactly one of the two is set. */
export interface ChangeSource {
  readonly data?: string | undefined;
  readonly file?: { readonly name: string; readonly text: string } | undefined;
}

/** A mistake in `--data` is a mistake in the command line, so it is reported as a `UsageError`. */
const readData = (data: string): unknown => {
  try {
    return { user_data: parseJson('--data', data) };
  } catch (cause) {
    if (cause instanceof OperatorError) throw new UsageError({ message: cause.message });
    throw cause;
  }
};

/**
 * Reads a change of a user: `--data` contains only the `user_data`, and a file contains the body of a profile call.
 *
 * @throws OperatorError that names every mistake.
 */
export const readUserDataChange = ({ data, file }: ChangeSource): UserDataChange => {
  if ((data === undefined) === (file === undefined)) {
    throw new UsageError({ message: 'Give either --data or --file.' });
  }
  const value = file === undefined ? readData(data ?? '') : parseJson(file.name, file.text);
  const parsed = parseIncoming(userDataChangeSchema, value, { asSent: putUserDataOperation.asSent });
  if (parsed.success) return parsed.data;
  throw new UsageError({ message: sentencesOf(parsed.mistakes).join('\n') });
};
