import { isDeepStrictEqual } from 'node:util';
import type { Event } from '../../../shared/ott/events/event.ts';
import { scheduleText } from './event-cells.ts';

/** An end that an operator has moved, and that stays although the file has another one. An end can be that of a schedule. */
export interface KeptEnd {
  /** The name of the field in import files. */
  readonly field: 'ends_at' | 'stream.available_until' | 'schedule';
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
  const schedule = keptEnd(
    { end: event.schedule, inFile: event.scheduleInFile },
    { end: stored?.schedule, inFile: stored?.scheduleInFile },
  );
  const { stream } = event;
  const until = keptEnd(
    { end: stream?.availableUntil, inFile: stream?.availableUntilInFile },
    { end: stored?.stream?.availableUntil, inFile: stored?.stream?.availableUntilInFile },
  );
  const kept: Event = {
    ...event,
    ...(endsAt && { endsAt: endsAt.stored, endsAtInFile: endsAt.file }),
    ...(schedule && { schedule: schedule.stored, scheduleInFile: schedule.file }),
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
      ...(schedule && !isDeepStrictEqual(event.schedule, schedule.stored)
        ? [
            {
              field: 'schedule' as const,
              stored: scheduleText(schedule.stored),
              file: scheduleText(schedule.file),
            },
          ]
        : []),
    ],
  };
};

interface End<Value> {
  readonly end: Value | undefined;
  readonly inFile: Value | undefined;
}

/** A file that clears the end decides, as with any other field. */
const keptEnd = <Value>(
  file: End<Value>,
  stored: End<Value>,
): { readonly stored: Value; readonly file: Value } | undefined =>
  file.end !== undefined &&
  stored.end !== undefined &&
  stored.inFile !== undefined &&
  isDeepStrictEqual(file.inFile ?? file.end, stored.inFile)
    ? { stored: stored.end, file: stored.inFile }
    : undefined;
