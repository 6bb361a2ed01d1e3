import { StandardRetryStrategy } from '@smithy/core/retry';
import { NodeHttpHandler, type NodeHttpHandlerOptions } from '@smithy/node-http-handler';
import { deadlineSignal } from '../time/deadline.ts';
import { patient } from '../time/patience.ts';

/** If a setting is missing, the SDK reads it from the environment. */
export interface AwsSettings {
  readonly region?: string;
  /** The endpoint of all services. @default `AWS_ENDPOINT_URL`, or else each service's own endpoint in the Region */
  readonly endpoint?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

export interface AwsClientOptions {
  /** @default the environment's settings */
  readonly settings?: AwsSettings | undefined;
  readonly maxAttempts: number;
  /** @default 1000 */
  readonly connectionTimeoutMilliseconds?: number;
  /** How long the client waits for the beginning of a response. */
  readonly requestTimeoutMilliseconds: number;
  /** The first pause between attempts; later pauses are longer. @default 50, as for most services */
  readonly baseDelayMilliseconds?: number;
  /**
   * `refused`: repeats a call only after an answer that says that the call had no effect. Then the call has its effect
   * at most once. @default unanswered calls and failures of the service are repeated too
   */
  readonly repeats?: 'refused' | undefined;
  /** Called for each attempt. @default none */
  readonly onAttempt?: (() => void) | undefined;
}

/** Aborts a call to AWS at the deadline of the current request, even while the response body is being read. */
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
 * Also retries a single write that conflicts with a transaction. DynamoDB calls this "OK to retry" (Developer Guide,
 * *Error handling*), but the SDK does not retry it. If the request's deadline comes during a pause between tries, the
 * call fails with its last error.
 */
class RetryStrategy extends StandardRetryStrategy {
  readonly #repeats: AwsClientOptions['repeats'];

  constructor({ repeats, ...options }: RetryOptions) {
    super(options);
    this.#repeats = repeats;
  }

  override async refreshRetryTokenForRetry(...[token, info]: RetryArguments) {
    const isConflict = info.error?.name === 'TransactionConflictException';
    const seen = isConflict ? { ...info, errorType: 'THROTTLING' as const } : info;
    if (this.#repeats === 'refused' && seen.errorType !== 'THROTTLING') throw info.error;
    return orEnded(() => super.refreshRetryTokenForRetry(token, seen));
  }
}

type RetryOptions = Exclude<ConstructorParameters<typeof StandardRetryStrategy>[0], number> &
  Pick<AwsClientOptions, 'repeats'>;

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
 * The client applies the request's deadline itself. If callers had to pass an abort signal with each call, some calls
 * would omit it.
 */
export const clientConfig = ({ settings = {}, ...options }: AwsClientOptions) => {
  const { endpoint = process.env.AWS_ENDPOINT_URL } = settings;
  const handlerOptions = {
    connectionTimeout: patient(options.connectionTimeoutMilliseconds ?? 1_000),
    requestTimeout: patient(options.requestTimeoutMilliseconds),
    throwOnRequestTimeout: true,
  };
  return {
    ...settings,
    // The endpoint is resolved here, only once. Otherwise the SDK would resolve it again for each call, and would read
    // configuration files to do so.
    ...(endpoint !== undefined && { endpoint }),
    ignoreConfiguredEndpointUrls: true,
    requestHandler: new RequestHandler(handlerOptions, options.onAttempt),
    ...retriesOf(options),
  };
};

export const retriesOf = ({
  maxAttempts,
  baseDelayMilliseconds: baseDelay,
  repeats,
}: Pick<AwsClientOptions, 'maxAttempts' | 'baseDelayMilliseconds' | 'repeats'>) => ({
  maxAttempts,
  retryStrategy: new RetryStrategy({
    maxAttempts,
    repeats,
    ...(baseDelay !== undefined && { baseDelay }),
  }),
});
