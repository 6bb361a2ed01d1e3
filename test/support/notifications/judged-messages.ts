import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSigner } from 'template-runtime/engines/sns-delivery/signer.ts';
import {
  confirmationOf,
  dataUpdate,
  envelopedPost,
  envelopeOf,
  newSigningKey,
  operations,
  rawPost,
  signingKeyOf,
  tokenUpdate,
} from '../../../packages/client/test/support/sns.ts';
import type { System } from '../platform/system.ts';

export interface Post {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface JudgedMessages {
  readonly accepted: readonly Post[];
  readonly refused: readonly Post[];
}

/**
 * Messages that a receiver of the system's topic must accept, one of each operation, and messages that it must refuse:
 * forged, changed, in the other form, of another topic, and older than five minutes. They are signed with the system's
 * own key, or with a stranger's.
 */
export const judgedMessages = async (
  { outputs, stateDirectory }: Pick<System, 'outputs' | 'stateDirectory'>,
  form: 'raw' | 'enveloped',
): Promise<JudgedMessages> => {
  const { aws_endpoint_url, topic_arn: TopicArn } = outputs;
  const { host } = new URL(aws_endpoint_url);
  const { certificate, certificatePath } = await openSigner(stateDirectory);
  const sns = signingKeyOf({
    certificate,
    certificateUrl: `https://${host}${certificatePath}`,
    privateKey: readFileSync(join(stateDirectory, 'sns/key.pem'), 'utf8'),
  });
  const stranger = await newSigningKey();
  const raw = (notification: unknown, topic = TopicArn) =>
    rawPost(notification, { 'x-amz-sns-topic-arn': topic, 'x-amz-sns-message-id': randomUUID() });
  const envelope = (over: Record<string, string> = {}) =>
    envelopeOf(dataUpdate, { TopicArn, MessageId: randomUUID(), ...over });
  const foreign = `${TopicArn}-other`;
  const confirmation = confirmationOf({
    TopicArn,
    SubscribeURL: `https://${host}/?Action=ConfirmSubscription&TopicArn=${TopicArn}&Token=t`,
  });
  if (form === 'raw') {
    return {
      accepted: operations.map((operation) => raw(operation)),
      refused: [
        raw(dataUpdate, foreign),
        envelopedPost(sns.signed(envelope())),
        envelopedPost(stranger.signed(confirmation, { SigningCertURL: sns.certificateUrl })),
        envelopedPost(stranger.signed(confirmation)),
      ],
    };
  }
  return {
    accepted: operations.map((operation) =>
      envelopedPost(sns.signed(envelope({ Message: JSON.stringify(operation) }))),
    ),
    refused: [
      raw(dataUpdate),
      envelopedPost(stranger.signed(envelope())),
      envelopedPost(stranger.signed(envelope(), { SigningCertURL: sns.certificateUrl })),
      envelopedPost(sns.signed(envelope(), { Message: JSON.stringify(tokenUpdate) })),
      envelopedPost(sns.signed(envelope(), { SignatureVersion: '1' })),
      envelopedPost(sns.signed(envelope({ TopicArn: foreign }))),
      envelopedPost(sns.signed(envelope({ Timestamp: new Date(Date.now() - 600_000).toISOString() }))),
      envelopedPost(stranger.signed(confirmation, { SigningCertURL: sns.certificateUrl })),
    ],
  };
};
