import * as z from 'zod';
import type { MessageAttribute } from '../messaging/types.ts';
import { defaultContentType } from './delivery-policy.ts';
import type { SignatureVersion, Signer } from './signer.ts';

/** A message in a subscription's hidden queue: a published notification, or a message about the subscription itself. */
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
    Type: z.literal(['SubscriptionConfirmation', 'UnsubscribeConfirmation']),
    MessageId: z.string(),
    Token: z.string(),
    TopicArn: z.string(),
    Timestamp: z.string(),
  }),
]);
export type QueuedMessage = z.infer<typeof queuedMessage>;

export interface Sender {
  readonly signer: Signer;
  /** The HTTPS URL with which the links in messages begin: receivers follow only HTTPS links. */
  readonly secureEndpointUrl: string;
}

export interface Addressee {
  readonly arn: string;
  readonly isRaw: boolean;
  readonly signatureVersion: SignatureVersion;
  /** Of notifications. Other messages have SNS's default. */
  readonly contentType: string;
}

export interface HttpMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Confirmation = Exclude<QueuedMessage, { Type: 'Notification' }>;

/**
 * The texts are from "HTTP/HTTPS subscription confirmation JSON format" and "HTTP/HTTPS unsubscribe confirmation JSON
 * format".
 */
export const confirmationText: Record<
  Confirmation['Type'],
  (names: { readonly topicArn: string; readonly subscriptionArn: string }) => string
> = {
  SubscriptionConfirmation: ({ topicArn }) =>
    `You have chosen to subscribe to the topic ${topicArn}.\nTo confirm the subscription, visit the SubscribeURL included in this message.`,
  UnsubscribeConfirmation: ({ subscriptionArn }) =>
    `You have chosen to deactivate subscription ${subscriptionArn}.\nTo cancel this operation and restore the subscription, visit the SubscribeURL included in this message.`,
};

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
  { Type, MessageId, Token, TopicArn, Timestamp }: Confirmation,
  sender: Sender,
  to: Pick<Addressee, 'arn' | 'signatureVersion'>,
): string => {
  const query = new URLSearchParams({ Action: 'ConfirmSubscription', TopicArn, Token });
  const SubscribeURL = `${sender.secureEndpointUrl}/?${query}`;
  const Message = confirmationText[Type]({ topicArn: TopicArn, subscriptionArn: to.arn });
  return JSON.stringify(
    signed(
      { Type, MessageId, Token, TopicArn, Message, SubscribeURL, Timestamp },
      sender,
      to.signatureVersion,
    ),
  );
};

/** SNS's JSON envelope around a notification. It is what an endpoint gets, unless raw delivery is on. */
const envelope = (
  message: Extract<QueuedMessage, { Type: 'Notification' }>,
  sender: Sender,
  to: Pick<Addressee, 'arn' | 'signatureVersion'>,
): string => {
  const { MessageAttributes, ...rest } = message;
  const query = new URLSearchParams({ Action: 'Unsubscribe', SubscriptionArn: to.arn });
  return JSON.stringify({
    ...signed(rest, sender, to.signatureVersion),
    UnsubscribeURL: `${sender.secureEndpointUrl}/?${query}`,
    ...(MessageAttributes && { MessageAttributes }),
  });
};

/** The body and the attributes of the message in a queue, which may be a subscribed queue or a dead-letter queue. */
export const queueMessage = (
  message: QueuedMessage,
  sender: Sender,
  to: Omit<Addressee, 'contentType'>,
): { readonly body: string; readonly attributes?: Readonly<Record<string, MessageAttribute>> } => {
  if (message.Type !== 'Notification') return { body: confirmation(message, sender, to) };
  if (!to.isRaw) return { body: envelope(message, sender, to) };
  if (message.MessageAttributes === undefined) return { body: message.Message };
  const attributes = Object.fromEntries(
    Object.entries(message.MessageAttributes).map(([name, { Type, Value }]) => [
      name,
      Type.startsWith('Binary')
        ? { DataType: Type, BinaryValue: Value }
        : { DataType: Type, StringValue: Value },
    ]),
  );
  return { body: message.Message, attributes };
};

/**
 * The headers and the body of the POST request for a message, as AWS describes them under "HTTP/HTTPS headers". Only the
 * header `x-notify-message-type`, which repeats the message type, is not from AWS.
 */
export const httpMessage = (message: QueuedMessage, sender: Sender, to: Addressee): HttpMessage => {
  const common = {
    'user-agent': 'Amazon Simple Notification Service Agent',
    'content-type': message.Type === 'Notification' ? to.contentType : defaultContentType,
    'x-amz-sns-message-type': message.Type,
    'x-notify-message-type': message.Type,
    'x-amz-sns-message-id': message.MessageId,
    'x-amz-sns-topic-arn': message.TopicArn,
  };
  const headers = { ...common, 'x-amz-sns-subscription-arn': to.arn };
  if (message.Type !== 'Notification') {
    const body = confirmation(message, sender, to);
    // SNS does not reveal a subscription's ARN before the subscription is confirmed.
    return { headers: message.Type === 'SubscriptionConfirmation' ? common : headers, body };
  }
  return to.isRaw
    ? { headers: { ...headers, 'x-amz-sns-rawdelivery': 'true' }, body: message.Message }
    : { headers, body: envelope(message, sender, to) };
};
