import type { Endpoint, EndpointKey } from '../endpoints/endpoint.ts';

/** When endpoints with undelivered notifications are looked at, and what their ladders wait for. */
export interface Redeliveries {
  /** The endpoints whose time has come. May lag by some seconds. */
  due(now: number): Promise<readonly Endpoint[]>;
  /** Sets the next look of an endpoint that has a redelivery. `rowsChangedAt`: if rows have been made or changed. */
  lookAgain(key: EndpointKey, next: { readonly at: number; readonly rowsChangedAt?: number }): Promise<void>;
  /**
   * Ends a look: sets the next one, and when something is sent. Does nothing, so that the endpoint stays due, if since
   * the endpoint was read a failure was recorded, or the redelivery's `nextAt` was changed.
   * @returns whether the look was ended.
   */
  looked(
    read: Pick<Endpoint, 'applicationId' | 'id' | 'redelivery'>,
    next: {
      /** @default none: the next failure or success brings a look */
      readonly lookAt: number | undefined;
      /** When something is sent. @default none: redelivery is paused */
      readonly nextAt: number | undefined;
    },
  ): Promise<boolean>;
  /**
   * Notes that a probe was sent, which is a step of the ladder (`attempt`). Does nothing if the endpoint's ladder has
   * moved since the endpoint was read.
   */
  probed(
    read: Pick<Endpoint, 'applicationId' | 'id' | 'redelivery'>,
    probe: { readonly probeId: string; readonly nextAt: number },
  ): Promise<void>;
  /** Notes that a probe was refused. Does nothing if the ladder waits for another one, or for none. */
  probeRefused(key: EndpointKey & { readonly probeId: string; readonly nextAt: number }): Promise<void>;
  /**
   * Ends the redelivery of an endpoint that has no row. Does nothing if a failure was recorded since the endpoint was
   * read.
   */
  end(read: Pick<Endpoint, 'applicationId' | 'id' | 'redelivery'>): Promise<void>;
}

/** Queues an endpoint for a worker. */
export type EnqueueRedelivery = (key: EndpointKey) => Promise<void>;
