import { StandardRetryStrategy } from '@smithy/core/retry';
import { NodeHttpHandler, type NodeHttpHandlerOptions } from '@smithy/node-http-handler';
import { deadlineSignal } from '../../deadline.ts';

/** Where services of AWS are, and who calls them. What is left out the SDK finds in the environment. */
export interface AwsSettings {
  readonly region?: string;
  /** Of all services. @default each one's own in the region */
  readonly endpoint?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

export interface AwsClientOptions {
  /** @default what the environment holds */
  readonly settings?: AwsSettings | undefined;
  readonly maxAttempts: number;
  /** @default 1000 */
  readonly connectionTimeoutMilliseconds?: number;
  /** Until an answer begins. */
  readonly requestTimeoutMilliseconds: number;
  /** What the pauses between attempts grow from. @default 50, as for most services */
  readonly baseDelayMilliseconds?: number;
  /** Told of each attempt. @default nobody is */
  readonly onAttempt?: (() => void) | undefined;
}

/** Ends each exchange with the request that it is made for, the answer's last byte included. */
class RequestHandler extends NodeHttpHandler {
  readonly #onAttempt: (() => void) | undefined;

  constructor(options: NodeHttpHandlerOptions, onAttempt: (() => void) | undefined) {
    super(options);
    this.#onAttempt = onAttempt;
  }

  override handle(...[request, options]: Parameters<NodeHttpHandler['handle']>) {
    this.#onAttempt?.();
    const abortSignal = deadlineSignal();
    return super.handle(request, abortSignal === undefined ? options : { ...options, abortSignal });
  }
}

/**
 * The SDK's own, which also repeats a single write to an item that is in somebody's transaction. "OK to retry" is what
 * DynamoDB says of it (Developer Guide, *Error handling*), but the SDK does not. A pause ends with the request that the
 * call is made for: the client then throws what the attempt before it met.
 */
class RetryStrategy extends StandardRetryStrategy {
  override refreshRetryTokenForRetry(...[token, info]: RetryArguments) {
    const isConflict = info.error?.name === 'TransactionConflictException';
    const seen = isConflict ? { ...info, errorType: 'THROTTLING' as const } : info;
    return orEnded(() => super.refreshRetryTokenForRetry(token, seen));
  }
}

type RetryArguments = Parameters<StandardRetryStrategy['refreshRetryTokenForRetry']>;

const orEnded = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  const signal = deadlineSignal();
  if (signal === undefined) return work();
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const end = (): void => reject(signal.reason);
  signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([work(), promise]);
  } finally {
    signal.removeEventListener('abort', end);
  }
};

/**
 * What every client of the AWS SDK is made with. The deadline of a request is kept by the client itself: a signal that
 * each call has to hand over is one that some call leaves out.
 */
export const clientConfig = ({ settings = {}, ...options }: AwsClientOptions) => {
  const { endpoint = process.env.AWS_ENDPOINT_URL } = settings;
  const handlerOptions = {
    connectionTimeout: options.connectionTimeoutMilliseconds ?? 1_000,
    requestTimeout: options.requestTimeoutMilliseconds,
    throwOnRequestTimeout: true,
  };
  return {
    ...settings,
    // Looked for here, once: the SDK would with each call, in files too.
    ...(endpoint === undefined ? {} : { endpoint }),
    ignoreConfiguredEndpointUrls: true,
    requestHandler: new RequestHandler(handlerOptions, options.onAttempt),
    ...retriesOf(options),
  };
};

/** What the settings of a client say of repetitions. */
export const retriesOf = ({
  maxAttempts,
  baseDelayMilliseconds: baseDelay,
}: Pick<AwsClientOptions, 'maxAttempts' | 'baseDelayMilliseconds'>) => ({
  maxAttempts,
  retryStrategy: new RetryStrategy({ maxAttempts, ...(baseDelay === undefined ? {} : { baseDelay }) }),
});
