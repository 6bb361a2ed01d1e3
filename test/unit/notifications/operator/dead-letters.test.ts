import { beforeEach, describe, expect, it } from 'vitest';
import { listDeadLetters } from '../../../../operator/notifications/dead-letters/list-dead-letters.ts';
import { purgeDeadLetters } from '../../../../operator/notifications/dead-letters/purge-dead-letters.ts';
import {
  type RedriveDependencies,
  type RedriveInput,
  type RedriveOutcome,
  redriveDeadLetters,
} from '../../../../operator/notifications/dead-letters/redrive-dead-letters.ts';
import { showDeadLetters } from '../../../../operator/notifications/dead-letters/show-dead-letters.ts';
import { missedBy } from '../../../../operator/notifications/dead-letters/stage-dead-letters.ts';
import type { MessageQueue, QueuedMessage } from '../../../../operator/notifications/queue/message-queue.ts';
import { createOutput } from '../../../../operator/platform/terminal/output.ts';
import type { Endpoint } from '../../../../shared/notifications/endpoints/endpoint.ts';
import {
  byForm,
  type Message,
  type Notification,
  subjectOf,
} from '../../../../shared/notifications/messages/message.ts';
import { wireMessage } from '../../../../shared/notifications/messages/wire-message.ts';
import type { NotificationRecords } from '../../../../shared/notifications/ports/notification-records.ts';
import type { PublishOutcome } from '../../../../shared/notifications/ports/notification-topic.ts';
import type { NotificationRecord } from '../../../../shared/notifications/record/record.ts';
import { anEndpoint } from '../../../support/notifications/endpoints.ts';
import { userOf } from '../../../support/users/users.ts';

const now = Date.parse('2026-11-20T10:00:00Z');

/** A queue in memory. It hides the messages that were taken until they are put back. */
class FakeQueue implements MessageQueue {
  readonly messages: QueuedMessage[] = [];
  readonly #hidden = new Set<string>();

  readonly take = async () => {
    const taken = this.messages.filter(({ messageId }) => !this.#hidden.has(messageId)).slice(0, 10);
    for (const { messageId } of taken) this.#hidden.add(messageId);
    return taken;
  };
  readonly remove = async ({ messageId }: QueuedMessage) => {
    this.messages.splice(
      this.messages.findIndex((message) => message.messageId === messageId),
      1,
    );
  };
  readonly putBack = async (messages: readonly QueuedMessage[]) => {
    for (const { messageId } of messages) this.#hidden.delete(messageId);
  };
  visible() {
    return this.messages
      .filter(({ messageId }) => !this.#hidden.has(messageId))
      .map(({ messageId }) => messageId);
  }
}

let queue: FakeQueue;
let published: Notification[];
let outcomes: RedriveOutcome[];

beforeEach(() => {
  queue = new FakeQueue();
  published = [];
  outcomes = [];
  records = [];
  endpoints = [];
});

const message = (applicationUserSub: string): Message => ({
  operationType: 'data_update',
  applicationUserSub,
  dateTime: '2026-11-20T09:15:02.123456',
});

const aChange = (eventId: string): Message => ({
  operationType: 'event_update',
  change: 'status',
  eventId,
  status: 'LIVE',
  dateTime: '2026-11-20T20:00:04.000007',
});

const body = (applicationUserSub: string) => wireMessage(message(applicationUserSub));

const dead = (messageId: string, content: unknown = body('sub-of-club'), sentAt = now - 60_000) => {
  queue.messages.push({
    messageId,
    receiptHandle: `receipt-${messageId}`,
    body: typeof content === 'string' ? content : JSON.stringify(content),
    sentAt,
  });
};

const findApplications = async (message: Message) =>
  byForm(message, {
    user: ({ applicationUserSub }) => [...(/^sub-of-(\w+)$/.exec(applicationUserSub)?.slice(1) ?? [])],
    chain: () => ['club'],
    event: () => ['club', 'shop'],
  });

let records: NotificationRecord[];
let endpoints: Endpoint[];

const ofSubject: NotificationRecords['ofSubject'] = async ({ applicationId, message }) =>
  records.filter(
    (record) => record.applicationId === applicationId && subjectOf(record.message) === subjectOf(message),
  );

const listing = () => ({ queue, findApplications, records: { ofSubject } });

const redrive = (overrides: Partial<RedriveDependencies & RedriveInput> = {}) => {
  const dependencies: RedriveDependencies = {
    queue,
    undelivered: { noteCopy: async () => {} },
    topic: {
      publish: async (notifications) => {
        published.push(...notifications);
        return notifications.map((): PublishOutcome => ({ isPublished: true, messageId: 'm' }));
      },
    },
    records: { ofSubject, markRedriven: async () => {} },
    endpoints: { ofApplication: async () => endpoints },
    findApplications,
    clock: () => now,
    ...overrides,
  };
  return redriveDeadLetters(dependencies, {
    ...overrides,
    onOutcome: (outcome) => outcomes.push(outcome),
  });
};

describe('the list of dead letters', () => {
  it('shows each dead letter with its application, oldest first, and removes none from the queue', async () => {
    dead('younger', body('sub-of-shop'), now - 1_000);
    dead('older', body('sub-of-club'), now - 2_000);

    const found = await listDeadLetters({ ...listing(), limit: 100 });

    expect(found.map(({ messageId, applicationId }) => [messageId, applicationId])).toEqual([
      ['older', 'club'],
      ['younger', 'shop'],
    ]);
    expect(queue.visible()).toEqual(['younger', 'older']);
  });

  it('stops at the requested limit', async () => {
    for (let index = 0; index < 35; index++) dead(`message-${index}`);

    expect(await listDeadLetters({ ...listing(), limit: 12 })).toHaveLength(12);
    expect(queue.visible()).toHaveLength(35);
  });

  it('includes dead letters that cannot be redriven', async () => {
    dead('garbage', '{');
    dead('of nobody', body('unknown'));

    const found = await listDeadLetters({ ...listing(), limit: 100 });

    expect(found.map(({ applicationId }) => applicationId)).toEqual([undefined, undefined]);
  });
});

describe('the endpoint and the reason of a dead letter', () => {
  const failedAt = (destination: string, at: number, statusCode: number, reason: string) => ({
    messageId: 'm',
    destination,
    isDelivered: false,
    statusCode,
    attempts: 3,
    at,
    reason,
  });
  const url = 'https://fans.example.com/hooks/marquee';
  const otherUrl = 'https://shop.example.com/marquee';
  const sentTo = (...deliveries: NotificationRecord['deliveries']): NotificationRecord => ({
    id: 'm',
    applicationId: 'club',
    message: message('sub-of-club'),
    publishedAt: now - 100_000,
    deliveries,
  });

  it('are taken from the recorded failure whose time is nearest', async () => {
    records = [
      sentTo(
        failedAt(url, now - 60_100, 500, 'Internal Server Error'),
        failedAt(otherUrl, now - 5_000, 404, 'Not Found'),
      ),
    ];
    dead('first', undefined, now - 60_000);
    dead('second', undefined, now - 4_900);

    const found = await listDeadLetters({ ...listing(), limit: 100 });

    expect(found.map(({ delivery }) => [delivery?.destination, delivery?.statusCode])).toEqual([
      [url, 500],
      [otherUrl, 404],
    ]);
  });

  it('stay empty until the failure of this message is recorded, even if another message about the user has failed', async () => {
    const older = { ...message('sub-of-club'), dateTime: '2026-11-20T08:00:00.000000' };
    records = [{ ...sentTo(failedAt(url, now - 90_000, 500, '')), message: older }];
    dead('one');

    const [letter] = await listDeadLetters({ ...listing(), limit: 100 });

    expect(letter?.delivery).toBeUndefined();
  });

  const shownAt = async (columns: number): Promise<string> => {
    let text = '';
    const stdout = { columns, write: (piece: string) => (text += piece) };
    const output = createOutput({ json: false, streams: { stdout, stderr: { write: () => undefined } } });
    showDeadLetters(output, await listDeadLetters({ ...listing(), limit: 100 }));
    return text;
  };
  const manyDead = (reason: string) => {
    records = [sentTo(failedAt(url, now, 500, reason))];
    for (let index = 0; index < 20; index++)
      dead(`8d0f3f0e-3c0d-4b8e-9a54-${String(index).padStart(12, '0')}`);
  };

  it.each([
    ['Internal Server Error', 'fans.example.com/hooks/marquee', '500: Internal Server Error'],
    ['<html>'.repeat(50), 'fans.example.com/hooks/marquee', `500: ${'<html>'.repeat(4)}<htm…`],
  ])('fit into the table on a terminal of 80 columns: %.40s', async (reason, endpoint, shown) => {
    manyDead(reason);

    const lines = (await shownAt(80)).trimEnd().split('\n');

    expect(lines[0]).toMatch(/^message id +application +endpoint +reason$/);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
    const from = (heading: string) => String(lines[0]).indexOf(heading);
    const firstRow = lines.slice(
      1,
      lines.findIndex((line) => line.includes('000000000001')),
    );
    const column = (start: number, end?: number) =>
      firstRow.map((line) => line.slice(start, end).trim()).join('');
    expect(column(from('endpoint'), from('reason'))).toBe(endpoint);
    expect(column(from('reason')).replaceAll(' ', '')).toBe(shown.replaceAll(' ', ''));
  });
});

describe('the purge of dead letters', () => {
  it('of an application deletes those that the list shows for it, and not those of others about the same event', async () => {
    const change = aChange('final');
    const failedAt = (applicationId: string, at: number): NotificationRecord => ({
      id: applicationId,
      applicationId,
      message: change,
      publishedAt: 0,
      deliveries: [
        { messageId: 'm', destination: applicationId, isDelivered: false, attempts: 1, at, reason: '' },
      ],
    });
    records = [failedAt('club', now - 90_000), failedAt('shop', now - 5_000)];
    dead('of club', wireMessage(change), now - 89_000);
    dead('of shop', wireMessage(change), now - 4_000);
    dead('of a user of shop', body('sub-of-shop'), now - 4_000);

    const purged = await purgeDeadLetters({ ...listing(), applicationId: 'club', clock: () => now });

    expect(purged).toEqual(['of club']);
    expect(queue.visible()).toEqual(['of shop', 'of a user of shop']);
  });
});

describe('the redrive of dead letters', () => {
  it('publishes the decision about each token to the application of its contract', async () => {
    const decided = (tokenId: string): Message => ({
      operationType: 'token_update',
      contractAddress: '0x00000000000000000000000000000000000000CC',
      tokenId,
      status: 'confirmed',
      transactionHash: '0xab',
      dateTime: '2026-11-20T09:15:02.123456',
    });
    for (const id of ['1', '2']) dead(`of ${id}`, wireMessage(decided(id)));
    dead('again of 2', wireMessage(decided('2')));

    await redrive();

    expect(published).toEqual(['1', '2'].map((id) => ({ applicationId: 'club', message: decided(id) })));
    expect(queue.messages).toEqual([]);
  });

  it('publishes a change of an event to every application that missed it', async () => {
    const change = aChange('final');
    for (const id of ['of club', 'of shop']) dead(id, wireMessage(change));

    await redrive();

    expect(published).toEqual(['club', 'shop'].map((applicationId) => ({ applicationId, message: change })));
    expect(queue.messages).toEqual([]);
  });

  it('publishes each dead letter to its application and removes it from the queue', async () => {
    dead('one');
    dead('two', body('sub-of-shop'));

    await redrive();

    expect(published).toEqual([
      { applicationId: 'club', message: message('sub-of-club') },
      { applicationId: 'shop', message: message('sub-of-shop') },
    ]);
    expect(queue.messages).toEqual([]);
    expect(outcomes.map(({ isRedriven }) => isRedriven)).toEqual([true, true]);
  });

  it('unwraps a message from its SNS envelope', async () => {
    dead('one', { Type: 'Notification', TopicArn: 'arn', Message: JSON.stringify(body('sub-of-club')) });

    await redrive();

    expect(published).toEqual([{ applicationId: 'club', message: message('sub-of-club') }]);
  });

  it('keeps dead letters that the topic rejects, that belong to no application, or that are no notification', async () => {
    dead('refused', body('sub-of-shop'));
    dead('nobody’s', body('unknown'));
    dead('garbage', '[]');
    dead('more than the three fields', { ...body('sub-of-club'), extra: 1 });
    const topic: RedriveDependencies['topic'] = {
      publish: async () => [{ isPublished: false, reason: 'InternalError', isUnavailable: true }],
    };

    await redrive({ topic });

    expect(queue.visible()).toHaveLength(4);
    expect(outcomes.map(({ isRedriven }) => isRedriven)).toEqual([false, false, false, false]);
  });

  it('redrives only the requested message ids', async () => {
    for (let index = 0; index < 25; index++) dead(`message-${index}`, body(`sub-of-club${index}`));

    await redrive({ messageIds: ['message-3', 'message-17'] });

    expect(published).toHaveLength(2);
    expect(queue.visible()).toHaveLength(23);
  });

  it('redrives only the dead letters of the requested application', async () => {
    dead('one');
    dead('two', body('sub-of-shop'));

    await redrive({ applicationId: 'shop' });

    expect(queue.visible()).toEqual(['one']);
  });

  it('redrives dead letters about events of the requested application, even if SNS did not log their failure', async () => {
    const change = aChange('final');
    endpoints = [anEndpoint({ applicationId: 'club', operationTypes: ['event_update'] })];
    records = [{ id: 'm', applicationId: 'club', message: change, publishedAt: now, deliveries: [] }];
    const sent = { endpoints: { list: async () => endpoints }, records: { ofSubject } };
    dead('one', wireMessage(change));

    await redrive({ applicationId: 'club', findApplications: (about) => missedBy(sent, about) });

    expect(published).toEqual([{ applicationId: 'club', message: change, redriveOf: 'm' }]);
    expect(outcomes).toEqual([{ messageId: 'one', applicationId: 'club', isRedriven: true }]);
    expect(queue.messages).toEqual([]);
  });

  it('does not redrive dead letters that arrive while it runs', async () => {
    for (let index = 0; index < 15; index++) dead(`message-${index}`, body(`sub-of-club${index}`));
    let deaths = 0;
    const topic: RedriveDependencies['topic'] = {
      publish: async () => {
        dead(`died again ${++deaths}`, body('sub-of-club'), now + deaths);
        return [{ isPublished: true, messageId: 'm' }];
      },
    };

    await redrive({ topic });

    expect(deaths).toBe(15);
    expect(queue.visible()).toHaveLength(15);
  });

  it('publishes only the newest of several dead letters about the same subject', async () => {
    const at = (seconds: string) => ({
      ...body('sub-of-club'),
      date_time: `2026-11-20T09:15:${seconds}.000000`,
    });
    for (const seconds of ['02', '04', '03']) dead(seconds, at(seconds));

    await redrive();

    expect(published.map(({ message: { dateTime } }) => dateTime)).toEqual(['2026-11-20T09:15:04.000000']);
    expect(queue.messages).toEqual([]);
    expect(outcomes).toHaveLength(3);
  });

  it('removes test messages without publishing them', async () => {
    dead('test', { ...body('of nobody'), operation_type: 'test' });

    await redrive();

    expect(queue.messages).toEqual([]);
    expect(published).toEqual([]);
  });

  describe('of a change that one endpoint accepted and two did not', () => {
    const endpoint = (id: string): Endpoint =>
      anEndpoint({ applicationId: 'club', id, destination: `https://${id}.example.com/` });
    const aDelivery = (id: string, isDelivered: boolean) => ({
      messageId: 'm',
      destination: `https://${id}.example.com/`,
      isDelivered,
      attempts: 1,
      at: now,
      reason: '',
    });
    const aRecord = (...deliveries: ReturnType<typeof aDelivery>[]): NotificationRecord => ({
      id: 'm',
      applicationId: 'club',
      message: message('sub-of-club'),
      publishedAt: now,
      deliveries,
    });

    beforeEach(() => {
      endpoints = ['living', 'dead-1', 'dead-2'].map(endpoint);
      records = [aRecord(aDelivery('living', true), aDelivery('dead-1', false), aDelivery('dead-2', false))];
      for (const id of ['one', 'two']) dead(id);
    });

    it('publishes to the two failed endpoints and not to the third', async () => {
      await redrive();

      expect(published.map(({ endpointId }) => endpointId).sort()).toEqual(['dead-1', 'dead-2']);
      expect(queue.messages).toEqual([]);
    });

    it('refers to the original message id, even after an earlier redrive has failed', async () => {
      await redrive();
      expect(published.map(({ redriveOf }) => redriveOf)).toEqual(['m', 'm']);

      published = [];
      dead('three');
      records.unshift({ ...aRecord(aDelivery('dead-1', false)), id: 'n', redriveOf: 'm' });
      await redrive();
      expect(published.map(({ redriveOf }) => redriveOf)).toEqual(['m', 'm']);
    });

    it('skips an endpoint that has accepted a newer message about the subject', async () => {
      records.push(aRecord(aDelivery('dead-1', true)));

      await redrive();

      expect(published.map(({ endpointId }) => endpointId)).toEqual(['dead-2']);
    });

    it('skips an endpoint that was removed', async () => {
      endpoints = endpoints.map((endpoint) =>
        endpoint.id === 'dead-2' ? { ...endpoint, removedAt: now } : endpoint,
      );

      await redrive();

      expect(published.map(({ endpointId }) => endpointId)).toEqual(['dead-1']);
      expect(queue.messages).toEqual([]);
    });

    it('publishes to the whole application when the records do not name a known failed endpoint', async () => {
      const toldWith = async (known: NotificationRecord[]) => {
        records = known;
        published = [];
        dead(`again-${queue.messages.length}-${outcomes.length}`);
        await redrive();
        return published;
      };
      const all = { applicationId: 'club', message: message('sub-of-club') };
      const known = [{ ...all, redriveOf: 'm' }];

      expect(await toldWith([])).toEqual([all]);
      expect(await toldWith([aRecord(aDelivery('living', true))])).toEqual(known);
      expect(await toldWith([aRecord(aDelivery('subscribed-by-hand', false))])).toEqual(known);
    });
  });

  it('loses no dead letter when it is killed at any point', async () => {
    for (let step = 0; step < 40; step++) {
      queue = new FakeQueue();
      published = [];
      const ids = Array.from({ length: 12 }, (_, index) => `sub-of-application${index}`);
      for (const id of ids) dead(id, body(id));
      let steps = 0;
      const die = () => {
        if (++steps > step) throw new Error('killed');
      };
      const mortal: MessageQueue = {
        take: async () => {
          die();
          return queue.take();
        },
        remove: async (one) => {
          die();
          await queue.remove(one);
          die();
        },
        putBack: async () => {},
      };
      const topic: RedriveDependencies['topic'] = {
        publish: async (notifications) => {
          die();
          published.push(...notifications);
          die();
          return [{ isPublished: true, messageId: 'm' }];
        },
      };

      await redrive({ queue: mortal, topic }).catch((error: Error) => expect(error.message).toBe('killed'));

      const delivered = published.map((notification) => userOf(notification.message));
      const left = queue.messages.map(({ messageId }) => messageId);
      expect(new Set([...delivered, ...left])).toEqual(new Set(ids));
    }
  });
});
