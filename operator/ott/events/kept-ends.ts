import type { Event } from '../../../shared/ott/event.ts';

/** An end that an operator has moved, and that stays although the file has another one. */
export interface KeptEnd {
  /** The name of the field in import files. */
  readonly field: 'ends_at' | 'stream.available_until';
  readonly stored: string;
  readonly file: string;
}

/**
 * Keeps the ends that an operator has extended, until they change in the file. Otherwise a nightly import of an unchanged
 * file would end a match in the middle of its overtime.
 */
export const keepExtension = (
  event: Event,
  stored: Event | undefined,
): { readonly event: Event; readonly keptEnds: readonly KeptEnd[] } => {
  const endsAt = keptEnd(
    { end: event.endsAt ?? undefined, inFile: event.endsAtInFile },
    { end: stored?.endsAt ?? undefined, inFile: stored?.endsAtInFile },
  );
  const { stream } = event;
  const until = keptEnd(
    { end: stream?.availableUntil, inFile: stream?.availableUntilInFile },
    { end: stored?.stream?.availableUntil, inFile: stored?.stream?.availableUntilInFile },
  );
  const kept: Event = {
    ...event,
    ...(endsAt && { endsAt: endsAt.stored, endsAtInFile: endsAt.file }),
    ...(stream &&
      until && { stream: { ...stream, availableUntil: until.stored, availableUntilInFile: until.file } }),
  };
  return {
    event: kept,
    keptEnds: [
      ...(endsAt && event.endsAt !== endsAt.stored ? [{ field: 'ends_at' as const, ...endsAt }] : []),
      ...(until && stream?.availableUntil !== until.stored
        ? [{ field: 'stream.available_until' as const, ...until }]
        : []),
    ],
  };
};

interface End {
  readonly end: string | undefined;
  readonly inFile: string | undefined;
}

/** A file that clears the end decides, as with any other field. */
const keptEnd = (file: End, stored: End): { readonly stored: string; readonly file: string } | undefined =>
  file.end !== undefined &&
  stored.end !== undefined &&
  stored.inFile !== undefined &&
  (file.inFile ?? file.end) === stored.inFile
    ? { stored: stored.end, file: stored.inFile }
    : undefined;
