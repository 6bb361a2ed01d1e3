import MessageValidator from 'sns-validator';
import * as z from 'zod';

/** A message that is not what it says, or not for this receiver. It is answered with 403 and never looked at again. */
export class UntrustedMessageError extends Error {}

/** What tells this receiver to read a user again. A field that is added one day does no harm, and is kept. */
export const notificationSchema = z.looseObject({
  operation_type: z.string(),
  application_user_sub: z.string().min(1),
  date_time: z.string(),
});
export type Notification = z.infer<typeof notificationSchema>;

const confirmationSchema = z.object({
  Type: z.literal('SubscriptionConfirmation'),
  TopicArn: z.string(),
  SubscribeURL: z.url(),
});

const envelopeSchema = z.object({
  Type: z.literal('Notification'),
  MessageId: z.string(),
  TopicArn: z.string(),
  Message: z.string(),
});

export interface Sender {
  readonly topicArn: string;
  readonly snsHost: string;
}

/** Checks who signed a message. The certificate is fetched, over HTTPS, from the expected host and no other. */
export const signatureVerifier = ({ snsHost }: Pick<Sender, 'snsHost'>) => {
  const host = new RegExp(`^${snsHost.replaceAll('.', '\\.')}$`);
  const validator = new MessageValidator(host);
  return (message: Record<string, unknown>): Promise<void> =>
    new Promise((resolve, reject) => {
      validator.validate(message, (error) =>
        error === null ? resolve() : reject(new UntrustedMessageError(error.message)),
      );
    });
};

/**
 * The address that confirms a subscription. Anyone can POST to this server, so it is fetched only when it lies on the
 * expected host and confirms the expected topic: else we would fetch whatever a stranger names.
 *
 * @throws UntrustedMessageError
 */
export const confirmationUrl = (message: unknown, { topicArn, snsHost }: Sender): URL => {
  const { TopicArn, SubscribeURL } = confirmationSchema.parse(message);
  const url = new URL(SubscribeURL);
  const isLocal = /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(snsHost);
  const isExpected =
    TopicArn === topicArn &&
    url.host === snsHost &&
    (url.protocol === 'https:' || isLocal) &&
    url.username === '' &&
    url.searchParams.get('Action') === 'ConfirmSubscription' &&
    url.searchParams.get('TopicArn') === topicArn;
  if (!isExpected) throw new UntrustedMessageError(`not a confirmation of ${topicArn}`);
  return url;
};

/** The notification inside SNS's envelope, for a subscription without raw delivery. */
export const openEnvelope = (
  message: unknown,
  { topicArn }: Pick<Sender, 'topicArn'>,
): { readonly messageId: string; readonly notification: Notification } => {
  const { MessageId, TopicArn, Message } = envelopeSchema.parse(message);
  if (TopicArn !== topicArn) throw new UntrustedMessageError(`a message of ${TopicArn}`);
  return { messageId: MessageId, notification: notificationSchema.parse(JSON.parse(Message)) };
};
