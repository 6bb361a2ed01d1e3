import { MarqueeError, UntrustedMessageError } from './errors.ts';
import type { components } from './generated/schema.ts';
import { type SnsMessage, textIn, verifySignature } from './sns-signature.ts';

export { UntrustedMessageError } from './errors.ts';

type Schemas = components['schemas'];

/** `data_update`: read this user again. `test` is what `sendTestNotification` sends; its user is nobody. */
export type UserNotification = Schemas['Notification'];

/** `contract_update` and `token_update`: the chain has decided of a contract or token, or of a part of it. */
export type ChainNotification = Schemas['ChainNotification'];

/** An operation that this version of the client does not know, as it came. */
export interface UnknownNotification {
  /** Any other text. To TypeScript it is one literal, by which it tells the operations that are known apart from it. */
  readonly operation_type: '(any other)';
  readonly [field: string]: unknown;
}

/** Told apart by `operation_type`. */
export type Notification = UserNotification | ChainNotification | UnknownNotification;

/** A POST as it came: Node's request with its body, Fetch's, or a Lambda event. */
export interface ReceivedRequest {
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The text of the body, its bytes, or what was parsed of it. */
  readonly body: unknown;
}

export interface WebhookOptions {
  /** The topic that the operator named; messages of any other are refused. */
  readonly topicArn: string;
  /**
   * As the operator has subscribed you. What comes in the other form is refused: were a message to say itself which form
   * it has, anyone could leave the signature out.
   */
  readonly form: 'raw' | 'enveloped';
  /**
   * Enveloped messages whose signed `Timestamp` is older are refused. SNS signs once and may deliver much later, after
   * an outage of yours for one, and a message that is repeated only makes you read again. @default any age
   */
  readonly maxAgeSeconds?: number | undefined;
  /**
   * Host, and port if any, of addresses that may be fetched. Only a system on your own machine needs another.
   * @default SNS's own in the topic's region
   */
  readonly snsHost?: string | undefined;
}

export interface ReceivedNotification {
  readonly type: 'Notification';
  /** Stays the same when SNS repeats a message. */
  readonly messageId: string | undefined;
  /** Whether SNS has signed it, which is so in the enveloped form alone. */
  readonly isSigned: boolean;
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

export type ReceivedMessage = ReceivedNotification | ReceivedConfirmation | ReceivedEnd;

export interface Webhooks {
  /**
   * The message in a POST. Confirmations of a subscription and of its end are signed in both forms, notifications in the
   * enveloped one; what is signed is verified. A raw notification is not, and proves nothing.
   *
   * @throws UntrustedMessageError when it is not from SNS, not of your topic, too old or not in your form: answer 403, so
   *   that it does not come again. Answer 500 to anything else, such as a certificate that cannot be fetched.
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

/** What each operation that is known must have. */
const requiredFields: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    data_update: userFields,
    test: userFields,
    contract_update: contractFields,
    token_update: [...contractFields, 'id'],
  } satisfies Record<(UserNotification | ChainNotification)['operation_type'], readonly string[]>),
);

/** A field that is added one day does no harm, and is kept. */
const notificationIn = (body: unknown): Notification => {
  const message = objectIn(body);
  for (const name of requiredFields.get(textIn(message, 'operation_type')) ?? []) textIn(message, name);
  return message as unknown as Notification;
};

/** On AWS the header has Amazon's name; the local system sends a neutral one as well. */
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

/** @throws MarqueeError for options of which no message could be judged. */
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
 * The address that confirms a subscription. Anyone can POST to a public endpoint, so it is fetched only when it lies
 * on the expected host and confirms the expected topic: else you would fetch whatever a stranger names.
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
 * Takes what is POSTed to your endpoint.
 *
 * @throws MarqueeError at once when an option is missing or wrong.
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
      // Of an enveloped message only what is signed counts, which no header is.
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
