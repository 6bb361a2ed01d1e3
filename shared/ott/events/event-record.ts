/**
 * The forms of an event outside of the domain. All are made of the same fields: `event-schema.ts` says what each may be,
 * `event-translation.ts` translates their names, and `marks.ts` has the marks.
 *
 * | Form | What it has | Written by | Read by | Strictly |
 * |---|---|---|---|---|
 * | `eventRecord` | the values at a time, with marks | files and editors; answers to them | `eventRecordSchema` | yes |
 * | `exportedEventRecord` | the same with the status of the file | `events export` | `eventRecordSchema` | yes |
 * | `storedEventRecord` | what was given, and the hand | the store | `storedEventSchema` | no |
 * | `shownEventRecord` | the values at a time, with marks | `events show` | people | |
 * | `presentEventRecord` | what callers see, without marks | the publisher of events | nothing: it is compared | |
 *
 * All but `eventRecord` have the fields that a later release has stored.
 */
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { type Address, writtenAddressSchema } from '../../chain/hex.ts';
import { geoblockingSchema, storedGeoblockingSchema } from '../viewers/geoblocking.ts';
import { effectiveStatus } from './effective.ts';
import type { Event, PresentEvent } from './event.ts';
import { categorySchema, type EventStatus, eventStatusSchema } from './event-kinds.ts';
import {
  entrySchema,
  eventShape,
  momentSchema,
  type Parts,
  readable,
  scheduleSchema,
  streamAddressSchema,
  streamShape,
  titleSchema,
  webAddressSchema,
} from './event-schema.ts';
import { eventIn, recordOf, withoutNone } from './event-translation.ts';
import { withLaterFields } from './later-fields.ts';
import { marked, markedForFile } from './marks.ts';

const recordSchema = (parts: Parts) => {
  const stream = parts.named(
    {
      id: 'CatalogueStreamRequest',
      description: 'The stream of an event.',
      examples: [{ type: 'hls', url: 'https://streams.example.com/training-session/index.m3u8' }],
    },
    z
      .strictObject(streamShape(parts))
      .refine(
        ({ available_from: from, available_until: until }) =>
          from === undefined || until === undefined || from < until,
        { path: ['available_until'], error: 'must be after available_from' },
      ),
  );
  return z
    .strictObject(eventShape(parts, { stream, entry: entrySchema(parts) }))
    .refine((event) => event.ends_at === null || event.ends_at >= event.starts_at, {
      path: ['ends_at'],
      error: 'must not be before starts_at',
    })
    .refine(({ tickets, access }) => tickets === undefined || access === 'paid', {
      path: ['tickets'],
      error: 'are allowed only if access is paid',
    })
    .transform(eventIn);
};

/** What is given is not checked for how it fits together: a hand over it may have made it fit. */
const storedSchema = (parts: Parts) => {
  const entry = entrySchema(parts);
  return z
    .strictObject({
      ...eventShape(parts, { stream: z.strictObject(streamShape(parts)), entry }),
      hand: z
        .strictObject({
          status: z.strictObject({ value: eventStatusSchema, at: z.string() }).optional(),
          ends_at: parts.moment.optional(),
          schedule: scheduleSchema(entry).optional(),
          available_until: parts.moment.optional(),
        })
        .optional(),
      present_status: eventStatusSchema.optional(),
    })
    .transform(({ hand, present_status: presentStatus, ...record }): StoredState => {
      // Release 0.1.0 stores the present values, with marks beside them.
      const event = eventIn(record);
      const state = { event, presentStatus: presentStatus ?? record.status };
      if (hand === undefined) return state;
      const { status, ends_at: endsAt, schedule, available_until: availableUntil } = hand;
      return { ...state, event: { ...event, hand: { status, endsAt, schedule, availableUntil } } };
    });
};

/** What is stored of an event: the event, and the status that it had at the time of the last write. */
export interface StoredState {
  readonly event: Event;
  readonly presentStatus: EventStatus;
}

/** An event from a file or a request. Functions that only read stored events do not load this schema. */
export const eventRecordSchema = /* @__PURE__ */ recordSchema({
  title: readable(titleSchema),
  category: readable(categorySchema),
  moment: momentSchema,
  wholeSecond: momentSchema.refine((moment) => moment.endsWith('.000Z'), 'must be a whole second'),
  webAddress: webAddressSchema,
  streamAddress: streamAddressSchema,
  contractAddress: writtenAddressSchema,
  geoblocking: geoblockingSchema,
  named: ({ examples, ...said }, schema) => schema.meta({ ...said, examples: [...examples] }),
});

/**
 * An event from the table. Its times and addresses are not checked again, because these checks would take most of the
 * time of reading an event.
 */
export const storedEventSchema = /* @__PURE__ */ storedSchema({
  title: titleSchema,
  category: categorySchema,
  moment: z.string(),
  wholeSecond: z.string(),
  webAddress: z.string(),
  streamAddress: z.string(),
  contractAddress: z.string().transform((address) => address.toLowerCase() as Address),
  geoblocking: storedGeoblockingSchema,
  named: (_, schema) => schema,
});

/** The event as it is stored, with the fields that a later release has stored. */
export const storedEventRecord = ({ event, presentStatus }: StoredState) => {
  const { status, endsAt, schedule, availableUntil } = event.hand;
  const hand = withoutNone({ status, ends_at: endsAt, schedule, available_until: availableUntil });
  return withLaterFields(
    {
      ...recordOf(event, {}),
      ...(Object.keys(hand).length > 0 && { hand }),
      ...(presentStatus !== event.status && { present_status: presentStatus }),
    },
    event.later,
  );
};

/** Whether two states of an event have the same given values and the same hand. */
export const isSameEvent = (one: Event, other: Event): boolean =>
  isDeepStrictEqual(
    storedEventRecord({ event: one, presentStatus: one.status }),
    storedEventRecord({ event: other, presentStatus: one.status }),
  );

/** The event at a time, in epoch milliseconds, as HTTP has it: parsing the result gives this event again. */
export const eventRecord = (
  event: Event,
  now: number,
  /** @default the one that the event has at this time */
  status: EventStatus = effectiveStatus(event, now),
) => {
  const { values, marks } = marked(event, now, status);
  return recordOf(values, marks);
};

/** The event at a time, as `events show` has it: with the fields that a later release has stored. */
export const shownEventRecord = (event: Event, now: number) =>
  withLaterFields(eventRecord(event, now), event.later);

/** The event as an export has it: with the status that its file would have, unless another one was set by hand. */
export const exportedEventRecord = (event: Event, now: number) => {
  const { values, marks } = markedForFile(event, now);
  return withLaterFields(recordOf(values, marks), event.later);
};

/** What callers can see of an event, which has no marks. */
export const presentEventRecord = (event: PresentEvent) => withLaterFields(recordOf(event, {}), event.later);
