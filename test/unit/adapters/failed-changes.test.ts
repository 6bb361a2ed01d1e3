import { type SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { failedChangeIn } from '../../../operator/failed-changes/failed-change.ts';
import { sqsFailedChanges } from '../../../shared/adapters/sqs/failed-changes.ts';
import { aChangeRecord } from '../../support/users.ts';

/** All that SQS takes ("SendMessage", MessageBody); it refuses a message with any other character. */
const takenBySqs = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;

let sent: string[];
const client = new SQSClient({ region: 'us-east-1' });

beforeEach(() => {
  sent = [];
  vi.spyOn(client, 'send').mockImplementation(async (command: unknown) => {
    sent.push((command as SendMessageCommand).input.MessageBody ?? '');
  });
});

const keep = async (record: unknown, reason = 'InternalError') => {
  await sqsFailedChanges({ client, queueUrl: 'https://sqs.example.com/queue' }).keep({ record, reason });
  const [body = ''] = sent;
  return body;
};

describe('a change that is put aside', () => {
  it('is kept as the stream had it', async () => {
    const record = aChangeRecord();

    expect(JSON.parse(await keep(record))).toEqual({ reason: 'InternalError', record });
  });

  it('is kept in characters that SQS takes, whatever the user has written', async () => {
    const userSub = 'u \u0000 \ud800 \ufffe \uffff \u{1f600}';
    const record = aChangeRecord({ userSub });

    const body = await keep(record, 'because \uffff');

    expect(body).toMatch(takenBySqs);
    expect(JSON.parse(body)).toEqual({ reason: 'because \uffff', record });
    expect(failedChangeIn(body)).toMatchObject({ userSub });
  });

  it('is kept by its key where it is larger than a message may be', async () => {
    const record = aChangeRecord({ userSub: 'user-7' });
    const large = {
      ...record,
      dynamodb: { ...record.dynamodb, OldImage: { data: { S: 'x'.repeat(300_000) } } },
    };

    const body = await keep(large);

    expect(Buffer.byteLength(body)).toBeLessThan(256 * 1024);
    expect(failedChangeIn(body)).toMatchObject({ userSub: 'user-7' });
  });
});
