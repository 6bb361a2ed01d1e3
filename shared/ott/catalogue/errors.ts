import { ServiceError, ServiceUnavailableError } from '../../platform/errors.ts';
import { type Overlap, overlapText } from './overlapping-pairs.ts';

/** Whoever edits the catalogue sees every event, so this event is missing and not hidden. */
export class NoSuchEventError extends ServiceError {
  readonly code = 'EVENT_NOT_FOUND';

  constructor({ id }: { readonly id: string }) {
    super({ message: `There is no event ${id}.` });
  }
}

export class EventChangedError extends ServiceError {
  readonly code = 'CONFLICT';

  constructor({ id }: { readonly id: string }) {
    super({ message: `Somebody else changed event ${id} at the same time; try again.` });
  }
}

/** Others have moved paths of the stream's host since this change was judged. The event itself has not changed. */
export class PathsChangedError extends ServiceUnavailableError {
  constructor({ id }: { readonly id: string }) {
    super({ message: `Event ${id} was not changed: streams of its host move too often; try again.` });
  }
}

/** A LIVE event is not deleted, because viewers are watching it. */
export class EventIsLiveError extends ServiceError {
  readonly code = 'EVENT_IS_LIVE';

  constructor({ id }: { readonly id: string }) {
    super({ message: `Event ${id} is LIVE and cannot be deleted: set another status first.` });
  }
}

/** The stream's path belongs to another event, or would open it. */
export class PathOverlapsError extends ServiceError {
  readonly code = 'PATH_OVERLAPS';

  constructor({ id, overlaps }: { readonly id: string; readonly overlaps: readonly Overlap[] }) {
    const others = overlaps.map(({ signed, opened }) => (signed === id ? opened : signed));
    super({
      message: `Event ${id} was not changed: ${overlaps.map(overlapText).join('; ')}.`,
      details: { overlaps_with: [...new Set(others)] },
    });
  }
}

/** `etag` is the present entity tag of the event. `undefined` if there is no event. */
export class EventNotAsExpectedError extends ServiceError {
  readonly code = 'PRECONDITION_FAILED';

  constructor({ id, etag }: { readonly id: string; readonly etag: string | undefined }) {
    super({
      message: `Event ${id} does not meet the precondition of the request`,
      headers: etag === undefined ? {} : { etag },
    });
  }
}

export class PreconditionRequiredError extends ServiceError {
  readonly code = 'PRECONDITION_REQUIRED';
}
