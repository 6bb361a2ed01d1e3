import { StandardRetryStrategy } from '@smithy/core/retry';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { deadlineSignal } from '../../deadline.ts';
import { type AwsSettings, functionSettings } from './settings.ts';

export interface AwsClientOptions {
  /** @default those of a function */
  readonly settings?: AwsSettings | undefined;
  readonly maxAttempts: number;
  /** @default 1000 */
  readonly connectionTimeoutMilliseconds?: number;
  /** Until an answer begins. */
  readonly requestTimeoutMilliseconds: number;
}

/** Ends each exchange with the request that it is made for, the answer's last byte included. */
class RequestHandler extends NodeHttpHandler {
  override handle(...[request, options]: Parameters<NodeHttpHandler['handle']>) {
    const abortSignal = deadlineSignal();
    return super.handle(request, abortSignal === undefined ? options : { ...options, abortSignal });
  }
}

type RetryArguments = Parameters<StandardRetryStrategy['refreshRetryTokenForRetry']>;

/** Ends a pause with the request that the call is made for: the client then throws what the attempt before it met. */
class RetryStrategy extends StandardRetryStrategy {
  override refreshRetryTokenForRetry(...retry: RetryArguments) {
    return orEnded(super.refreshRetryTokenForRetry(...retry));
  }
}

const orEnded = async <Result>(work: Promise<Result>): Promise<Result> => {
  const signal = deadlineSignal();
  if (signal === undefined) return work;
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const end = (): void => reject(signal.reason);
  signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', end);
  }
};

/**
 * What every client of the AWS SDK is made with. The deadline of a request is kept by the client itself: a signal that
 * each call has to hand over is one that some call leaves out.
 */
export const clientConfig = ({
  settings = functionSettings(),
  maxAttempts,
  connectionTimeoutMilliseconds: connectionTimeout = 1_000,
  requestTimeoutMilliseconds: requestTimeout,
}: AwsClientOptions) => {
  const { region, credentials, endpoint } = settings;
  return {
    region,
    credentials,
    ...(endpoint === undefined ? {} : { endpoint }),
    requestHandler: new RequestHandler({ connectionTimeout, requestTimeout, throwOnRequestTimeout: true }),
    retryStrategy: new RetryStrategy({ maxAttempts }),
  };
};
