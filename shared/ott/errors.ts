import { ServiceError, ServiceUnavailableError } from '../platform/errors.ts';
import type { Slot } from './sessions/viewer-sessions.ts';

/** Used for missing and for hidden events alike, so that callers cannot distinguish them. */
export class EventNotFoundError extends ServiceError {
  readonly code = 'EVENT_NOT_FOUND';

  constructor() {
    super({ message: 'There is no event with this id for this viewer' });
  }
}

export class StreamNotAvailableError extends ServiceError {
  readonly code = 'STREAM_NOT_AVAILABLE';

  constructor({
    message,
    availableFrom,
  }: { readonly message: string; readonly availableFrom?: string | undefined }) {
    super({ message, ...(availableFrom !== undefined && { details: { available_from: availableFrom } }) });
  }
}

export class LoginRequiredError extends ServiceError {
  readonly code = 'LOGIN_REQUIRED';

  constructor() {
    super({ message: 'A viewer who is not logged in requested a paid stream' });
  }
}

export class PurchaseRequiredError extends ServiceError {
  readonly code = 'PURCHASE_REQUIRED';

  constructor() {
    super({ message: 'A viewer requested a paid stream without a purchase' });
  }
}

export class EntitlementDeniedError extends ServiceError {
  readonly code = 'ENTITLEMENT_DENIED';

  constructor() {
    super({ message: 'The entitlement service denied access to a stream' });
  }
}

/**
 * Without an answer from the entitlement service, a viewer cannot play a paid stream. The viewer is not told to buy it
 * either, because the viewer may already have done so.
 */
export class EntitlementUnavailableError extends ServiceError {
  readonly code = 'ENTITLEMENT_UNAVAILABLE';

  constructor() {
    super({
      message: 'The entitlement service gave no usable answer in time',
      headers: { 'retry-after': '2' },
    });
  }
}

/**
 * The geolocation service gives no answer, and only the country of the request decides whether the event is hidden.
 * A viewer who bought the event is not told that it does not exist.
 */
export class CountryUnavailableError extends ServiceUnavailableError {
  constructor() {
    super({ message: 'The geolocation service gave no usable answer in time', retryAfterSeconds: 2 });
  }
}

/** The contract already has as many void tokens as a stream call can check. */
export class VoidLimitReachedError extends ServiceError {
  readonly code = 'VOID_LIMIT_REACHED';

  constructor({ limit }: { readonly limit: number }) {
    super({ message: `The contract already has ${limit} void tokens` });
  }
}

/** Others changed void tokens of the same contract at every try. Nothing was changed. */
export class VoidsBusyError extends ServiceUnavailableError {
  constructor() {
    super({ message: 'Other tokens of the contract became void or valid at every try' });
  }
}

export class OriginNotVerifiedError extends ServiceError {
  readonly code = 'FORBIDDEN';

  constructor() {
    super({ message: 'The request has no valid header x-origin-verify' });
  }
}

export class SessionRequiredError extends ServiceError {
  readonly code = 'SESSION_REQUIRED';

  constructor() {
    super({ message: 'An application limits the stream, but the request names no session' });
  }
}

/** The response lists the viewer's sessions, so that the viewer can choose one to take over. */
export class TooManyStreamsError extends ServiceError {
  readonly code = 'TOO_MANY_STREAMS';

  constructor({ slots }: { readonly slots: readonly Slot[] }) {
    super({
      message: `The viewer already plays ${slots.length} ${slots.length === 1 ? 'stream' : 'streams'}`,
      details: {
        sessions: slots.map(({ sessionId, eventId, beganAt, endsAt }) => ({
          session: sessionId,
          event_id: eventId,
          began_at: new Date(beganAt).toISOString(),
          ends_at: new Date(endsAt).toISOString(),
        })),
      },
    });
  }
}

export class SessionEndedError extends ServiceError {
  readonly code = 'SESSION_ENDED';
}

/** Too many sessions were ended or taken over before the end of their leases, moved to other events, or begun again. */
export class TooManySessionChangesError extends ServiceError {
  readonly code = 'TOO_MANY_SESSION_CHANGES';

  constructor({ retryAt, now }: { readonly retryAt: number; readonly now: number }) {
    super({
      message: 'Too many sessions of the viewer were ended early, moved or begun again',
      headers: { 'retry-after': String(Math.max(1, Math.ceil((retryAt - now) / 1_000))) },
    });
  }
}
