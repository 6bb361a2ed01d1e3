import { extname } from 'node:path';
import { missingField } from '../../shared/errors.ts';
import { InexactIntegerError, parseExactJson } from '../../shared/json.ts';
import type { Event } from '../../shared/ott/event.ts';
import { eventRecordSchema } from '../../shared/ott/event-record.ts';
import { OperatorError } from '../operator-error.ts';
import { mistakesOf, parseJson } from '../read-file.ts';
import type { Candidate } from './candidate.ts';
import { readRows } from './event-rows.ts';
import { elementsOf } from './json-elements.ts';

/** One event of a file. If the event is invalid, its mistakes are listed instead. */
export type Entry = { readonly line: number; readonly id: string | undefined } & (
  | { readonly event: Event }
  | { readonly mistakes: readonly string[] }
);

/**
 * Reads the events of a file one by one. A file named `*.csv` is read as CSV, any other file as JSON. A mistake in one
 * event does not affect the other events. If two events have the same id, the second is a mistake.
 *
 * @throws OperatorError when the file is not valid JSON or CSV. For JSON, earlier events may have been yielded by then.
 */
export function* readEventFile({
  file,
  text,
}: {
  readonly file: string;
  readonly text: string;
}): Generator<Entry> {
  const isCsv = extname(file).toLowerCase() === '.csv';
  const firstLines = new Map<string, number>();
  for (const candidate of isCsv ? readRows({ file, text }) : readElements({ file, text })) {
    const entry = check(candidate);
    const { line, id } = entry;
    const first = id === undefined ? undefined : firstLines.get(id);
    if (id !== undefined && first === undefined) firstLines.set(id, line);
    yield first === undefined
      ? entry
      : { line, id, mistakes: [`event_id: is already used by the event on line ${first}`] };
  }
}

const check = ({ line, fields, mistakes }: Candidate): Entry => {
  if (fields === undefined) return { line, id: undefined, mistakes };
  const id = typeof fields.event_id === 'string' ? fields.event_id : undefined;
  const parsed = eventRecordSchema.safeParse(fields, { error: missingField });
  if (mistakes.length === 0 && parsed.success) return { line, id, event: parsed.data };
  return { line, id, mistakes: [...mistakes, ...(parsed.success ? [] : mistakesOf(parsed.error))] };
};

function* readElements({
  file,
  text,
}: {
  readonly file: string;
  readonly text: string;
}): Generator<Candidate> {
  try {
    for (const { line, text: own } of elementsOf(text)) {
      const element = parseExactJson(own);
      const isObject = typeof element === 'object' && element !== null && !Array.isArray(element);
      yield isObject
        ? { line, fields: element as Record<string, unknown>, mistakes: [] }
        : { line, fields: undefined, mistakes: ['must be an object'] };
    }
  } catch (cause) {
    if (!(cause instanceof SyntaxError || cause instanceof InexactIntegerError)) throw cause;
    // If the JSON is invalid, parsing the whole file throws an error that says where. Otherwise the file is valid JSON,
    // but not an array of events.
    parseJson(file, text);
    throw new OperatorError({ message: `${file} must contain a JSON array of events.`, cause });
  }
}
