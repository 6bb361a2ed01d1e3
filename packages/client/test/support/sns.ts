import { createHash, sign } from 'node:crypto';
import { selfSigned } from 'template-runtime/certificates.ts';

export const topicArn = 'arn:aws:sns:us-east-1:000000000000:changes';
export const snsHost = 'sns.us-east-1.amazonaws.com';

export type Fields = Readonly<Record<string, string>>;

export interface SigningKey {
  readonly certificate: string;
  readonly certificateUrl: string;
  /** The message with its signature. `over` replaces fields after the message was signed. */
  signed(message: Fields, over?: Fields): Fields;
}

/** Signs messages with this key as SNS does. */
export const signingKeyOf = ({
  privateKey,
  ...published
}: Pick<SigningKey, 'certificate' | 'certificateUrl'> & { readonly privateKey: string }): SigningKey => ({
  ...published,
  signed: (message, over = {}) => {
    const fields =
      message.Type === 'Notification'
        ? ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
        : ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];
    const text = fields.flatMap((name) => (name in message ? [`${name}\n${message[name]}\n`] : [])).join('');
    return {
      ...message,
      SignatureVersion: '2',
      Signature: sign('sha256', Buffer.from(text), privateKey).toString('base64'),
      SigningCertURL: published.certificateUrl,
      ...over,
    };
  },
});

/** A new key with its own certificate, for SNS or for a stranger. */
export const newSigningKey = async (): Promise<SigningKey> => {
  const { privateKey, certificate } = await selfSigned('sns.amazonaws.com');
  const id = createHash('md5').update(certificate).digest('hex');
  const certificateUrl = `https://${snsHost}/SimpleNotificationService-${id}.pem`;
  return signingKeyOf({ privateKey, certificate, certificateUrl });
};

export const dataUpdate = {
  operation_type: 'data_update',
  application_user_sub: 'sub-1',
  date_time: '2026-11-20T09:15:02.123456',
};
export const contractUpdate = {
  operation_type: 'contract_update',
  contract_address: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  status: 'confirmed',
  transaction_hash: '0x9f4a',
  date_time: '2026-11-20T09:15:08.123000',
};
export const tokenUpdate = { ...contractUpdate, operation_type: 'token_update', id: '1' };
/** An operation that no version of the client knows. */
export const madeUp = { operation_type: 'seat_moved', seat: { row: 7 } };
export const operations = [dataUpdate, contractUpdate, tokenUpdate, madeUp] as const;

/** The headers and body with which SNS posts a raw notification. */
export const rawPost = (notification: unknown, headers: Fields = {}) => ({
  headers: {
    'x-amz-sns-message-type': 'Notification',
    'x-amz-sns-message-id': 'message-1',
    'x-amz-sns-topic-arn': topicArn,
    'x-amz-sns-rawdelivery': 'true',
    ...headers,
  },
  body: typeof notification === 'string' ? notification : JSON.stringify(notification),
});

export const envelopeOf = (notification: unknown, over: Fields = {}): Fields => ({
  Type: 'Notification',
  MessageId: 'message-1',
  TopicArn: topicArn,
  Message: JSON.stringify(notification),
  Timestamp: new Date().toISOString(),
  ...over,
});

export const confirmationOf = (over: Fields = {}): Fields => ({
  Type: 'SubscriptionConfirmation',
  MessageId: 'message-1',
  Token: 't',
  TopicArn: topicArn,
  Message: 'Subscribe?',
  SubscribeURL: `https://${snsHost}/?Action=ConfirmSubscription&TopicArn=${topicArn}&Token=t`,
  Timestamp: new Date().toISOString(),
  ...over,
});

export const envelopedPost = (message: Fields) => ({
  headers: { 'x-amz-sns-message-type': String(message.Type) },
  body: JSON.stringify(message),
});
