import { readFile } from 'node:fs/promises';
import { InexactNumberError, parseExactJson } from '../../../shared/platform/json.ts';
import type { Mistake } from '../../../shared/platform/texts.ts';
import { OperatorError } from './operator-error.ts';

/** The text of a file that was named on the command line, without a byte order mark. */
export const readText = async (file: string): Promise<string> => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch (cause) {
    if (cause instanceof TypeError && 'code' in cause && cause.code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
      throw new OperatorError({
        message: `${file} is not UTF-8 text: save it as UTF-8 and try again.`,
        cause,
      });
    }
    throw new OperatorError({ message: `${file} cannot be read: ${messageOf(cause)}`, cause });
  }
};

/** Parses a file's JSON. V8's message for a syntax error includes the line and the column. */
export const parseJson = (file: string, text: string): unknown => {
  try {
    return parseExactJson(text);
  } catch (cause) {
    throw new OperatorError({
      message: `${file} ${cause instanceof InexactNumberError ? 'cannot be taken' : 'is not valid JSON'}: ${messageOf(cause)}`,
      cause,
    });
  }
};

/** What is wrong with a value, one sentence for each mistake. */
export const sentencesOf = (mistakes: readonly Mistake[]): string[] =>
  mistakes.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`));

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
