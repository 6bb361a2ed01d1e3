import { StandardRetryStrategy } from '@smithy/core/retry';
import { NodeHttpHandler, type NodeHttpHandlerOptions } from '@smithy/node-http-handler';
import { deadlineSignal } from '../../deadline.ts';

/** Where AWS services are, and who calls them. The SDK finds what is left out in the environment. */
export interface AwsSettings {
  readonly region?: string;
  /** One address for all services. @default each service's own in the Region */
  readonly endpoint?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

export interface AwsClientOptions {
  /** @default the environment's */
  readonly settings?: AwsSettings | undefined;
  readonly maxAttempts: number;
  /** @default 1000 */
  readonly connectionTimeoutMilliseconds?: number;
  /** Until an answer begins. */
  readonly requestTimeoutMilliseconds: number;
  /** The first pause between attempts, which then grows. @default 50, as for most services */
  readonly baseDelayMilliseconds?: number;
  /** Called for each attempt. @default nobody */
  readonly onAttempt?: (() => void) | undefined;
}

/** Aborts each exchange at the deadline of its request; the answer's last byte counts. */
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
 * The SDK's own retry strategy, which here also repeats a single write to an item that is in somebody's transaction.
 * DynamoDB marks that as "OK to retry" (Developer Guide, *Error handling*); the SDK does not. A pause ends with the
 * deadline of the call's request: the client then throws the error of the last attempt.
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
 * The configuration of every AWS SDK client. The client itself keeps a request's deadline: if each call had to pass a
 * signal, some call would leave it out.
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
    // Looked up here, once: the SDK would look with each call, in files too.
    ...(endpoint === undefined ? {} : { endpoint }),
    ignoreConfiguredEndpointUrls: true,
    requestHandler: new RequestHandler(handlerOptions, options.onAttempt),
    ...retriesOf(options),
  };
};

/** The retry settings of a client. */
export const retriesOf = ({
  maxAttempts,
  baseDelayMilliseconds: baseDelay,
}: Pick<AwsClientOptions, 'maxAttempts' | 'baseDelayMilliseconds'>) => ({
  maxAttempts,
  retryStrategy: new RetryStrategy({ maxAttempts, ...(baseDelay === undefined ? {} : { baseDelay }) }),
});
