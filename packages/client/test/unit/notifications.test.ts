import { describe, expect, it } from 'vitest';
import { parseNotification, UntrustedMessageError, verifyNotification } from '../../src/notifications.ts';

const topicArn = 'arn:aws:sns:us-east-1:000000000000:changes';
const snsHost = 'sns.us-east-1.amazonaws.com';

const signature = {
  MessageId: 'message-1',
  Timestamp: '2026-11-20T09:15:02.123Z',
  SignatureVersion: '2',
  Signature: 'AAAA',
  SigningCertURL: 'https://evil.example.com/certificate.pem',
};

describe.each(['SubscriptionConfirmation', 'UnsubscribeConfirmation'])('SubscribeURL of a %s', (type) => {
  const query = `Action=ConfirmSubscription&TopicArn=${topicArn}&Token=t`;
  const expectedUrl = `https://${snsHost}/?${query}`;
  const confirmation = ({ url, topic }: { url?: string; topic?: string } = {}) => ({
    headers: { 'x-amz-sns-message-type': type },
    body: JSON.stringify({
      Type: type,
      TopicArn: topic ?? topicArn,
      SubscribeURL: url ?? expectedUrl,
      Token: 't',
      Message: 'Subscribe?',
      ...signature,
    }),
  });

  it('is trusted on the host of SNS for the own topic, and then only with a signature', async () => {
    await expect(verifyNotification(confirmation(), { topicArn })).rejects.toThrow(/certificate/);
  });

  const refused: Record<string, { url?: string; topic?: string }> = {
    'on another host': { url: `https://evil.example.com/?${query}` },
    'on a host that only ends like it': { url: `https://evil${snsHost}/?${query}` },
    'on a host that only starts like it': { url: `https://${snsHost}.evil.example.com/?${query}` },
    'with the host as a user name': { url: `https://${snsHost}@evil.example.com/?${query}` },
    'with a user name': { url: `https://user@${snsHost}/?${query}` },
    'on another port': { url: `https://${snsHost}:8443/?${query}` },
    'in the clear': { url: `http://${snsHost}/?${query}` },
    'that is none': { url: 'subscribe' },
    'that does something else': { url: `https://${snsHost}/?Action=Unsubscribe&TopicArn=${topicArn}` },
    'for another topic': { url: `https://${snsHost}/?${query.replace('changes', 'other')}` },
    'in a message of another topic': { topic: `${topicArn}-other` },
  };
  for (const [which, untrusted] of Object.entries(refused)) {
    it(`is not trusted ${which}`, async () => {
      const verified = verifyNotification(confirmation(untrusted), { topicArn });

      await expect(verified).rejects.toThrow(/^Not a confirmation of|^A message of another topic/);
      await expect(verified).rejects.toBeInstanceOf(UntrustedMessageError);
    });
  }
});

describe('an enveloped notification', () => {
  it('is not trusted without a signature, nor of another type', async () => {
    const envelope = { Type: 'Notification', TopicArn: topicArn, Message: '{}', ...signature };

    await expect(verifyNotification({ headers: {}, body: envelope }, { topicArn })).rejects.toThrow(
      /certificate/,
    );
    await expect(
      verifyNotification({ headers: {}, body: { ...envelope, Type: 'Other' } }, { topicArn }),
    ).rejects.toThrow('A message of type Other');
    await expect(verifyNotification({ headers: {}, body: '[]' }, { topicArn })).rejects.toBeInstanceOf(
      UntrustedMessageError,
    );
  });
});

describe('a raw notification', () => {
  const headers = {
    'X-Amz-Sns-Message-Type': 'Notification',
    'X-Amz-Sns-Message-Id': 'message-1',
    'X-Amz-Sns-Topic-Arn': topicArn,
    'X-Amz-Sns-Rawdelivery': 'true',
  };
  const notification = {
    operation_type: 'data_update',
    application_user_sub: 'sub-1',
    date_time: '2026-11-20T09:15:02.123456',
    added_one_day: true,
  };

  it.each([
    ['Node', headers],
    ['Fetch', new Headers(headers)],
    ['a load balancer', { ...headers, 'X-Amz-Sns-Topic-Arn': [topicArn] }],
  ])('is read with the headers of %s', (_, given) => {
    expect(parseNotification({ headers: given, body: JSON.stringify(notification) }, { topicArn })).toEqual({
      type: 'Notification',
      messageId: 'message-1',
      notification,
    });
  });

  it.each([
    ['of another topic', { ...headers, 'X-Amz-Sns-Topic-Arn': 'other' }, notification],
    ['of another type', { ...headers, 'X-Amz-Sns-Message-Type': 'UnsubscribeConfirmation' }, notification],
    ['in an envelope', { ...headers, 'X-Amz-Sns-Rawdelivery': 'false' }, notification],
    ['without a user', headers, { ...notification, application_user_sub: '' }],
    ['that is no JSON', headers, '{'],
  ])('is not trusted %s', (_, given, body) => {
    expect(() => parseNotification({ headers: given, body }, { topicArn })).toThrow(UntrustedMessageError);
  });
});
