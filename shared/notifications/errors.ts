import { ServiceError } from '../errors.ts';

/** The application has no endpoint with this id. */
export class EndpointNotFoundError extends ServiceError {
  readonly code = 'ENDPOINT_NOT_FOUND';

  constructor({ endpointId }: { readonly endpointId: string }) {
    super({ message: `No endpoint ${endpointId}` });
  }
}

/** It has unsubscribed, or did not confirm in time: nothing is sent to it. */
export class EndpointEndedError extends ServiceError {
  readonly code = 'ENDPOINT_ENDED';

  constructor({ endpointId }: { readonly endpointId: string }) {
    super({ message: `Endpoint ${endpointId} is not subscribed any more` });
  }
}

/** The application has no replay with this id. */
export class ReplayNotFoundError extends ServiceError {
  readonly code = 'REPLAY_NOT_FOUND';

  constructor({ id }: { readonly id: string }) {
    super({ message: `No replay ${id}` });
  }
}

/** So many of the application's replays are waiting that another would wait too long. */
export class TooManyReplaysError extends ServiceError {
  readonly code = 'TOO_MANY_REPLAYS';

  constructor({ open }: { readonly open: number }) {
    super({ message: `${open} replays have not ended`, headers: { 'retry-after': '60' } });
  }
}

/** The key was used for another replay. */
export class ReplayKeyReusedError extends ServiceError {
  readonly code = 'IDEMPOTENCY_KEY_REUSED';

  constructor() {
    super({ message: 'The key belongs to another replay' });
  }
}

/** The topic did not accept a message. */
export class TopicUnavailableError extends ServiceError {
  readonly code = 'SERVICE_UNAVAILABLE';

  constructor({ reason }: { readonly reason: string }) {
    super({ message: `The topic took nothing: ${reason}` });
  }
}
