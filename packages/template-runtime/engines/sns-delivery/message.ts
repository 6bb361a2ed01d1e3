import * as z from 'zod';
import type { SignatureVersion, Signer } from './signer.ts';

/** What waits in a subscription's hidden queue: a notification as it was published, or a confirmation to be sent. */
export const queuedMessage = z.discriminatedUnion('Type', [
  z.object({
    Type: z.literal('Notification'),
    MessageId: z.string(),
    TopicArn: z.string(),
    Subject: z.string().optional(),
    Message: z.string(),
    Timestamp: z.string(),
    MessageAttributes: z.record(z.string(), z.object({ Type: z.string(), Value: z.string() })).optional(),
  }),
  z.object({
    Type: z.literal('SubscriptionConfirmation'),
    MessageId: z.string(),
    Token: z.string(),
    TopicArn: z.string(),
    Timestamp: z.string(),
  }),
]);
export type QueuedMessage = z.infer<typeof queuedMessage>;

/** What a message's addresses and signature depend on. */
export interface Sender {
  readonly signer: Signer;
  /** Answers `SubscribeURL` and `UnsubscribeURL`. */
  readonly endpointUrl: string;
  /** Validators fetch the certificate over TLS only. */
  readonly secureEndpointUrl: string;
}

export interface Addressee {
  readonly arn: string;
  readonly isRaw: boolean;
  readonly signatureVersion: SignatureVersion;
  readonly contentType: string;
}

export interface HttpMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const confirmationText = (topicArn: string): string =>
  `You have chosen to subscribe to the topic ${topicArn}.\nTo confirm the subscription, visit the SubscribeURL included in this message.`;

const signed = (
  message: Readonly<Record<string, unknown>>,
  { signer, secureEndpointUrl }: Sender,
  version: SignatureVersion,
) => ({
  ...message,
  SignatureVersion: version,
  Signature: signer.sign(message, version),
  SigningCertURL: `${secureEndpointUrl}${signer.certificatePath}`,
});

const confirmation = (
  message: Extract<QueuedMessage, { Type: 'SubscriptionConfirmation' }>,
  sender: Sender,
  version: SignatureVersion,
): string => {
  const { Type, MessageId, Token, TopicArn, Timestamp } = message;
  const query = new URLSearchParams({ Action: 'ConfirmSubscription', TopicArn, Token });
  const SubscribeURL = `${sender.endpointUrl}/?${query}`;
  return JSON.stringify(
    signed(
      { Type, MessageId, Token, TopicArn, Message: confirmationText(TopicArn), SubscribeURL, Timestamp },
      sender,
      version,
    ),
  );
};

/** A notification in SNS's own JSON: what is POSTed unless raw delivery is on, and what is dead-lettered then. */
export const envelope = (
  message: Extract<QueuedMessage, { Type: 'Notification' }>,
  sender: Sender,
  to: Pick<Addressee, 'arn' | 'signatureVersion'>,
): string => {
  const { MessageAttributes, ...rest } = message;
  const query = new URLSearchParams({ Action: 'Unsubscribe', SubscriptionArn: to.arn });
  return JSON.stringify({
    ...signed(rest, sender, to.signatureVersion),
    UnsubscribeURL: `${sender.endpointUrl}/?${query}`,
    ...(MessageAttributes && { MessageAttributes }),
  });
};

/** The POST of a message, with the headers of SNS ("HTTP/HTTPS headers") and the neutral name of the type's header. */
export const httpMessage = (message: QueuedMessage, sender: Sender, to: Addressee): HttpMessage => {
  const common = {
    'user-agent': 'Amazon Simple Notification Service Agent',
    'content-type': to.contentType,
    'x-amz-sns-message-type': message.Type,
    'x-notify-message-type': message.Type,
    'x-amz-sns-message-id': message.MessageId,
    'x-amz-sns-topic-arn': message.TopicArn,
  };
  if (message.Type === 'SubscriptionConfirmation') {
    return { headers: common, body: confirmation(message, sender, to.signatureVersion) };
  }
  const headers = { ...common, 'x-amz-sns-subscription-arn': to.arn };
  return to.isRaw
    ? { headers: { ...headers, 'x-amz-sns-rawdelivery': 'true' }, body: message.Message }
    : { headers, body: envelope(message, sender, to) };
};
