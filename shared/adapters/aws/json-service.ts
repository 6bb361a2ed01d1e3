import {
  isClockSkewError,
  isThrottlingError,
  isTransientError,
  StandardRetryStrategy,
} from '@smithy/core/retry';
import { HttpRequest } from '@smithy/core/transport';
import { SignatureV4 } from '@smithy/signature-v4';
import { deadlineSignal } from '../../deadline.ts';
import { type HttpAnswer, httpPoster } from '../http-poster.ts';
import { AwsServiceError } from './service-error.ts';
import type { AwsSettings } from './settings.ts';
import { Sha256 } from './sha256.ts';

type SdkError = Parameters<typeof isTransientError>[0];

export interface JsonServiceOptions {
  readonly settings: AwsSettings;
  /** As signatures and host names have it, e.g. `dynamodb`. */
  readonly service: string;
  /** What `X-Amz-Target` begins with, e.g. `DynamoDB_20120810`. */
  readonly target: string;
  readonly version: '1.0' | '1.1';
  readonly maxAttempts: number;
  /** @default 1000 */
  readonly connectionTimeoutMilliseconds?: number;
  /** Until an answer begins. */
  readonly requestTimeoutMilliseconds: number;
  /** Milliseconds that the pauses between attempts grow from. @default 50, as for most services */
  readonly baseDelay?: number;
  /** Codes to be repeated besides those that the SDK repeats. */
  readonly repeated?: readonly string[];
  /** Told of each attempt. @default nobody is */
  readonly onAttempt?: (() => void) | undefined;
}

export interface CallOptions {
  /** Ends the call, its repetitions and their pauses too. @default when the request ends that it is made for */
  readonly abortSignal?: AbortSignal;
  /** @default true: as often as the service may be */
  readonly isRepeated?: boolean;
}

/**
 * Calls an operation, e.g. `GetItem`; answers the JSON of its answer.
 *
 * @throws AwsServiceError, or, with `$metadata` as from the AWS SDK, what kept an answer away.
 */
export type JsonService = <Output>(
  operation: string,
  input: object,
  options?: CallOptions | undefined,
) => Promise<Output>;

/**
 * A service that speaks an AWS JSON protocol, by the AWS SDK's own signature, HTTP, classes of errors and repetition,
 * without its clients: their middleware and schemas take three quarters of what a call costs a function, and more of
 * what it loads at a cold start.
 */
export const jsonService = (options: JsonServiceOptions): JsonService => {
  const { settings, service, target, version, maxAttempts, repeated = [], onAttempt } = options;
  const signer = new SignatureV4({
    service,
    region: settings.region,
    credentials: settings.credentials,
    sha256: Sha256,
    applyChecksum: false,
  });
  const post = httpPoster({
    connectionTimeout: options.connectionTimeoutMilliseconds ?? 1_000,
    requestTimeout: options.requestTimeoutMilliseconds,
    throwOnRequestTimeout: true,
  });
  const strategy = new StandardRetryStrategy({
    maxAttempts,
    ...(options.baseDelay === undefined ? {} : { baseDelay: options.baseDelay }),
  });
  const contentType = `application/x-amz-json-${version}`;
  let place: Promise<URL> | undefined;
  /** What the service's clock is ahead of ours, once a signature was refused for that. */
  let clockAheadMilliseconds = 0;

  /** Whether it was another clock that had a signature refused. */
  const correctClock = (error: AwsServiceError, date: string | undefined): boolean => {
    const ahead = Date.parse(date ?? '') - Date.now();
    const isAmiss = Math.abs(ahead - clockAheadMilliseconds) >= signatureLifetimeMilliseconds;
    if (!isClockSkewError(error as SdkError) || !isAmiss) return false;
    clockAheadMilliseconds = ahead;
    return true;
  };

  const attempt = async (
    operation: string,
    body: string,
    abortSignal: AbortSignal | undefined,
  ): Promise<unknown> => {
    onAttempt?.();
    place ??= endpointOf(settings, service);
    const url = await place;
    const request = new HttpRequest({
      method: 'POST',
      path: '/',
      headers: { host: url.host, 'content-type': contentType, 'x-amz-target': `${target}.${operation}` },
      body,
    });
    const signingDate = new Date(Date.now() + clockAheadMilliseconds);
    const { headers } = await signer.sign(request, { signingDate });
    const answer = await post({ url, headers, body, abortSignal });
    if (answer.status === 200) return answer.text === '' ? {} : JSON.parse(answer.text);
    const refusal = refusalOf(answer);
    if (correctClock(refusal, answer.headers.date)) {
      Object.assign(refusal.$metadata, { clockSkewCorrected: true });
    }
    throw refusal;
  };

  return async <Output>(
    operation: string,
    input: object,
    { abortSignal: signal = deadlineSignal(), isRepeated = true }: CallOptions = {},
  ) => {
    const body = JSON.stringify(input);
    let token = await strategy.acquireInitialRetryToken('');
    for (let attempts = 1; ; attempts += 1) {
      try {
        const output = await attempt(operation, body, signal);
        strategy.recordSuccess(token);
        return output as Output;
      } catch (error) {
        const refused = withMetadata(error, attempts);
        if (!isRepeated || signal?.aborted) throw refused;
        try {
          const next = strategy.refreshRetryTokenForRetry(token, { errorType: errorType(refused, repeated) });
          token = await orAborted(next, signal);
        } catch (ended) {
          throw signal?.aborted ? ended : refused;
        }
      }
    }
  };
};

const signatureLifetimeMilliseconds = 5 * 60 * 1_000;

/** Where a service is, in any region outside of China. */
export const endpointOf = async (
  { endpoint, region }: Pick<AwsSettings, 'endpoint' | 'region'>,
  service: string,
): Promise<URL> => {
  if (endpoint !== undefined) return new URL(endpoint);
  return new URL(`https://${service}.${typeof region === 'string' ? region : await region()}.amazonaws.com`);
};

/** As the SDK tells them apart. */
const errorType = (error: SdkError, repeated: readonly string[]) => {
  if (isThrottlingError(error) || repeated.includes(error.name)) return 'THROTTLING';
  return isTransientError(error) ? 'TRANSIENT' : 'CLIENT_ERROR';
};

const withMetadata = (caught: unknown, attempts: number): SdkError => {
  const error = caught instanceof Error ? caught : new Error(String(caught));
  const known = '$metadata' in error && typeof error.$metadata === 'object' ? error.$metadata : {};
  return Object.assign(error, { $metadata: { ...known, attempts } }) as SdkError;
};

/** Does not wait beyond the request's end. */
const orAborted = async <Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> => {
  if (signal === undefined) return work;
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
};

const refusalOf = ({ status, headers, text }: HttpAnswer): AwsServiceError => {
  const { __type, message, Message, ...fields } = fieldsOf(text);
  const type = String(__type ?? headers['x-amzn-errortype'] ?? 'UnknownError');
  return new AwsServiceError({
    // `com.amazonaws.dynamodb.v20120810#ThrottlingException`, or `ThrottlingException:http://…`.
    code: type.slice(type.indexOf('#') + 1).split(':')[0] ?? type,
    message: String(message ?? Message ?? `HTTP ${status}`),
    status,
    requestId: headers['x-amzn-requestid'],
    fields,
  });
};

/** Nothing where the answer is of something before the service, which speaks no JSON. */
const fieldsOf = (text: string): Record<string, unknown> => {
  try {
    const fields: unknown = JSON.parse(text);
    return typeof fields === 'object' && fields !== null ? { ...fields } : {};
  } catch {
    return {};
  }
};
