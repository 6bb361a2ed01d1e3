import type { Endpoint } from '../endpoints/endpoint.ts';
import type { SweepState } from '../redeliver/redelivery.ts';

type Key = Pick<Endpoint, 'applicationId' | 'id'>;

/** An endpoint as it was when the work on it began: `dueAt` is the `nextAt` that was read. */
export interface DueEndpoint extends Key {
  readonly dueAt: number;
}

/** The work of one worker on an endpoint. All writes of the worker fail as soon as another one has begun. */
export interface Sweep extends Key {
  readonly sweep: string;
}

/**
 * Endpoints with undelivered notifications. Each write returns `false`, and changes nothing, if the endpoint has changed
 * since the caller read it.
 */
export interface Redeliveries {
  /** The endpoints whose time has come. May lag by some seconds. */
  due(now: number): Promise<readonly Endpoint[]>;
  /** Waits until `nextAt` after a probe that failed, has no outcome, or could not be sent. */
  step(
    due: DueEndpoint,
    next: { readonly attempt: number; readonly nextAt: number; readonly probeId: string | undefined },
  ): Promise<boolean>;
  pause(due: DueEndpoint): Promise<boolean>;
  /**
   * Begins the work on a due endpoint, or continues it if `sweep` has already begun. If the worker does not finish, the
   * endpoint is due again at `until`.
   * @returns the endpoint, or `undefined` if it is another worker's, or no longer due.
   */
  begin(
    sweep: Sweep & { readonly now: number; readonly dueAt: number; readonly until: number },
  ): Promise<Endpoint | undefined>;
  /** Saves how far a worker is. */
  advance(
    sweep: Sweep,
    state: Pick<SweepState, 'next' | 'leftAt' | 'gaveUp'> & { readonly until: number },
  ): Promise<boolean>;
  /** Ends a sweep that has sent a probe. */
  probed(
    sweep: Sweep,
    probe: {
      readonly probeId: string;
      /** Where the next probe continues. */
      readonly next: string | undefined;
      readonly attempt: number;
      readonly nextAt: number;
    },
  ): Promise<boolean>;
  /**
   * Ends a sweep, but not the redelivery. If `isUnlessFailed`, does nothing if a failure was recorded since the sweep
   * began.
   */
  putOff(
    sweep: Sweep,
    until: {
      readonly nextAt: number;
      readonly attempt?: number;
      readonly isUnlessFailed?: boolean;
      /** How many failures there were when the sweep found nothing undelivered. @default something is undelivered */
      readonly acceptedFailures?: number;
    },
  ): Promise<boolean>;
  /**
   * Ends a sweep that has found nothing undelivered, and with it the redelivery. Does nothing if a failure was recorded
   * since the sweep began.
   */
  clear(sweep: Sweep): Promise<boolean>;
  /** Notes that nothing is undelivered: ends a redelivery that `isComplete`, and hides another one. */
  accept(
    key: Key,
    found: { readonly dueAt: number; readonly failures: number; readonly isComplete: boolean },
  ): Promise<boolean>;
}

/** No endpoint is due at this time. A worker that is asked for it only looks whether everything is accepted. */
export const neverDue = 0;

/** Queues an endpoint for a worker. */
export type EnqueueRedelivery = (due: DueEndpoint) => Promise<void>;
