import * as z from 'zod';
import { withValuesThatHold } from '../../ott/events/effective.ts';
import type { PresentEvent } from '../../ott/events/event.ts';
import { eventIdOf, stateOf } from '../../ott/store/event-items.ts';
import { orderedTime } from '../../platform/time/date-time.ts';
import type { EventWrite } from '../publish/event-notifications.ts';

const imageSchema = z.object({
  event: z.object({ S: z.string() }),
  version: z.object({ N: z.string().transform(Number) }),
});

const recordSchema = z.object({
  dynamodb: z.object({
    ApproximateCreationDateTime: z.number().transform(Math.floor),
    Keys: z.object({ pk: z.object({ S: z.string().startsWith('EVENT#') }) }),
    OldImage: imageSchema.optional(),
    NewImage: imageSchema.optional(),
  }),
});

/**
 * The write that a record of the events table's stream describes. The same record always gives the same write.
 * @throws for a record that this service cannot have written, or of an event that only a later release can read.
 */
export const eventWriteIn = (record: unknown): EventWrite => {
  const {
    ApproximateCreationDateTime: seconds,
    Keys,
    OldImage,
    NewImage,
  } = recordSchema.parse(record).dynamodb;
  const id = eventIdOf(Keys.pk.S);
  const readable = (image: typeof OldImage): PresentEvent | undefined => {
    if (image === undefined) return undefined;
    const state = stateOf(image.event.S);
    if (state === undefined) throw new Error(`only a later release knows event ${id}`);
    return withValuesThatHold(state.event, state.presentStatus);
  };
  const order = NewImage?.version.N ?? (OldImage?.version.N ?? 0) + 1;
  return {
    id,
    before: readable(OldImage),
    after: readable(NewImage),
    dateTime: orderedTime({ seconds, order }),
  };
};

const identitySchema = z.object({
  dynamodb: z.object({
    ApproximateCreationDateTime: z.number().transform(Math.floor),
    Keys: z.object({ pk: z.object({ S: z.string() }) }),
  }),
});

/** The data that every record has, even one that `eventWriteIn` cannot read. */
export const eventWrittenIn = (record: unknown): Pick<EventWrite, 'id' | 'dateTime'> => {
  const { ApproximateCreationDateTime: seconds, Keys } = identitySchema.parse(record).dynamodb;
  return { id: eventIdOf(Keys.pk.S), dateTime: orderedTime({ seconds, order: 0 }) };
};
