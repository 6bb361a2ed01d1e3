import { readFile } from 'node:fs/promises';
import { InexactNumberError, parseExactJson } from '../../../shared/platform/parsing/json.ts';
import { OperatorError } from './operator-error.ts';

/**
 * The text of a file that was named on the command line, without a byte order mark. It is UTF-8, or UTF-16 as
 * spreadsheet programs save it.
 */
export const readText = async (file: string): Promise<string> => {
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch (cause) {
    throw new OperatorError({ message: `${file} cannot be read: ${messageOf(cause)}`, cause });
  }
  return textOf(file, bytes);
};

/** Files of spreadsheet programs that are no text: archives (`.xlsx`, `.ods`, `.numbers`) and workbooks of Excel 97. */
const workbooks = ['504b0304', 'd0cf11e0'];

/** @throws OperatorError for bytes that are no text in UTF-8 or UTF-16. Says where, and what to do. */
export const textOf = (file: string, bytes: Uint8Array): string => {
  if (workbooks.includes(Buffer.from(bytes.subarray(0, 4)).toString('hex'))) {
    throw new OperatorError({
      message: `${file} is no text, but a workbook or an archive: export the table as CSV in UTF-8 and try again.`,
    });
  }
  const encoding = encodingOf(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    const where = encoding === 'utf-8' ? ` (line ${brokenLine(bytes)} has other bytes)` : '';
    throw new OperatorError({
      message: `${file} is not ${encoding.toUpperCase()} text${where}: save it as UTF-8 and try again. Excel calls this "CSV UTF-8", LibreOffice asks for the character set.`,
      cause,
    });
  }
};

/** UTF-16 is told by its byte order mark, or by the zero in one of the first two bytes, which no text in UTF-8 has. */
const encodingOf = ([first, second]: Uint8Array): string => {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return 'utf-16be';
  return 'utf-8';
};

/** The first line that is not UTF-8. */
const brokenLine = (bytes: Uint8Array): number => {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  let start = 0;
  for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a, start)) {
    try {
      decoder.decode(bytes.subarray(start, end));
    } catch {
      return line;
    }
    line += 1;
    start = end + 1;
  }
  return line;
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

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
