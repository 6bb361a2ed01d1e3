import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applySchedules } from '../../../shared/ott/catalogue/apply-schedules.ts';
import { setEventStatus } from '../../../shared/ott/catalogue/set-event-status.ts';
import type { Event } from '../../../shared/ott/events/event.ts';
import type { StoredEvent } from '../../../shared/ott/ports/catalogue.ts';
import { dynamoDbCatalogue } from '../../../shared/ott/store/catalogue.ts';
import { stateOf } from '../../../shared/ott/store/event-items.ts';
import { dynamoDbEvents } from '../../../shared/ott/store/events.ts';
import { withPartitionHeads } from '../../../shared/ott/store/partition-heads.ts';
import type { DocumentClient } from '../../../shared/platform/store/client.ts';
import { anEvent, anOttApplication } from '../../support/ott/builders.ts';
import { ottCalls } from '../../support/ott/calls.ts';
import { createTables, startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

const minute = 60_000;
const kickOff = Date.parse('2026-05-01T20:00:00Z');
const at = (minutes: number): string => new Date(kickOff + minutes * minute).toISOString();
const schedule = [
  { at: at(0), status: 'LIVE' },
  { at: at(110), status: 'FINISHED' },
] as const;
const anScheduled = (index: number): Event =>
  anEvent({
    id: `match-${index}`,
    status: 'UPCOMING',
    startsAt: at(index),
    endsAt: null,
    schedule,
    stream: undefined,
  });

let database: TestDatabase;
let tables = 0;
beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database.stop());

const setUp = async (events: readonly Event[]) => {
  tables += 1;
  const { Events: tableName } = await createTables(database, ['Events'], `schedules-${tables}`);
  const time = { now: kickOff - minute };
  const clock = () => time.now;
  const counts = { queries: 0, writes: 0 };
  const faults: { beforeWrite?: () => Promise<void>; isAnswerLost?: boolean } = {};
  const client: DocumentClient = {
    ...database.documents,
    query: (input) => {
      counts.queries += 1;
      return database.documents.query(input);
    },
    transactWrite: async (input) => {
      await faults.beforeWrite?.();
      counts.writes += 1;
      const answer = await database.documents.transactWrite(input);
      if (faults.isAnswerLost) throw new Error('The answer was lost');
      return answer;
    },
  };
  const catalogue = dynamoDbCatalogue({ client, tableName }, { clock });
  const reliable = dynamoDbCatalogue({ client: database.documents, tableName }, { clock });
  await reliable.write(events.map((after) => ({ after })));
  const repository = dynamoDbEvents({ client, tableName });
  const run = () => applySchedules({ catalogue, clock, logger: { error: () => {} } }, { until: Infinity });
  return {
    time,
    clock,
    counts,
    faults,
    run,
    reliable,
    runAt: (minutes: number) => {
      time.now = kickOff + minutes * minute;
      return run();
    },
    stored: async (id: string) => {
      const { Item } = await database.documents.get({ TableName: tableName, Key: { pk: `EVENT#${id}` } });
      return {
        status: stateOf(Item?.event)?.presentStatus,
        shelf: Item?.shelf,
        due: Item?.change_due,
        version: Item?.version,
      };
    },
    list: () =>
      ottCalls({
        events: { ...repository, ...withPartitionHeads(repository, { clock }) },
        applications: [anOttApplication()],
        clock,
      }).list({ query: { limit: '50' } }),
  };
};

describe('the function that stores scheduled statuses', () => {
  it('stores each status once, and removes the event from the index of due changes a minute later, which leaves its version', async () => {
    const { runAt, stored, counts } = await setUp([anScheduled(1)]);

    await runAt(-1);
    expect(counts.writes).toBe(0);
    await runAt(0.25);
    expect(await stored('match-1')).toEqual({ status: 'LIVE', shelf: 'LIVE#free', due: at(0.5), version: 2 });
    await runAt(0.75);
    expect(counts.writes).toBe(1);
    await runAt(1.25);
    expect(await stored('match-1')).toMatchObject({ status: 'LIVE', due: at(110), version: 2 });
    await runAt(60);
    expect(counts.writes).toBe(2);
    await runAt(110.5);
    await runAt(111.5);
    expect(await stored('match-1')).toEqual({
      status: 'FINISHED',
      shelf: 'FINISHED#free',
      due: undefined,
      version: 3,
    });
  });

  it('catches up after hours without a run, with more events than fit into one batch', async () => {
    const { runAt, stored } = await setUp(Array.from({ length: 230 }, (_, index) => anScheduled(index)));

    await runAt(300);

    // A list whose indexes lag may still need what the index of due changes has.
    expect(await stored('match-229')).toMatchObject({ status: 'FINISHED', due: at(300.25) });
    await runAt(301);
    for (const id of ['match-0', 'match-229']) {
      expect(await stored(id)).toMatchObject({ status: 'FINISHED', due: undefined });
    }
  });

  it('alone removes an event from the index of due changes, whoever has stored the status and changed the event since', async () => {
    const { time, reliable, stored, runAt } = await setUp([anScheduled(1)]);
    time.now = kickOff + 30 * minute;
    for (const title of ['First', 'Second']) {
      const before = (await reliable.findStored('match-1')) as StoredEvent;
      await reliable.write([{ before, after: { ...before.event, title } }]);
      expect(await stored('match-1')).toMatchObject({ status: 'LIVE', due: at(30.25) });
    }

    // A list that has read the partitions before the write may still be reading the index of due changes.
    await runAt(30.2);
    expect(await stored('match-1')).toMatchObject({ status: 'LIVE', due: at(30.25) });
    await runAt(31);
    expect(await stored('match-1')).toMatchObject({ status: 'LIVE', due: at(110) });
  });

  it('may run twice at once, and may be ended after any write', async () => {
    const { runAt, run, stored, faults, counts } = await setUp([anScheduled(1), anScheduled(2)]);

    faults.isAnswerLost = true;
    await expect(runAt(0.5)).rejects.toThrow('The answer was lost');
    faults.isAnswerLost = false;
    expect(await stored('match-1')).toMatchObject({ status: 'LIVE', version: 2 });
    await Promise.all([runAt(2), run(), run()]);

    for (const id of ['match-1', 'match-2']) {
      expect(await stored(id)).toMatchObject({ status: 'LIVE', due: at(110) });
    }
    const { writes } = counts;
    await runAt(3);
    expect(counts.writes).toBe(writes);
  });

  it('never overwrites what somebody sets at the same moment', async () => {
    const { runAt, stored, faults, reliable, clock } = await setUp([anScheduled(1)]);
    faults.beforeWrite = async () => {
      faults.beforeWrite = async () => {};
      await setEventStatus({ catalogue: reliable, clock }, { id: 'match-1', status: 'CANCELLED' });
    };

    await runAt(0.5);
    await runAt(120);

    expect(await stored('match-1')).toMatchObject({ status: 'CANCELLED', due: undefined, version: 2 });
  });
});

describe('a list of fifty events', () => {
  it('costs one read more than its partitions have, however many of its events are due', async () => {
    const unscheduled = await setUp(
      Array.from({ length: 60 }, (_, index) => ({ ...anScheduled(index), schedule: undefined })),
    );
    const scheduled = await setUp(Array.from({ length: 60 }, (_, index) => anScheduled(index)));
    scheduled.time.now = kickOff + minute;

    const statusesIn = async ({ list }: typeof scheduled) =>
      ((await list()).body as { status: string }[]).map(({ status }) => status);
    expect(await statusesIn(unscheduled)).toEqual(Array.from({ length: 50 }, () => 'UPCOMING'));
    expect(await statusesIn(scheduled)).toEqual(Array.from({ length: 50 }, () => 'LIVE'));

    // Five statuses, free and paid; and the events that are due.
    expect([unscheduled.counts.queries, scheduled.counts.queries]).toEqual([11, 11]);
  });
});
