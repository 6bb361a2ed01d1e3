import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sqsDeliveryLines } from '../../../shared/notifications/aws/delivery-lines.ts';
import { recordedIn } from '../../../shared/notifications/aws/record-queue.ts';
import type { Delivery } from '../../../shared/notifications/record/record.ts';
import { recordNotifications } from '../../../shared/notifications/record/record-notifications.ts';
import { withoutEndpoints } from '../../support/notifications/recording.ts';

/** The example in AWS's documentation. */
const documented = {
  notification: {
    messageMD5Sum: '194d86f7aa1d8ed1c1f0e7c1c3f9c9c5',
    messageId: '1077257a-92f3-5ca3-bc97-6a915b310625',
    topicArn: 'arn:aws:sns:us-east-1:000000000000:topic',
    timestamp: '2026-11-20 12:00:30.123',
  },
  delivery: {
    deliveryId: '2d1257a9-92f3-5ca3-bc97-6a915b310625',
    destination: 'https://club.example.com/notify',
    providerResponse: 'OK',
    dwellTimeMs: 12,
    attempts: 2,
    statusCode: 200,
  },
  status: 'SUCCESS',
};
const withDelivery = (fields: object) => ({ ...documented, delivery: { ...documented.delivery, ...fields } });
const delivered: Delivery = {
  messageId: documented.notification.messageId,
  destination: documented.delivery.destination,
  isDelivered: true,
  statusCode: 200,
  attempts: 2,
  dwellMilliseconds: 12,
  at: 5,
  reason: 'OK',
};

const bodyOf = (...lines: readonly string[]) =>
  JSON.stringify({ delivery_lines: lines.map((line) => ({ timestamp: 5, line })) });

describe('a line of the delivery log', () => {
  it('about a subscription confirmation is kept apart from the deliveries of notifications', () => {
    const { topicArn } = documented.notification;
    const text = `You have chosen to subscribe to the topic ${topicArn}.\nTo confirm the subscription, visit the SubscribeURL included in this message.`;
    const messageMD5Sum = createHash('md5').update(text).digest('hex');
    const line = { ...documented, notification: { ...documented.notification, messageMD5Sum } };

    const { deliveries, confirmations } = recordedIn(
      bodyOf(JSON.stringify(line), JSON.stringify(documented)),
    );

    expect([deliveries, confirmations]).toEqual([[delivered], [delivered]]);
  });

  it.each<readonly [string, object, Partial<Delivery>]>([
    ['as documented', documented, {}],
    ['of a failure', { ...documented, status: 'FAILURE' }, { isDelivered: false }],
    ['with a response of null', withDelivery({ providerResponse: null }), { reason: '' }],
    ['without a response', withDelivery({ providerResponse: undefined }), { reason: '' }],
    [
      'with a response that is an object',
      withDelivery({ providerResponse: { code: 'E', said: ['no'] } }),
      { reason: '{"code":"E","said":["no"]}' },
    ],
    ['with a response that is a number', withDelivery({ providerResponse: 5 }), { reason: '5' }],
    [
      'with a long response, of which the first 1,000 bytes are kept',
      withDelivery({ providerResponse: `x${'€'.repeat(500)}` }),
      { reason: `x${'€'.repeat(333)}` },
    ],
    ['without a dwell time', withDelivery({ dwellTimeMs: undefined }), { dwellMilliseconds: undefined }],
    ['with a status code that is a text', withDelivery({ statusCode: '200' }), {}],
    ['with a status code of null', withDelivery({ statusCode: null }), { statusCode: undefined }],
    ['with a status code that is none', withDelivery({ statusCode: 'none' }), { statusCode: undefined }],
    ['with attempts that are a text', withDelivery({ attempts: '2' }), {}],
    ['with attempts of null', withDelivery({ attempts: null }), { attempts: 1 }],
    ['with a status in small letters', { ...documented, status: 'success' }, {}],
    [
      'without times and sums',
      { ...documented, notification: { messageId: documented.notification.messageId } },
      {},
    ],
    ['with unknown fields', { ...withDelivery({ region: 'x' }), version: 2, extra: { a: [1] } }, {}],
  ])('%s is read as a delivery', (_, line, differences) => {
    const told = recordedIn(bodyOf(JSON.stringify(line)));

    expect(told).toEqual({
      sent: [],
      unreadable: [],
      confirmations: [],
      deliveries: [{ ...delivered, ...differences }],
    });
  });

  it.each<readonly [string, string]>([
    ['that is cut', JSON.stringify(documented).slice(0, 200)],
    ['that is no JSON', 'delivered'],
    ['that is empty', ''],
    ['that is null', 'null'],
    ['of another status', JSON.stringify({ ...documented, status: 'PENDING' })],
    ['without a message', JSON.stringify({ ...documented, notification: {} })],
    ['without a destination', JSON.stringify(withDelivery({ destination: null }))],
  ])('%s is counted as unreadable, while the lines beside it are recorded', async (_, line) => {
    const body = bodyOf(line, JSON.stringify(documented));
    const recorded: Delivery[] = [];
    const warned: unknown[] = [];

    const errors = await recordNotifications(
      {
        records: {
          recordSent: async () => [],
          recordDeliveries: async (deliveries) => {
            recorded.push(...deliveries);
            return [];
          },
        },
        ...withoutEndpoints,
        logger: { warn: (_message, fields) => warned.push(fields) },
      },
      { messages: [recordedIn(body)] },
    );

    expect(errors).toEqual([undefined]);
    expect(recorded).toEqual([delivered]);
    expect(warned).toContainEqual({
      code: 'DELIVERY_LINES_UNREADABLE',
      count: 1,
      first: line.replaceAll(/:\/\/[^"\s]*/g, '://…').slice(0, 500),
    });
  });

  it('that cannot be read is logged without the URL in it, which can contain a secret', async () => {
    const warned: unknown[] = [];

    await recordNotifications(
      {
        records: {
          recordSent: async () => [],
          recordDeliveries: async () => [],
        },
        ...withoutEndpoints,
        logger: { warn: (_message, fields) => warned.push(fields) },
      },
      {
        messages: [
          recordedIn(bodyOf('{"destination":"https://user:password@example.com/secret?key=secret", cut')),
        ],
      },
    );

    expect(JSON.stringify(warned)).toContain('https://…');
    expect(JSON.stringify(warned)).not.toMatch(/secret|password|example/);
  });
});

describe('the forwarder of delivery log lines', () => {
  const sent = async (...lines: readonly string[]) => {
    const bodies: string[] = [];
    const forward = sqsDeliveryLines({
      send: async (body) => {
        if (Buffer.byteLength(body) > 262_144) throw new Error('One or more parameters are invalid');
        bodies.push(body);
      },
    });
    await forward(lines.map((line) => ({ timestamp: 5, line })));
    return bodies;
  };

  it('splits many lines over several queue messages without losing any', async () => {
    const long = JSON.stringify(withDelivery({ providerResponse: '"€'.repeat(2_000) }));

    const bodies = await sent(...Array.from({ length: 100 }, () => long));

    expect(bodies.length).toBeGreaterThan(1);
    expect(bodies.flatMap((body) => recordedIn(body).deliveries)).toHaveLength(100);
  });

  it('truncates a line that is too long for a message, so that the line is counted as unreadable', async () => {
    const bodies = await sent(
      JSON.stringify(withDelivery({ providerResponse: '\u0001'.repeat(100_000) })),
      'x',
    );

    expect(bodies.map((body) => recordedIn(body).unreadable.length)).toEqual([2]);
  });
});
