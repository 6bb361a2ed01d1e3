import { extname } from 'node:path';
import type { Event } from '../../shared/ott/event.ts';
import { eventRecordSchema } from '../../shared/ott/event-record.ts';
import { OperatorError } from '../operator-error.ts';
import { mistakesOf, parseJson } from '../read-file.ts';
import type { Candidate } from './candidate.ts';
import { readRows } from './event-rows.ts';
import { elementLines } from './json-lines.ts';

/** One event of a file: a good one, or what is wrong with it. */
export type Entry = { readonly line: number; readonly id: string | undefined } & (
  | { readonly event: Event }
  | { readonly mistakes: readonly string[] }
);

/**
 * Reads a file of events, JSON or, by its extension, CSV. What is wrong with one event does not touch another;
 * an id that comes twice is good the first time only.
 *
 * @throws OperatorError when the file as a whole is neither.
 */
export const readEventFile = ({ file, text }: { readonly file: string; readonly text: string }): Entry[] => {
  const isCsv = extname(file).toLowerCase() === '.csv';
  const candidates = isCsv ? readRows({ file, text }) : readElements({ file, text });
  const firstLines = new Map<string, number>();
  return candidates.map((candidate) => {
    const entry = check(candidate);
    if (entry.id === undefined) return entry;
    const first = firstLines.get(entry.id);
    if (first === undefined) {
      firstLines.set(entry.id, entry.line);
      return entry;
    }
    return {
      line: entry.line,
      id: entry.id,
      mistakes: [`event_id: is that of the event on line ${first}, too`],
    };
  });
};

const check = ({ line, fields, mistakes }: Candidate): Entry => {
  if (fields === undefined) return { line, id: undefined, mistakes };
  const id = typeof fields.event_id === 'string' ? fields.event_id : undefined;
  const parsed = eventRecordSchema.safeParse(fields);
  if (mistakes.length === 0 && parsed.success) return { line, id, event: parsed.data };
  return { line, id, mistakes: [...mistakes, ...(parsed.success ? [] : mistakesOf(parsed.error))] };
};

const readElements = ({ file, text }: { readonly file: string; readonly text: string }): Candidate[] => {
  const elements = parseJson(file, text);
  if (!Array.isArray(elements)) {
    throw new OperatorError({ message: `${file} must hold a JSON array of events.` });
  }
  const lines = elementLines(text);
  return elements.map((element: unknown, index) => {
    const line = lines[index] ?? 0;
    const isObject = typeof element === 'object' && element !== null && !Array.isArray(element);
    return isObject
      ? { line, fields: element as Record<string, unknown>, mistakes: [] }
      : { line, fields: undefined, mistakes: ['must be an object'] };
  });
};
