import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod';
import { logger } from './logger.ts';

/** A process logs at most this many lines of a kind: one line for each event of a catalogue would help nobody. */
const toldAtMost = 1_000;

const told = new Map<string, Set<string>>();

/**
 * Logs that something stored was written by a later release and is only partly known here. The same is logged once in
 * the life of a process.
 */
export const tellLaterData = (found: {
  /** What is stored: an event, an entry of the transaction log, and so on. */
  readonly kind: string;
  /** Absent if it is personal data. Then each unknown part is logged once for all people. */
  readonly id?: string;
  /** The unknown fields of the stored data, or the reason why the data cannot be read. */
  readonly unknown: unknown;
}): void => {
  const ofKind = told.get(found.kind) ?? new Set();
  told.set(found.kind, ofKind);
  // DynamoDB returns attributes in any order.
  const unknown = Array.isArray(found.unknown) ? found.unknown.toSorted() : found.unknown;
  const key = JSON.stringify([found.id, Array.isArray(unknown) ? unknown : undefined]);
  if (ofKind.has(key) || ofKind.size >= toldAtMost) return;
  ofKind.add(key);
  logger.warn('Stored by a later release', { code: 'LATER_DATA', ...found, unknown });
};

/** The names of the fields in which a schema found something that it does not know. */
export const unknownIn = (error: z.ZodError): readonly string[] =>
  error.issues.flatMap(({ path, ...issue }) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...path, key].join('.')) : path.join('.'),
  );

/** The fields of a stored object that this release does not know. They are written back as they are. */
export type LaterPart = Readonly<Record<string, unknown>>;

/** The fields of a stored object that are not among the known ones. */
export const laterPartOf = (stored: object, known: object): LaterPart =>
  Object.fromEntries(Object.entries(stored).filter(([name]) => !Object.hasOwn(known, name)));

/**
 * Keeps the unknown fields of an object in `later`, for when the object is written back. Without any, `later` is
 * absent.
 */
export const withLater = (stored: object, known: object): { readonly later?: LaterPart } => {
  const later = laterPartOf(stored, known);
  return isDeepStrictEqual(later, {}) ? {} : { later };
};
