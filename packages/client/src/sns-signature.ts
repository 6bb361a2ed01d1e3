import { type KeyObject, verify, X509Certificate } from 'node:crypto';
import { NoAnswerError, UntrustedMessageError } from './errors.ts';

/** Fields in the order in which SNS signs them ("Verifying the signatures of Amazon SNS messages"). */
const signedFields = {
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
  UnsubscribeConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
} as const;

export type SignedType = keyof typeof signedFields;

/** A message from SNS whose fields are not checked yet. */
export type SnsMessage = Readonly<Record<string, unknown>>;

/** Text of a stranger for an error, which is logged: short, and without characters that could forge a line of the log. */
export const quoted = (text: string): string =>
  JSON.stringify(text.slice(0, 50)).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

export const textIn = (message: SnsMessage, name: string): string => {
  const value = message[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new UntrustedMessageError(`A message without ${name}`);
};

/**
 * Only `Message` may contain a line break. With one in another field, a stranger could move parts of the message to that
 * field, and the signed text would stay the same.
 */
const signedTextIn = (message: SnsMessage, name: string): string => {
  const text = textIn(message, name);
  if (name === 'Message' || !/[\r\n]/.test(text)) return text;
  throw new UntrustedMessageError(`${name} has a line break`);
};

const stringToSign = (message: SnsMessage, type: SignedType): string =>
  signedFields[type]
    // Only `Subject` may be missing. In a Lambda event it may also be null.
    .filter((name) => name !== 'Subject' || (message.Subject !== undefined && message.Subject !== null))
    .map((name) => `${name}\n${signedTextIn(message, name)}\n`)
    .join('');

/**
 * Returns the address of SNS's certificate as it was parsed, not the text, because a second parser could see another
 * host in the text. An address with another port, or with a user, query or fragment, is refused: these parts are in
 * `href`, which then does not have the expected form.
 *
 * @throws UntrustedMessageError
 */
export const certificateUrlOf = (text: string, host: string): string => {
  const prefix = `https://${host}/SimpleNotificationService-`;
  const href = URL.canParse(text) ? new URL(text).href : '';
  if (href.startsWith(prefix) && /^[0-9a-f]{32}\.pem$/.test(href.slice(prefix.length))) return href;
  throw new UntrustedMessageError(`SigningCertURL is not the address of a certificate on ${host}`);
};

const certificateTimeoutMilliseconds = 5_000;

const fetchCertificate = async (url: string): Promise<X509Certificate> => {
  let status: number;
  let pem: string;
  try {
    const response = await fetch(url, {
      redirect: 'error',
      signal: AbortSignal.timeout(certificateTimeoutMilliseconds),
    });
    status = response.status;
    pem = await response.text();
  } catch (cause) {
    throw new NoAnswerError(`The certificate ${url} could not be fetched`, { cause });
  }
  if (status >= 400 && status < 500 && status !== 429) {
    throw new UntrustedMessageError(`There is no certificate ${url}`);
  }
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw new NoAnswerError(`Instead of the certificate ${url} came something else (${status})`, { cause });
  }
};

/** The certificates that were fetched. SNS uses one certificate at a time in each Region. */
const certificates = new Map<string, X509Certificate>();

/** The maximum number of certificates that are fetched, or wait to be fetched. */
const mostWaiting = 16;
const waiting = new Map<string, Promise<X509Certificate>>();

/** The pause after a fetch without a certificate. It limits how often strangers can make this process call SNS. */
const pauseMilliseconds = 250;
let lastTurn: Promise<unknown> = Promise.resolve();

const fetchAfter = async (turn: Promise<unknown>, url: string): Promise<X509Certificate> => {
  await turn;
  try {
    const certificate = await fetchCertificate(url);
    certificates.set(url, certificate);
    return certificate;
  } finally {
    waiting.delete(url);
  }
};

/** Certificates are fetched one at a time. After a failure, the next message fetches the certificate again. */
const certificateAt = async (url: string): Promise<X509Certificate> => {
  const known = certificates.get(url) ?? waiting.get(url);
  if (known !== undefined) return known;
  if (waiting.size >= mostWaiting)
    throw new NoAnswerError(`Too many certificates are asked for beside ${url}`);
  const fetched = fetchAfter(lastTurn, url);
  waiting.set(url, fetched);
  lastTurn = fetched.catch(() => new Promise((resolve) => setTimeout(resolve, pauseMilliseconds)));
  return fetched;
};

const keyOf = ({ validFrom, validTo, publicKey }: X509Certificate): KeyObject => {
  const now = Date.now();
  if (Date.parse(validFrom) <= now && now <= Date.parse(validTo)) return publicKey;
  throw new UntrustedMessageError('The certificate is not valid at this time');
};

/**
 * Verifies a message's signature. Accepts only signature version 2 (RSA with SHA256), which is the only version that
 * the service's topic uses.
 *
 * @throws UntrustedMessageError when SNS has not signed the message; NoAnswerError when the certificate could not be
 * fetched.
 */
export const verifySignature = async (
  message: SnsMessage,
  { type, host }: { readonly type: SignedType; readonly host: string },
): Promise<void> => {
  const version = textIn(message, 'SignatureVersion');
  if (version !== '2') throw new UntrustedMessageError(`SignatureVersion is ${quoted(version)} instead of 2`);
  const signed = Buffer.from(stringToSign(message, type));
  const signature = Buffer.from(textIn(message, 'Signature'), 'base64');
  const certificate = await certificateAt(certificateUrlOf(textIn(message, 'SigningCertURL'), host));
  if (!verify('sha256', signed, keyOf(certificate), signature)) {
    throw new UntrustedMessageError('The signature is not that of SNS');
  }
};
