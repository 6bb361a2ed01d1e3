import { MarqueeError, UntrustedMessageError } from './errors.ts';
import type { components } from './generated/schema.ts';
import { quoted, type SnsMessage, textIn, verifySignature } from './sns-signature.ts';

export { UntrustedMessageError } from './errors.ts';

type Schemas = components['schemas'];

/** `data_update` asks you to read this user again. `test` comes from `sendTestNotification` and names no real user. */
export type UserNotification = Schemas['Notification'];

/**
 * `contract_update` and `token_update` say that a contract or token, or a later change to one, is final or has failed
 * on the chain.
 */
export type ChainNotification = Schemas['ChainNotification'];

/** `event_update` says that an event of the catalogue has changed, or many events, as your application's rules show them. */
export type EventNotification = Schemas['EventNotification'];

/** A notification whose `operation_type` this version of the client does not know. The message is unchanged. */
export interface UnknownNotification {
  /**
   * At run time, this can be any other string. It is typed as a single literal so that TypeScript can narrow the union
   * by `operation_type`.
   */
  readonly operation_type: '(any other)';
  readonly [field: string]: unknown;
}

/** `operation_type` tells which of the four types a notification has. */
export type Notification = UserNotification | ChainNotification | EventNotification | UnknownNotification;

/** The headers and body of a received POST, for example from Node's request, a Fetch request or a Lambda event. */
export interface ReceivedRequest {
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /**
   * The body as text, as bytes, or as parsed JSON. Read it whatever the `Content-Type` is: SNS sends its first message as
   * `text/plain`.
   */
  readonly body: unknown;
}

export interface WebhookOptions {
  /** The topic ARN that the operator gave you. Messages of other topics are refused. */
  readonly topicArn: string;
  /**
   * Whether the operator has subscribed your endpoint for raw or for enveloped notifications. Notifications in the
   * other form are refused, because otherwise anyone could send an unsigned notification and mark it as raw.
   */
  readonly form: 'raw' | 'enveloped';
  /**
   * Enveloped messages whose signed `Timestamp` is older than this are refused. SNS signs a message only once and may
   * deliver it much later, for example after an outage of your endpoint. Accepting any age is safe: an old message that
   * is sent again only makes you read the current data again. @default any age
   */
  readonly maxAgeSeconds?: number | undefined;
  /**
   * Certificates and subscription URLs are fetched only from this host (with its port, if any). Change it only for a
   * local system.
   * @default SNS's host in the topic's Region
   */
  readonly snsHost?: string | undefined;
}

export interface ReceivedNotification {
  readonly type: 'Notification';
  /** The message's id. If SNS delivers a message again, its id stays the same. */
  readonly messageId: string | undefined;
  /** Whether SNS has signed the notification. Only enveloped notifications are signed. */
  readonly isSigned: boolean;
  readonly notification: Notification;
}

export interface ReceivedConfirmation {
  readonly type: 'SubscriptionConfirmation';
  readonly subscribeUrl: string;
  /** Confirms the subscription by requesting `subscribeUrl` once. SNS then begins to send notifications. */
  confirm(): Promise<void>;
}

/**
 * Someone has ended the subscription with an `UnsubscribeURL`. If it was not you, ask the operator, or request
 * `subscribeUrl` within two days to restore the subscription.
 */
export interface ReceivedEnd {
  readonly type: 'UnsubscribeConfirmation';
  readonly subscribeUrl: string;
}

export type ReceivedMessage = ReceivedNotification | ReceivedConfirmation | ReceivedEnd;

export interface Webhooks {
  /**
   * Reads the message in a POST that your endpoint received. Verifies the signature of every message except raw
   * notifications. These are not signed, so they are not proven to come from SNS.
   * @throws UntrustedMessageError if the message is not from SNS, is not from your topic or is too old, or if a
   * notification does not have the form (raw or enveloped) that you passed to `createWebhooks`. Respond to this error
   * with 403, so that SNS does not send the message again. Respond to any other error with 500, for example if a
   * certificate cannot be fetched.
   */
  unwrap(request: ReceivedRequest): Promise<ReceivedMessage>;
}

const headerOf = ({ headers }: ReceivedRequest, name: string): string | undefined => {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = Object.entries(headers).find(([written]) => written.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : value?.[0];
};

/** What frameworks leave in place of a body that they did not read. It is no body of JSON that was parsed. */
const isNothing = (body: unknown): boolean =>
  body === undefined ||
  body === null ||
  body === '' ||
  (body instanceof ArrayBuffer || ArrayBuffer.isView(body)
    ? body.byteLength === 0
    : typeof body === 'object' && Object.keys(body).length === 0);

/**
 * A body that the receiver's own framework did not read says nothing about the sender. So the message must not be
 * refused for ever.
 */
const checkRead = (request: ReceivedRequest): void => {
  if (!isNothing(request.body) || Number(headerOf(request, 'content-length') ?? 3) <= 2) return;
  throw new MarqueeError(
    'The body of the request was not read. Read it whatever its Content-Type is: SNS sends its first message as text/plain',
  );
};

const objectIn = (body: unknown): SnsMessage => {
  const isBytes = body instanceof ArrayBuffer || ArrayBuffer.isView(body);
  let value = isBytes ? new TextDecoder().decode(body as ArrayBuffer | DataView) : body;
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

type KnownNotification = Exclude<Notification, UnknownNotification>;

const requiredFields: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    data_update: userFields,
    test: userFields,
    contract_update: contractFields,
    token_update: [...contractFields, 'id'],
    event_update: ['change', 'date_time'],
  } satisfies Record<KnownNotification['operation_type'], readonly string[]>),
);

/**
 * Checks the required fields. Other fields are accepted unchecked, so that a field that is added later does no harm.
 */
const notificationIn = (body: unknown): Notification => {
  const message = objectIn(body);
  for (const name of requiredFields.get(textIn(message, 'operation_type')) ?? []) textIn(message, name);
  return message as unknown as Notification;
};

/** SNS sends `x-amz-sns-message-type`. The local system also sends `x-notify-message-type`. */
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

/**
 * Returns the only host from which certificates and subscription URLs are fetched.
 * @throws MarqueeError if an option is invalid.
 */
const hostOf = ({ topicArn, form, maxAgeSeconds, snsHost }: WebhookOptions): string => {
  const [isTopic, partition, region] = topic.exec(topicArn) ?? [];
  if (isTopic === undefined) throw new MarqueeError(`topicArn is not the ARN of a topic: ${topicArn}`);
  if (form !== 'raw' && form !== 'enveloped') {
    throw new MarqueeError(
      `form must be 'raw' or 'enveloped', as the operator subscribed your endpoint; it is ${form}`,
    );
  }
  if (maxAgeSeconds !== undefined) {
    if (!(maxAgeSeconds > 0))
      throw new MarqueeError(`maxAgeSeconds must be greater than 0; it is ${maxAgeSeconds}`);
    if (form === 'raw')
      throw new MarqueeError("maxAgeSeconds needs form 'enveloped', because raw messages are not signed");
  }
  return snsHost ?? `sns.${region}.amazonaws.com${partition === 'aws-cn' ? '.cn' : ''}`;
};

/**
 * The address that confirms a subscription. It must be on the expected host and belong to the expected topic. Anyone
 * can POST to a public endpoint, and could otherwise make the endpoint fetch any address.
 */
const subscribeUrlOf = (message: SnsMessage, { topicArn, host }: { topicArn: string; host: string }): URL => {
  const text = textIn(message, 'SubscribeURL');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isExpected =
    url?.host === host &&
    url.protocol === 'https:' &&
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
  if (!response.ok) throw new MarqueeError(`SNS answered the confirmation with ${response.status}`);
};

const checkAge = (message: SnsMessage, maxAgeSeconds: number): void => {
  const signedAt = Date.parse(textIn(message, 'Timestamp'));
  if (Date.now() - signedAt <= maxAgeSeconds * 1_000) return;
  throw new UntrustedMessageError(
    `Signed more than ${maxAgeSeconds} s ago: ${quoted(String(message.Timestamp))}`,
  );
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
      throw new UntrustedMessageError(`A message of type ${quoted(type)}`);
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
      checkRead(request);
      // Headers are not signed, so for an enveloped message only the signed fields of the body are trusted.
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
