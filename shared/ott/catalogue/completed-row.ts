import type * as z from 'zod';
import { missingField } from '../../platform/errors.ts';
import { parseIncoming } from '../../platform/parsing/incoming.ts';
import { sentencesOf } from '../../platform/parsing/mistake-sentences.ts';
import type { Event } from '../events/event.ts';
import { eventRecord, eventRecordSchema } from '../events/event-record.ts';
import { withTime } from '../events/marks.ts';
import type { Fields, FileRow } from './file-row.ts';

const emptyField = (issue: z.core.$ZodRawIssue) =>
  issue.code === 'invalid_type' && issue.input === null ? 'must not be empty' : missingField(issue);

export type CompletedRow =
  | {
      readonly event: Event;
      /** Whether the file has a status. */
      readonly hasStatus: boolean;
    }
  | { readonly mistakes: readonly string[] };

/**
 * Completes an event of a file with what is stored: a field that the file leaves out keeps its stored value, and `null`
 * clears it. So an old or partial file cannot silently take away an event's geoblocking, window or tickets. Of a field
 * that could not be read, only that is reported.
 */
export const completedRow = (
  { fields, mistakes }: Pick<FileRow, 'fields' | 'mistakes'>,
  stored: Event | undefined,
  now: number,
): CompletedRow => {
  const kept = stored && eventRecord(stored, now);
  const texts = mistakes.map(({ text }) => text);
  if (fields === undefined) return { mistakes: texts };
  const parsed = parseIncoming(
    eventRecordSchema,
    withStream(kept === undefined ? fields : { ...keptOf(fields, kept), ...fields }, kept),
    { error: emptyField },
  );
  if (parsed.success && texts.length === 0) {
    const event = withTime({ ...parsed.data, later: stored?.later }, stored, now);
    const hasStatus = fields.status !== undefined;
    if (hasStatus || stored === undefined) return { event, hasStatus };
    const hand = { ...event.hand, status: stored.hand.status };
    return { event: { ...event, status: stored.status, hand }, hasStatus };
  }
  const unread = new Set(mistakes.map(({ field }) => field));
  const others = parsed.success ? [] : parsed.mistakes.filter(({ path }) => !unread.has(path.join('.')));
  return { mistakes: [...texts, ...sentencesOf(others)] };
};

type Record = ReturnType<typeof eventRecord>;

/**
 * `status_in_file` and `status_set_at` belong to the status, so they are not kept if the file contains a status. The
 * same applies to such fields of the ends and the schedule.
 */
const keptOf = ({ status, ends_at, schedule }: Fields, record: Record): Fields => {
  const { status_in_file, status_set_at, ends_at_in_file, schedule_in_file, ...kept } = record;
  return {
    ...kept,
    ...(status === undefined && status_in_file !== undefined && { status_in_file }),
    ...(status === undefined && status_set_at !== undefined && { status_set_at }),
    ...(ends_at === undefined && ends_at_in_file !== undefined && { ends_at_in_file }),
    ...(schedule === undefined && schedule_in_file !== undefined && { schedule_in_file }),
  };
};

/** Completes the stream field by field, too. A stream without a value in any field is no stream. */
const withStream = (fields: Fields, record: Record | undefined): Fields => {
  const { stream } = fields;
  if (typeof stream !== 'object' || stream === null || Array.isArray(stream)) return fields;
  const { available_until_in_file, ...kept } = record?.stream ?? {};
  const hasOwnEnd = (stream as Fields).available_until !== undefined;
  const whole = {
    ...kept,
    ...(!hasOwnEnd && available_until_in_file !== undefined && { available_until_in_file }),
    ...stream,
  };
  const isEmpty = Object.keys(whole).length > 0 && Object.values(whole).every((value) => value === null);
  return { ...fields, stream: isEmpty ? null : whole };
};
