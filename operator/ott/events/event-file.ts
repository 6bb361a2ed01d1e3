import { extname } from 'node:path';
import type { Fields, FileRow } from '../../../shared/ott/catalogue/file-row.ts';
import { InexactNumberError, parseExactJson } from '../../../shared/platform/parsing/json.ts';
import { OperatorError } from '../../platform/terminal/operator-error.ts';
import { parseJson } from '../../platform/terminal/read-file.ts';
import { readRows } from './event-rows.ts';
import { elementsOf } from './json-elements.ts';

/** Names of tables, as spreadsheet programs save them. A `.txt` may also be JSON. */
const tables = new Set(['.csv', '.tsv', '.tab', '.txt']);

const isTable = (file: string, text: string): boolean => {
  const extension = extname(file).toLowerCase();
  return tables.has(extension) && !(extension === '.txt' && /^\s*[[{]/.test(text));
};

/**
 * Reads the events of a file one by one: of a table (`*.csv`, `*.tsv`, `*.tab`, `*.txt`), or else of JSON. A mistake in
 * one event does not affect the other events.
 *
 * @throws OperatorError when the file is not valid JSON or CSV. For JSON, earlier events may have been yielded by then.
 */
export function* readEventFile({
  file,
  text,
}: {
  readonly file: string;
  readonly text: string;
}): Generator<FileRow> {
  for (const candidate of isTable(file, text) ? readRows({ file, text }) : readElements({ file, text })) {
    const id = candidate.fields?.event_id;
    yield { ...candidate, id: typeof id === 'string' ? id : undefined };
  }
}

function* readElements({
  file,
  text,
}: {
  readonly file: string;
  readonly text: string;
}): Generator<Omit<FileRow, 'id'>> {
  try {
    for (const { line, text: own } of elementsOf(text)) {
      const element = parseExactJson(own);
      const isObject = typeof element === 'object' && element !== null && !Array.isArray(element);
      yield isObject
        ? { line, fields: element as Fields, mistakes: [] }
        : { line, fields: undefined, mistakes: [{ text: 'must be an object' }] };
    }
  } catch (cause) {
    if (!(cause instanceof SyntaxError || cause instanceof InexactNumberError)) throw cause;
    // If the JSON is invalid, parsing the whole file throws an error that says where. Otherwise the file is valid JSON,
    // but not an array of events.
    parseJson(file, text);
    throw new OperatorError({ message: `${file} must contain a JSON array of events.`, cause });
  }
}
