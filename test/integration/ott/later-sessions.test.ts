import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { holdSlot } from '../../../shared/ott/sessions/hold-slot.ts';
import {
  addressesAtMost,
  endSlot,
  noSessions,
  type ViewerSessions,
} from '../../../shared/ott/sessions/viewer-sessions.ts';
import { allSessions, dynamoDbSessions } from '../../../shared/ott/store/sessions.ts';
import { logger } from '../../../shared/platform/logger.ts';
import { createTables, startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

/** Before noon, so that a quarter of an hour later it is the same day. Not in the past, which tables would delete. */
const now = Date.parse(`${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}T11:00:00Z`);
const minute = 60_000;

describe('sessions that a later release has stored', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await startDatabase();
  });
  afterAll(() => database.stop());
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('keep their unknown fields at each change, and are logged once', async () => {
    const told = vi.spyOn(logger, 'warn').mockReturnValue();
    const { Sessions: tableName } = await createTables(database, ['Sessions'], 'later-sessions');
    const table = { client: database.documents, tableName };
    const store = dynamoDbSessions(table);
    const itemOf = async () =>
      ((await database.documents.scan({ TableName: tableName })).Items ?? [])[0] ?? {};
    const change = async (run: (sessions: ViewerSessions) => object) => {
      const stored = await store.find('anna');
      const outcome = run(stored?.sessions ?? noSessions(now));
      if (!('sessions' in outcome)) throw new Error(JSON.stringify(outcome));
      const sessions = outcome.sessions as ViewerSessions;
      expect(await store.save('anna', { before: stored?.version, sessions })).toBe(true);
    };
    const hold = (sessionId: string, at: number, more: { takeOver?: string; continuation?: string } = {}) =>
      change((sessions) =>
        holdSlot(sessions, {
          sessionId,
          eventId: 'final',
          newContinuation: `${sessionId} ${at}`,
          limits: new Map([['acme', 2]]),
          now: now + at,
          endsAt: now + at + 5 * minute,
          address: 'home',
          ...more,
        }),
      );
    await hold('phone', 0);
    await hold('tv', 0);
    await hold('tablet', 1, { takeOver: 'tv' });
    const first = await itemOf();
    const [phone, tablet] = first.slots;
    const many = Array.from({ length: addressesAtMost + 1 }, (_, index) => `home ${index}`);
    await database.documents.put({
      TableName: tableName,
      Item: {
        ...first,
        later: 'kept',
        slots: [{ ...phone, laterDevice: 'kept' }, tablet],
        taken_over: [{ ...first.taken_over[0], laterReason: 'kept' }],
        today: { ...first.today, laterCount: 3, addresses: many },
      },
    });

    await hold('phone', 4 * minute, { continuation: 'phone 0' });
    await change((sessions) => endSlot(sessions, { sessionId: 'tablet', eventId: 'final', now: now + 1 }));

    expect(await itemOf()).toMatchObject({
      later: 'kept',
      version: 5,
      slots: [{ session: 'phone', ends_at: now + 9 * minute, laterDevice: 'kept' }],
      taken_over: [{ session: 'tv', laterReason: 'kept' }],
      today: { begun: 3, ended: 1, laterCount: 3, addresses: many.slice(0, addressesAtMost) },
    });
    expect(told.mock.calls.map(([, fields]) => fields)).toEqual([
      {
        code: 'LATER_DATA',
        kind: 'sessions of a viewer',
        unknown: ['later', 'laterCount', 'laterDevice', 'laterReason'],
      },
    ]);
    const listed = [];
    for await (const { userSub } of allSessions(table)) listed.push(userSub);
    expect(listed).toEqual(['anna']);
    expect(await store.save('anna', { before: 4, sessions: noSessions(now) })).toBe(false);
  });
});
