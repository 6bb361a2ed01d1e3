import { describe, expect, it } from 'vitest';
import { failedChangeIn } from '../../../operator/notifications/failed-changes/failed-change.ts';
import { sqsFailedChanges } from '../../../shared/notifications/aws/failed-changes.ts';
import { aChangeRecord } from '../../support/users/users.ts';

/** The characters that SQS accepts ("SendMessage", MessageBody). It refuses a message with any other character. */
const takenBySqs = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;

const keep = async (record: unknown, reason = 'InternalError') => {
  const sent: string[] = [];
  const failedChanges = sqsFailedChanges({ send: async (body) => void sent.push(body) });
  await failedChanges.keep({ record, reason });
  const [body = ''] = sent;
  return body;
};

describe('a failed change in the queue', () => {
  it("contains the key of the user but none of the user's data", async () => {
    const record = aChangeRecord({ userSub: 'user-7', registrationId: 'registration-7' });
    const stored = { data: { M: { email: { S: 'user-7@example.com' } } } };
    const { Keys, SequenceNumber, NewImage } = record.dynamodb ?? {};
    const withData = {
      ...record,
      dynamodb: { Keys, SequenceNumber, NewImage: { ...NewImage, ...stored }, OldImage: stored },
    };

    const body = await keep(withData);

    expect(body).not.toMatch(/Image|user-7@example\.com|registration-7/);
    expect(JSON.parse(body)).toMatchObject({
      reason: 'InternalError',
      record: {
        eventName: record.eventName,
        dynamodb: { Keys, SequenceNumber },
      },
    });
    expect(failedChangeIn(body)).toMatchObject({ userSub: 'user-7' });
  });

  it('contains the id of the registration that was removed, because the user may register again', async () => {
    const record = aChangeRecord({ userSub: 'user-7', registrationId: 'registration-7', isRemoved: true });

    const failed = failedChangeIn(await keep(record));

    expect(failed).toMatchObject({ userSub: 'user-7', removal: { registrationId: 'registration-7' } });
  });

  it('contains only characters that SQS accepts, whatever characters the user id has', async () => {
    const userSub = 'u \u0000 \ud800 \ufffe \uffff \u{1f600}';
    const record = aChangeRecord({ userSub });

    const body = await keep(record, 'because \uffff');

    expect(body).toMatch(takenBySqs);
    expect(JSON.parse(body)).toMatchObject({ reason: 'because \uffff' });
    expect(failedChangeIn(body)).toMatchObject({ userSub });
  });
});
