import { ServiceError } from '../errors.ts';

/** The application has no endpoint of this id. */
export class EndpointNotFoundError extends ServiceError {
  readonly code = 'ENDPOINT_NOT_FOUND';

  constructor({ endpointId }: { readonly endpointId: string }) {
    super({ message: `No endpoint ${endpointId}` });
  }
}

/** The topic did not take a message. */
export class TopicUnavailableError extends ServiceError {
  readonly code = 'SERVICE_UNAVAILABLE';

  constructor({ reason }: { readonly reason: string }) {
    super({ message: `The topic took nothing: ${reason}` });
  }
}
