import * as z from 'zod';
import { laterPartOf, tellLaterData, withLater } from '../../platform/later-data.ts';
import { attributeUpdate } from '../../platform/store/attribute-update.ts';
import { conditionHeld, scanPages, type Table } from '../../platform/store/client.ts';
import { withDeadline } from '../../platform/time/deadline.ts';
import { patient } from '../../platform/time/patience.ts';
import type { SessionStore } from '../ports/session-store.ts';
import type { ViewerSessions } from '../sessions/viewer-sessions.ts';

/** The time limit of each call, including retries, so that the viewer's request can still be answered. */
const timeoutMilliseconds = patient(1_000);

/** The counts of a day are kept until the end of the next day. */
const keptMilliseconds = 2 * 24 * 60 * 60 * 1_000;

const slotSchema = z.object({
  session: z.string(),
  event_id: z.string(),
  application_ids: z.array(z.string()),
  began_at: z.int(),
  leased_at: z.int(),
  ends_at: z.int(),
  continuations: z.array(z.string()),
  former: z.string().optional(),
});

const takenOverSchema = z.object({ session: z.string(), until: z.int() });

const daySchema = z.object({
  day: z.string(),
  application_ids: z.array(z.string()),
  begun: z.int(),
  ended: z.int(),
  taken_over: z.int(),
  refused: z.int(),
  addresses: z.array(z.string()),
});

const itemSchema = z.object({
  user_sub: z.string(),
  version: z.int(),
  slots: z.array(slotSchema.loose()),
  taken_over: z.array(takenOverSchema.loose()),
  freed_at: z.array(z.int()),
  moved_at: z.array(z.int()),
  repeated_at: z.array(z.int()),
  today: daySchema.loose(),
});

const sessionsOf = ({
  slots,
  taken_over,
  freed_at,
  moved_at,
  repeated_at,
  today,
}: z.output<typeof itemSchema>): ViewerSessions => ({
  slots: slots.map((slot) => ({
    sessionId: slot.session,
    eventId: slot.event_id,
    applicationIds: slot.application_ids,
    beganAt: slot.began_at,
    leasedAt: slot.leased_at,
    endsAt: slot.ends_at,
    continuations: slot.continuations,
    former: slot.former,
    ...withLater(slot, slotSchema.shape),
  })),
  takenOver: taken_over.map((one) => ({
    sessionId: one.session,
    until: one.until,
    ...withLater(one, takenOverSchema.shape),
  })),
  freedAt: freed_at,
  movedAt: moved_at,
  repeatedAt: repeated_at,
  today: {
    day: today.day,
    applicationIds: today.application_ids,
    begun: today.begun,
    ended: today.ended,
    takenOver: today.taken_over,
    refused: today.refused,
    addresses: today.addresses,
    ...withLater(today, daySchema.shape),
  },
});

const tellLater = (item: Readonly<Record<string, unknown>>, sessions: ViewerSessions): void => {
  const { slots, takenOver, today } = sessions;
  const unknown = [
    ...Object.keys(laterPartOf(item, { pk: true, expires_at: true, ...itemSchema.shape })),
    ...new Set([...slots, ...takenOver, today].flatMap(({ later = {} }) => Object.keys(later))),
  ];
  if (unknown.length > 0) tellLaterData({ kind: 'sessions of a viewer', unknown });
};

const attributesOf = (
  userSub: string,
  { slots, takenOver, freedAt, movedAt, repeatedAt, today }: ViewerSessions,
): Omit<z.input<typeof itemSchema>, 'version'> & { readonly expires_at: number } => ({
  user_sub: userSub,
  slots: slots.map((slot) => ({
    ...slot.later,
    session: slot.sessionId,
    event_id: slot.eventId,
    application_ids: [...slot.applicationIds],
    began_at: slot.beganAt,
    leased_at: slot.leasedAt,
    ends_at: slot.endsAt,
    continuations: [...slot.continuations],
    ...(slot.former !== undefined && { former: slot.former }),
  })),
  taken_over: takenOver.map(({ sessionId, until, later }) => ({ ...later, session: sessionId, until })),
  freed_at: [...freedAt],
  moved_at: [...movedAt],
  repeated_at: [...repeatedAt],
  today: {
    ...today.later,
    day: today.day,
    application_ids: [...today.applicationIds],
    begun: today.begun,
    ended: today.ended,
    taken_over: today.takenOver,
    refused: today.refused,
    addresses: [...today.addresses],
  },
  expires_at: Math.ceil((Date.parse(today.day) + keptMilliseconds) / 1_000),
});

const keyOf = (userSub: string) => ({ pk: `VIEWER#${userSub}` });

const isNew = 'attribute_not_exists(pk)';
const isAsRead = 'version = :before';

/** Each viewer has one item. A write succeeds only if the item still has the version that was read. */
export const dynamoDbSessions = ({
  client,
  tableName: TableName,
  within = withDeadline,
}: Table & {
  /** @default withDeadline */
  readonly within?: typeof withDeadline;
}): SessionStore => ({
  find: async (userSub) => {
    const { Item } = await within(timeoutMilliseconds, () =>
      client.get({ TableName, Key: keyOf(userSub), ConsistentRead: true }),
    );
    if (Item === undefined) return undefined;
    const item = itemSchema.parse(Item);
    const sessions = sessionsOf(item);
    tellLater(Item, sessions);
    return { sessions, version: item.version };
  },

  save: (userSub, { before, sessions }) => {
    const attributes = { ...attributesOf(userSub, sessions), version: (before ?? 0) + 1 };
    const write = (): Promise<object> =>
      before === undefined
        ? client.put({
            TableName,
            Item: { ...keyOf(userSub), ...attributes },
            ConditionExpression: isNew,
          })
        : client.update({
            TableName,
            Key: keyOf(userSub),
            ...attributeUpdate(attributes, {
              ConditionExpression: isAsRead,
              ExpressionAttributeValues: { ':before': before },
            }),
          });
    return conditionHeld(within(timeoutMilliseconds, write));
  },
});

/** All viewers with sessions today or yesterday, in no particular order. For operators. */
export async function* allSessions({
  client,
  tableName: TableName,
}: Table): AsyncIterable<{ readonly userSub: string; readonly sessions: ViewerSessions }> {
  for await (const { Items = [] } of scanPages(client, { TableName })) {
    for (const item of Items) {
      const parsed = itemSchema.parse(item);
      yield { userSub: parsed.user_sub, sessions: sessionsOf(parsed) };
    }
  }
}
