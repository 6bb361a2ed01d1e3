import { ServiceError } from '../../platform/errors.ts';

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

/** A LIVE event is not deleted, because viewers are watching it. */
export class EventIsLiveError extends ServiceError {
  readonly code = 'EVENT_IS_LIVE';

  constructor({ id }: { readonly id: string }) {
    super({ message: `Event ${id} is LIVE and cannot be deleted: set another status first.` });
  }
}
