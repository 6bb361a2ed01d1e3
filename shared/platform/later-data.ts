import type * as z from 'zod';
import { logger } from './logger.ts';

/** After this many, a process tells nothing more: one line for each event of a catalogue would help nobody. */
const toldAtMost = 1_000;

const told = new Set<string>();

/**
 * Logs that something stored was written by a later release and is only partly known here, once for each `kind` and
 * `id` in the life of a process.
 */
export const tellLaterData = (found: {
  /** What is stored: an event, an entry of the transaction log, and so on. */
  readonly kind: string;
  readonly id: string;
  /** The unknown fields, or why nothing of it can be read. */
  readonly unknown: unknown;
}): void => {
  const key = `${found.kind} ${found.id}`;
  if (told.has(key) || told.size >= toldAtMost) return;
  told.add(key);
  logger.warn('Stored by a later release', { code: 'LATER_DATA', ...found });
};

/** The names of the fields in which a schema found something that it does not know. */
export const unknownIn = (error: z.ZodError): readonly string[] =>
  error.issues.flatMap(({ path, ...issue }) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...path, key].join('.')) : path.join('.'),
  );
