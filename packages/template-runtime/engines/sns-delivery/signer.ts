import { createHash, createPrivateKey, sign } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { selfSigned } from '../../certificates.ts';
import { writeFileDurably } from '../../durable-file.ts';

export type SignatureVersion = '1' | '2';

export interface Signer {
  readonly certificatePath: string;
  readonly certificate: string;
  /** Base64. */
  sign(message: Readonly<Record<string, unknown>>, version: SignatureVersion): string;
}

/** The keys of a message in the order in which SNS signs them. Keys that the message lacks are left out. */
const signedKeys = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: [
    'Message',
    'MessageId',
    'SubscribeURL',
    'Timestamp',
    'Token',
    'TopicArn',
    'Type',
  ],
} as const;

/** The text that SNS signs ("Verifying the signatures of Amazon SNS messages"). */
export const stringToSign = (message: Readonly<Record<string, unknown>>): string => {
  const keys =
    message.Type === 'Notification' ? signedKeys.Notification : signedKeys.SubscriptionConfirmation;
  return keys
    .filter((key) => message[key] !== undefined)
    .map((key) => `${key}\n${String(message[key])}\n`)
    .join('');
};

/** Keeps the key pair in the state directory, so that old signatures can still be verified after a restart. */
export const openSigner = async (stateDirectory: string): Promise<Signer> => {
  const keyFile = join(stateDirectory, 'sns', 'key.pem');
  const certificateFile = join(stateDirectory, 'sns', 'certificate.pem');
  if (!existsSync(keyFile) || !existsSync(certificateFile)) {
    const made = await selfSigned('sns.amazonaws.com');
    writeFileDurably(keyFile, made.privateKey);
    writeFileDurably(certificateFile, made.certificate);
  }
  const privateKey = createPrivateKey(readFileSync(keyFile, 'utf8'));
  const certificate = readFileSync(certificateFile, 'utf8');
  const fingerprint = createHash('sha256').update(certificate).digest('hex').slice(0, 32);

  return {
    certificatePath: `/SimpleNotificationService-${fingerprint}.pem`,
    certificate,
    sign: (message, version) =>
      sign(version === '2' ? 'sha256' : 'sha1', Buffer.from(stringToSign(message)), privateKey).toString(
        'base64',
      ),
  };
};
