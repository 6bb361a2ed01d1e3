import MessageValidator from 'sns-validator';
import { MarqueeError } from './errors.ts';
import type { components } from './generated/schema.ts';

/** Read this user again. */
export type Notification = components['schemas']['Notification'];

/** A message that is not what it says, or not for this receiver. Answer 403, so that it does not come again. */
export class UntrustedMessageError extends MarqueeError {}

/** A POST as it came: Node's request with its body, or a Lambda event. */
export interface ReceivedRequest {
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The text of the body, or what was parsed of it. */
  readonly body: unknown;
}

export interface Sender {
  /** The topic that the operator named; messages of any other are refused. */
  readonly topicArn: string;
  /**
   * Host, and port if any, of addresses that may be fetched. Only a system on your own machine needs another.
   * @default SNS's own in the topic's region
   */
  readonly snsHost?: string;
}

export interface ReceivedNotification {
  readonly type: 'Notification';
  /** Stays the same when SNS repeats a message. */
  readonly messageId: string | undefined;
  readonly notification: Notification;
}

export interface ReceivedConfirmation {
  readonly type: 'SubscriptionConfirmation';
  readonly subscribeUrl: string;
  /** Requests `subscribeUrl` once: from then on notifications come. */
  confirm(): Promise<void>;
}

/**
 * The subscription was ended, by whoever requested an `UnsubscribeURL`. If that was not you, ask the operator, or request
 * `subscribeUrl` within two days: it restores the subscription.
 */
export interface ReceivedEnd {
  readonly type: 'UnsubscribeConfirmation';
  readonly subscribeUrl: string;
}

const headerOf = ({ headers }: ReceivedRequest, name: string): string | undefined => {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = Object.entries(headers).find(([written]) => written.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : value?.[0];
};

const objectIn = (body: unknown): Readonly<Record<string, unknown>> => {
  let value = body;
  if (typeof body === 'string') {
    try {
      value = JSON.parse(body);
    } catch (cause) {
      throw new UntrustedMessageError('Not JSON', { cause });
    }
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>;
  }
  throw new UntrustedMessageError('Not a JSON object');
};

const textIn = (message: Readonly<Record<string, unknown>>, name: string): string => {
  const value = message[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new UntrustedMessageError(`A message without ${name}`);
};

/** A field that is added one day does no harm, and is kept. */
const notificationIn = (body: unknown): Notification => {
  const message = objectIn(body);
  for (const name of ['operation_type', 'application_user_sub', 'date_time']) textIn(message, name);
  return message as Notification;
};

/** On AWS the header has Amazon's name; the local system sends a neutral one as well. */
const typeOf = (request: ReceivedRequest): string | undefined =>
  headerOf(request, 'x-amz-sns-message-type') ?? headerOf(request, 'x-notify-message-type');

/** Whether a POST is the bare message, which is not signed, rather than SNS's envelope or a confirmation. */
export const isRaw = (request: ReceivedRequest): boolean =>
  headerOf(request, 'x-amz-sns-rawdelivery') === 'true' && typeOf(request) === 'Notification';

/**
 * The notification of a subscription with raw delivery, the standard form. It is not signed: it can only make you read
 * a user once too often.
 *
 * @throws UntrustedMessageError
 */
export const parseNotification = (
  request: ReceivedRequest,
  { topicArn }: Pick<Sender, 'topicArn'>,
): ReceivedNotification => {
  if (!isRaw(request)) throw new UntrustedMessageError(`Not a raw notification: ${typeOf(request)}`);
  if (headerOf(request, 'x-amz-sns-topic-arn') !== topicArn) {
    throw new UntrustedMessageError('A message of another topic');
  }
  return {
    type: 'Notification',
    messageId: headerOf(request, 'x-amz-sns-message-id'),
    notification: notificationIn(request.body),
  };
};

const hostOf = ({ topicArn, snsHost }: Sender): string => {
  const [, partition, , region = ''] = topicArn.split(':');
  return snsHost ?? `sns.${region}.amazonaws.com${partition === 'aws-cn' ? '.cn' : ''}`;
};

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * As `sns-validator` has to be given a message: of an `UnsubscribeConfirmation` it forgets that SNS signs the token as
 * well, behind the timestamp.
 */
const forValidator = (message: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  message.Type === 'UnsubscribeConfirmation'
    ? { ...message, Timestamp: `${message.Timestamp}\nToken\n${message.Token}` }
    : { ...message };

/** The certificate is fetched, over HTTPS, from the expected host and no other. */
const verifySignature = (message: Readonly<Record<string, unknown>>, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    new MessageValidator(new RegExp(`^${escaped(host)}$`)).validate(forValidator(message), (error) =>
      error === null ? resolve() : reject(new UntrustedMessageError(error.message)),
    );
  });

/**
 * The address that confirms a subscription. Anyone can POST to a public endpoint, so it is fetched only when it lies
 * on the expected host and confirms the expected topic: else you would fetch whatever a stranger names.
 */
const subscribeUrlOf = (message: Readonly<Record<string, unknown>>, sender: Sender): URL => {
  const host = hostOf(sender);
  const url = URL.canParse(textIn(message, 'SubscribeURL'))
    ? new URL(textIn(message, 'SubscribeURL'))
    : undefined;
  const isLocal = /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host);
  const isExpected =
    url?.host === host &&
    (url.protocol === 'https:' || isLocal) &&
    url.username === '' &&
    url.searchParams.get('Action') === 'ConfirmSubscription' &&
    url.searchParams.get('TopicArn') === sender.topicArn;
  if (!isExpected) throw new UntrustedMessageError(`Not a confirmation of ${sender.topicArn}`);
  return url;
};

const confirmationTimeoutMilliseconds = 10_000;

const confirm = async (url: URL): Promise<void> => {
  const response = await fetch(url, {
    redirect: 'error',
    signal: AbortSignal.timeout(confirmationTimeoutMilliseconds),
  });
  await response.body?.cancel();
  if (!response.ok) throw new MarqueeError(`The confirmation was answered ${response.status}`);
};

/**
 * A message that SNS has signed: the confirmation of a subscription, its end, or the notification of an enveloped one.
 *
 * @throws UntrustedMessageError when it is not signed by SNS, or is of another topic.
 */
export const verifyNotification = async (
  request: ReceivedRequest,
  sender: Sender,
): Promise<ReceivedNotification | ReceivedConfirmation | ReceivedEnd> => {
  const message = objectIn(request.body);
  const type = textIn(message, 'Type');
  if (textIn(message, 'TopicArn') !== sender.topicArn) {
    throw new UntrustedMessageError('A message of another topic');
  }
  if (type === 'SubscriptionConfirmation' || type === 'UnsubscribeConfirmation') {
    const url = subscribeUrlOf(message, sender);
    await verifySignature(message, hostOf(sender));
    return type === 'SubscriptionConfirmation'
      ? { type, subscribeUrl: url.href, confirm: () => confirm(url) }
      : { type, subscribeUrl: url.href };
  }
  if (type !== 'Notification') throw new UntrustedMessageError(`A message of type ${type}`);
  await verifySignature(message, hostOf(sender));
  return {
    type,
    messageId: textIn(message, 'MessageId'),
    notification: notificationIn(textIn(message, 'Message')),
  };
};
