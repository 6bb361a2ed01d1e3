import { afterAll, beforeAll, expect, it } from 'vitest';
import { redriveDeadLetters } from '../../../operator/notifications/dead-letters/redrive-dead-letters.ts';
import type { QueuedMessage } from '../../../operator/notifications/queue/message-queue.ts';
import { wireMessage } from '../../../shared/notifications/messages/wire-message.ts';
import { deliveryWorld, living } from '../../support/notifications/delivery-world.ts';
import { createTables, startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';
import { remedy } from '../../support/platform/remedy.ts';

const minute = 60_000;
const hour = 60 * minute;

let database: TestDatabase;
beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database.stop());

it('a failed notification that the record does not know for a day sets off an alarm, and a redrive of its dead letter sends it', async () => {
  const tables = await createTables(database, ['Notifications', 'Endpoints']);
  let isUp = false;
  const world = deliveryWorld({
    client: database.documents,
    tables,
    // The failure is recorded late, too, so that the test has few looks.
    faults: { recordDelay: (of) => ({ message: 240 * hour, failure: 23 * hour, success: 1_000 })[of] },
  });
  for (const each of [living, { id: 'main', answer: () => (isUp ? 200 : 500) } as const]) {
    await world.subscribe(each);
  }
  await world.change('ana');
  const unknown = () => world.told.filter(({ code }) => code === 'FAILED_MESSAGE_UNKNOWN');

  await world.pass(23.5 * hour);
  expect(unknown()).toEqual([]);
  expect(await world.undelivered.count({ applicationId: 'club', id: 'main' }, 10)).toBe(1);

  await world.pass(hour);
  expect(unknown()).toMatchObject([{ endpoint: 'main' }]);
  expect(await world.state('main')).toBeUndefined();
  expect(world.copies('main')).toEqual([]);

  isUp = true;
  const message = {
    operationType: 'data_update',
    applicationUserSub: 'ana',
    dateTime: String(world.heard[0]?.dateTime),
  } as const;
  const letter = {
    messageId: 'letter',
    receiptHandle: 'r',
    body: JSON.stringify(wireMessage(message)),
    sentAt: 0,
  };
  const letters: QueuedMessage[] = [letter];
  remedy('a-failed-notification-is-unknown', 'dead-letters redrive --application');
  await redriveDeadLetters(
    {
      ...world,
      queue: {
        take: async () => letters.splice(0),
        remove: async () => {},
        putBack: async () => {},
      },
      findApplications: async () => ['club'],
    },
    { applicationId: 'club', onOutcome: (outcome) => expect(outcome.isRedriven).toBe(true) },
  );
  await world.pass(minute);

  expect(
    world.heard.filter(({ answer, endpointId }) => answer === 200 && endpointId === 'main'),
  ).toHaveLength(1);
  expect(await world.state('main')).toBeUndefined();
  expect(unknown()).toHaveLength(1);
});
