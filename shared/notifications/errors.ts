import { ServiceError, ServiceUnavailableError } from '../platform/errors.ts';

export class EndpointNotFoundError extends ServiceError {
  readonly code = 'ENDPOINT_NOT_FOUND';

  constructor() {
    super({ message: 'The application has no endpoint with this id' });
  }
}

/** The endpoint has unsubscribed or did not confirm in time, so nothing is sent to it. */
export class EndpointEndedError extends ServiceError {
  readonly code = 'ENDPOINT_ENDED';

  constructor({ endpointId }: { readonly endpointId: string }) {
    super({ message: `Endpoint ${endpointId} is not subscribed any more` });
  }
}

export class ReplayNotFoundError extends ServiceError {
  readonly code = 'REPLAY_NOT_FOUND';

  constructor() {
    super({ message: 'The application has no replay with this id' });
  }
}

/** The application has so many open replays that another one would wait too long. */
export class TooManyReplaysError extends ServiceError {
  readonly code = 'TOO_MANY_REPLAYS';

  constructor({ open }: { readonly open: number }) {
    super({
      message: `${open} replays of the application are running or waiting`,
      headers: { 'retry-after': '60' },
    });
  }
}

export class ReplayKeyReusedError extends ServiceError {
  readonly code = 'IDEMPOTENCY_KEY_REUSED';

  constructor() {
    super({ message: 'The idempotency key was already used for another replay' });
  }
}

export class TooManyTestsError extends ServiceError {
  readonly code = 'TOO_MANY_TESTS';

  constructor({ retryAfterSeconds }: { readonly retryAfterSeconds: number }) {
    super({
      message: 'The application already sent the maximum number of test notifications in this minute',
      headers: { 'retry-after': String(retryAfterSeconds) },
    });
  }
}

export class TopicUnavailableError extends ServiceUnavailableError {
  constructor({ reason }: { readonly reason: string }) {
    super({ message: `The topic did not accept the message: ${reason}` });
  }
}
