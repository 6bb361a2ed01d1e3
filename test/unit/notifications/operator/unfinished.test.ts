import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, it, vi } from 'vitest';
import type { MessageQueue, QueuedMessage } from '../../../../operator/notifications/queue/message-queue.ts';
import { redriveUnfinished } from '../../../../operator/notifications/unfinished/redrive-unfinished.ts';
import { logger } from '../../../../shared/platform/logger.ts';

const lines = JSON.stringify({ delivery_lines: [{ timestamp: 1, line: '{}' }] });
const replay = JSON.stringify({ application_id: 'demo', replay_id: 'r1' });

const queueOf = (...bodies: readonly string[]) => {
  const left = new Map<string, QueuedMessage>(
    bodies.map((body, index) => [
      `m${index}`,
      { messageId: `m${index}`, receiptHandle: `h${index}`, body, sentAt: 1 },
    ]),
  );
  let taken = false;
  const queue: MessageQueue = {
    take: async () => {
      if (taken) return [];
      taken = true;
      return [...left.values()];
    },
    remove: async ({ messageId }) => {
      left.delete(messageId);
    },
    putBack: async () => {},
  };
  return { queue, left };
};

it('the redrive of unfinished messages returns each message to its queue, and keeps unknown messages', async () => {
  const { queue, left } = queueOf(lines, replay, 'unknown');
  const sent: string[][] = [];
  const to = (name: string) => ({ send: async (body: string) => void sent.push([name, body]) });

  const redriven = await redriveUnfinished({
    queue,
    sources: { record: to('record'), replays: to('replays') },
    clock: () => 2,
  });

  expect(sent).toEqual([
    ['record', lines],
    ['replays', replay],
  ]);
  expect([...left.keys()]).toEqual(['m2']);
  expect(redriven.map(({ source }) => source)).toEqual(['record', 'replays', undefined]);
});

it('the redrive of unfinished messages returns a message of a later release to its queue', async () => {
  vi.spyOn(logger, 'warn').mockReturnValue();
  const later = JSON.stringify({
    Type: 'Notification',
    MessageId: 'm',
    Timestamp: '2026-11-20T09:15:02.123Z',
    Message: JSON.stringify({ operation_type: 'stream_update' }),
    MessageAttributes: { application_id: { Value: 'club' } },
  });
  const { queue, left } = queueOf(later);
  const sent: string[] = [];
  const record = { send: async (body: string) => void sent.push(body) };

  await redriveUnfinished({ queue, sources: { record, replays: record }, clock: () => 2 });

  expect([sent, left.size]).toEqual([[later], 0]);
});

it('the redrive of unfinished messages returns a message about nothing but a refused confirmation', async () => {
  const topicArn = 'arn:aws:sns:us-east-1:000000000000:topic';
  const text = `You have chosen to subscribe to the topic ${topicArn}.\nTo confirm the subscription, visit the SubscribeURL included in this message.`;
  const messageMD5Sum = createHash('md5').update(text).digest('hex');
  const line = JSON.stringify({
    notification: { messageId: 'm', messageMD5Sum, topicArn },
    delivery: { destination: 'https://club.example.com/notify', statusCode: 403 },
    status: 'FAILURE',
  });
  const refusal = JSON.stringify({ delivery_lines: [{ timestamp: 1, line }] });
  const { queue, left } = queueOf(refusal);
  const sent: string[] = [];
  const record = { send: async (body: string) => void sent.push(body) };

  await redriveUnfinished({ queue, sources: { record, replays: record }, clock: () => 2 });

  expect([sent, left.size]).toEqual([[refusal], 0]);
});

it('the redrive of unfinished messages forwards the log lines of a call that Lambda gave up', async () => {
  const givenUp = (payload: unknown) =>
    JSON.stringify({
      version: '1.0',
      requestContext: { condition: 'RetriesExhausted', approximateInvokeCount: 3 },
      requestPayload: { awslogs: { data: gzipSync(JSON.stringify(payload)).toString('base64') } },
      responsePayload: { errorMessage: 'no' },
    });
  const logEvents = [{ id: '1', timestamp: 1, message: '{}' }];
  const { queue, left } = queueOf(
    givenUp({ messageType: 'DATA_MESSAGE', logEvents }),
    givenUp({ messageType: 'NEW_MESSAGE' }),
  );
  const sent: string[] = [];
  const record = { send: async (body: string) => void sent.push(body) };

  const redriven = await redriveUnfinished({ queue, sources: { record, replays: record }, clock: () => 2 });

  expect(sent).toEqual([lines]);
  expect([...left.keys()]).toEqual(['m1']);
  expect(redriven.map(({ source }) => source)).toEqual(['record', undefined]);
});

it('the redrive of unfinished messages keeps a message that its queue does not accept', async () => {
  const { queue, left } = queueOf(lines);
  const refuse = { send: async () => Promise.reject(new Error('no')) };

  await expect(
    redriveUnfinished({ queue, sources: { record: refuse, replays: refuse }, clock: () => 2 }),
  ).rejects.toThrow('no');
  expect(left.size).toBe(1);
});
