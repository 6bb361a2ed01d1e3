import { MarqueeError, UntrustedMessageError } from './errors.ts';
import type { components } from './generated/schema.ts';
import { type SnsMessage, textIn, verifySignature } from './sns-signature.ts';

export { UntrustedMessageError } from './errors.ts';

type Schemas = components['schemas'];

/** `data_update`: read this user again. `test`: sent by `sendTestNotification`, about no real user. */
export type UserNotification = Schemas['Notification'];

/**
 * `contract_update` and `token_update`: a contract or token, or a part of it, has become final or failed on the chain.
 */
export type ChainNotification = Schemas['ChainNotification'];

/** An operation that this version of the client does not know. The message is unchanged. */
export interface UnknownNotification {
  /**
   * Any other text. TypeScript sees one literal, so that `operation_type` tells the known operations apart from this
   * one.
   */
  readonly operation_type: '(any other)';
  readonly [field: string]: unknown;
}

/** `operation_type` tells the three apart. */
export type Notification = UserNotification | ChainNotification | UnknownNotification;

/** A received POST: Node's request with its body, a Fetch request, or a Lambda event. */
export interface ReceivedRequest {
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body as text, as bytes, or as parsed JSON. */
  readonly body: unknown;
}

export interface WebhookOptions {
  /** The topic that the operator named. Messages of other topics are refused. */
  readonly topicArn: string;
  /**
   * The form in which the operator has subscribed you. Messages in the other form are refused: if messages could choose
   * their form, anyone could leave the signature out.
   */
  readonly form: 'raw' | 'enveloped';
  /**
   * Refuses enveloped messages whose signed `Timestamp` is older. SNS signs only once and may deliver much later, for
   * example after an outage of yours. A repeated message only makes you read again. @default any age
   */
  readonly maxAgeSeconds?: number | undefined;
  /**
   * Host, and port if any, of addresses that may be fetched. Only a system on your own machine needs another value.
   * @default SNS's own in the topic's Region
   */
  readonly snsHost?: string | undefined;
}

export interface ReceivedNotification {
  readonly type: 'Notification';
  /** Stays the same when SNS repeats a message. */
  readonly messageId: string | undefined;
  /** Whether SNS has signed the notification. Only enveloped notifications are signed. */
  readonly isSigned: boolean;
  readonly notification: Notification;
}

export interface ReceivedConfirmation {
  readonly type: 'SubscriptionConfirmation';
  readonly subscribeUrl: string;
  /** Requests `subscribeUrl` once. Notifications come from then on. */
  confirm(): Promise<void>;
}

/**
 * Somebody has ended the subscription with an `UnsubscribeURL`. If that was not you, ask the operator, or request
 * `subscribeUrl` within two days to restore the subscription.
 */
export interface ReceivedEnd {
  readonly type: 'UnsubscribeConfirmation';
  readonly subscribeUrl: string;
}

export type ReceivedMessage = ReceivedNotification | ReceivedConfirmation | ReceivedEnd;

export interface Webhooks {
  /**
   * The message in a POST. Verifies the signature of confirmations, in both forms, and of enveloped notifications. A
   * raw notification has no signature and proves nothing.
   *
   * @throws UntrustedMessageError when the message is not from SNS, not of your topic, too old or not in your form:
   * respond with 403, so that SNS does not send it again. Respond with 500 to any other error, such as a certificate
   * that cannot be fetched.
   */
  unwrap(request: ReceivedRequest): Promise<ReceivedMessage>;
}

const headerOf = ({ headers }: ReceivedRequest, name: string): string | undefined => {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = Object.entries(headers).find(([written]) => written.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : value?.[0];
};

const objectIn = (body: unknown): SnsMessage => {
  let value = body instanceof Uint8Array ? new TextDecoder().decode(body) : body;
  if (typeof value === 'string') {
    try {
      value = JSON.parse(value);
    } catch (cause) {
      throw new UntrustedMessageError('Not JSON', { cause });
    }
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as SnsMessage;
  throw new UntrustedMessageError('Not a JSON object');
};

const userFields = ['application_user_sub', 'date_time'];
const contractFields = ['contract_address', 'status', 'transaction_hash', 'date_time'];

const requiredFields: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    data_update: userFields,
    test: userFields,
    contract_update: contractFields,
    token_update: [...contractFields, 'id'],
  } satisfies Record<(UserNotification | ChainNotification)['operation_type'], readonly string[]>),
);

/** Keeps unknown fields, so that a new field does no harm. */
const notificationIn = (body: unknown): Notification => {
  const message = objectIn(body);
  for (const name of requiredFields.get(textIn(message, 'operation_type')) ?? []) textIn(message, name);
  return message as unknown as Notification;
};

/** On AWS the header has Amazon's name. The local system also sends a header with a neutral name. */
const typeOf = (request: ReceivedRequest): string | undefined =>
  headerOf(request, 'x-amz-sns-message-type') ?? headerOf(request, 'x-notify-message-type');

const rawNotification = (request: ReceivedRequest, { topicArn }: WebhookOptions): ReceivedNotification => {
  if (headerOf(request, 'x-amz-sns-rawdelivery') !== 'true') {
    throw new UntrustedMessageError('Enveloped, where raw was agreed upon');
  }
  if (headerOf(request, 'x-amz-sns-topic-arn') !== topicArn) {
    throw new UntrustedMessageError('A message of another topic');
  }
  return {
    type: 'Notification',
    messageId: headerOf(request, 'x-amz-sns-message-id'),
    isSigned: false,
    notification: notificationIn(request.body),
  };
};

const topic = /^arn:(aws|aws-cn|aws-us-gov):sns:([a-z0-9-]+):\d{12}:[\w-]+(?:\.fifo)?$/;

/** @throws MarqueeError for options with which no message could be verified. */
const hostOf = ({ topicArn, form, maxAgeSeconds, snsHost }: WebhookOptions): string => {
  const [isTopic, partition, region] = topic.exec(topicArn) ?? [];
  if (isTopic === undefined) throw new MarqueeError(`topicArn is not the ARN of a topic: ${topicArn}`);
  if (form !== 'raw' && form !== 'enveloped') {
    throw new MarqueeError(`form is 'raw' or 'enveloped', as the operator has subscribed you, not ${form}`);
  }
  if (maxAgeSeconds !== undefined) {
    if (!(maxAgeSeconds > 0)) throw new MarqueeError(`maxAgeSeconds is not above 0: ${maxAgeSeconds}`);
    if (form === 'raw') throw new MarqueeError('maxAgeSeconds needs the enveloped form: raw is not signed');
  }
  return snsHost ?? `sns.${region}.amazonaws.com${partition === 'aws-cn' ? '.cn' : ''}`;
};

/**
 * The address that confirms a subscription. It must lie on the expected host and confirm the expected topic: anyone can
 * POST to a public endpoint, and could otherwise make you fetch any address.
 */
const subscribeUrlOf = (message: SnsMessage, { topicArn, host }: { topicArn: string; host: string }): URL => {
  const text = textIn(message, 'SubscribeURL');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal = /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host);
  const isExpected =
    url?.host === host &&
    (url.protocol === 'https:' || (isLocal && url.protocol === 'http:')) &&
    url.username === '' &&
    url.password === '' &&
    url.pathname === '/' &&
    url.searchParams.get('Action') === 'ConfirmSubscription' &&
    url.searchParams.get('TopicArn') === topicArn;
  if (!isExpected) throw new UntrustedMessageError(`Not a confirmation of ${topicArn}`);
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

const checkAge = (message: SnsMessage, maxAgeSeconds: number): void => {
  const signedAt = Date.parse(textIn(message, 'Timestamp'));
  if (Date.now() - signedAt <= maxAgeSeconds * 1_000) return;
  throw new UntrustedMessageError(`Signed more than ${maxAgeSeconds} s ago: ${message.Timestamp}`);
};

/**
 * Reads the messages that are POSTed to your endpoint.
 *
 * @throws MarqueeError immediately when an option is missing or wrong.
 */
export const createWebhooks = (options: WebhookOptions): Webhooks => {
  const { topicArn, form, maxAgeSeconds } = options;
  const host = hostOf(options);

  const verified = async (message: SnsMessage): Promise<ReceivedMessage> => {
    const type = textIn(message, 'Type');
    if (textIn(message, 'TopicArn') !== topicArn) {
      throw new UntrustedMessageError('A message of another topic');
    }
    if (
      type !== 'Notification' &&
      type !== 'SubscriptionConfirmation' &&
      type !== 'UnsubscribeConfirmation'
    ) {
      throw new UntrustedMessageError(`A message of type ${type}`);
    }
    const url = type === 'Notification' ? undefined : subscribeUrlOf(message, { topicArn, host });
    await verifySignature(message, { type, host });
    if (maxAgeSeconds !== undefined) checkAge(message, maxAgeSeconds);
    if (url !== undefined) {
      const subscribeUrl = url.href;
      return type === 'SubscriptionConfirmation'
        ? { type, subscribeUrl, confirm: () => confirm(url) }
        : { type: 'UnsubscribeConfirmation', subscribeUrl };
    }
    return {
      type: 'Notification',
      messageId: textIn(message, 'MessageId'),
      isSigned: true,
      notification: notificationIn(textIn(message, 'Message')),
    };
  };

  return {
    unwrap: async (request) => {
      // Only signed fields of an enveloped message count, and no header is signed.
      if (form === 'enveloped') return verified(objectIn(request.body));
      if (typeOf(request) === 'Notification') return rawNotification(request, options);
      const message = objectIn(request.body);
      if (message.Type === 'Notification') {
        throw new UntrustedMessageError('Enveloped, where raw was agreed upon');
      }
      return verified(message);
    },
  };
};
