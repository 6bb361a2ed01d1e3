import * as z from 'zod';
import { withDeadline } from '../../deadline.ts';
import type { SessionOwner, SessionStore } from '../../ott/ports/session-store.ts';
import { addressesAtMost, type ViewerSessions } from '../../ott/viewer-sessions.ts';
import { conditionHeld, scanPages, type Table } from './client.ts';

/** The time limit of each call, including retries, so that the viewer's request can still be answered. */
const timeoutMilliseconds = 1_000;

/** The counts of a day are kept until the end of the next day. */
const keptMilliseconds = 2 * 24 * 60 * 60 * 1_000;

const slotSchema = z
  .object({
    session: z.string(),
    event_id: z.string(),
    began_at: z.int(),
    leased_at: z.int(),
    ends_at: z.int(),
  })
  .transform((slot) => ({
    sessionId: slot.session,
    eventId: slot.event_id,
    beganAt: slot.began_at,
    leasedAt: slot.leased_at,
    endsAt: slot.ends_at,
  }));

const itemSchema = z.object({
  application_id: z.string(),
  user_sub: z.string(),
  version: z.int(),
  slots: z.array(slotSchema),
  taken_over: z.array(z.object({ session: z.string(), until: z.int() })),
  freed_at: z.array(z.int()),
  today: z.object({
    day: z.string(),
    begun: z.int(),
    ended: z.int(),
    taken_over: z.int(),
    addresses: z.array(z.string()).max(addressesAtMost),
  }),
});

const sessionsOf = ({ slots, taken_over, freed_at, today }: z.output<typeof itemSchema>): ViewerSessions => ({
  slots,
  takenOver: taken_over.map(({ session, until }) => ({ sessionId: session, until })),
  freedAt: freed_at,
  today: {
    day: today.day,
    begun: today.begun,
    ended: today.ended,
    takenOver: today.taken_over,
    addresses: today.addresses,
  },
});

const toItem = (
  { applicationId, userSub }: SessionOwner,
  { slots, takenOver, freedAt, today }: ViewerSessions,
): Omit<z.input<typeof itemSchema>, 'version'> & { readonly expires_at: number } => ({
  application_id: applicationId,
  user_sub: userSub,
  slots: slots.map((slot) => ({
    session: slot.sessionId,
    event_id: slot.eventId,
    began_at: slot.beganAt,
    leased_at: slot.leasedAt,
    ends_at: slot.endsAt,
  })),
  taken_over: takenOver.map(({ sessionId, until }) => ({ session: sessionId, until })),
  freed_at: [...freedAt],
  today: {
    day: today.day,
    begun: today.begun,
    ended: today.ended,
    taken_over: today.takenOver,
    addresses: [...today.addresses],
  },
  expires_at: Math.ceil((Date.parse(today.day) + keptMilliseconds) / 1_000),
});

const keyOf = ({ applicationId, userSub }: SessionOwner) => ({ pk: `${applicationId}#${userSub}` });

const isNew = 'attribute_not_exists(pk)';
const isAsRead = 'version = :before';

/**
 * Each viewer has one item for each application. A write succeeds only if the item still has the version that was read.
 */
export const dynamoDbSessions = ({ client, tableName: TableName }: Table): SessionStore => ({
  find: async (owner) => {
    const { Item } = await withDeadline(timeoutMilliseconds, () =>
      client.get({ TableName, Key: keyOf(owner), ConsistentRead: true }),
    );
    if (Item === undefined) return undefined;
    const item = itemSchema.parse(Item);
    return { sessions: sessionsOf(item), version: item.version };
  },

  save: (owner, { before, sessions }) =>
    conditionHeld(
      withDeadline(timeoutMilliseconds, () =>
        client.put({
          TableName,
          Item: { ...keyOf(owner), ...toItem(owner, sessions), version: (before ?? 0) + 1 },
          ...(before === undefined
            ? { ConditionExpression: isNew }
            : { ConditionExpression: isAsRead, ExpressionAttributeValues: { ':before': before } }),
        }),
      ),
    ),
});

/** All viewers with sessions today or yesterday, in no particular order. For operators. */
export async function* allSessions({
  client,
  tableName: TableName,
}: Table): AsyncIterable<SessionOwner & { readonly sessions: ViewerSessions }> {
  for await (const { Items = [] } of scanPages(client, { TableName })) {
    for (const item of Items) {
      const parsed = itemSchema.parse(item);
      yield {
        applicationId: parsed.application_id,
        userSub: parsed.user_sub,
        sessions: sessionsOf(parsed),
      };
    }
  }
}
