import type { Endpoint, EndpointKey } from '../endpoints/endpoint.ts';

/** The effects of a delivery's outcome may be written in any order, and more than once. */
export interface Endpoints {
  find(key: EndpointKey): Promise<Endpoint | undefined>;
  /** Includes endpoints that were removed in the last 30 days. */
  ofApplication(applicationId: string): Promise<Endpoint[]>;
  list(): Promise<Endpoint[]>;
  /**
   * Stores a new subscription of the endpoint. Only a redelivery outlives the former subscription, unless that was
   * removed.
   */
  save(endpoint: Endpoint): Promise<void>;
  /** Marks an endpoint as unsubscribed. Its record is deleted 30 days later. */
  remove(key: EndpointKey & { readonly at: number }): Promise<void>;
  /** Notes that the endpoint has accepted messages. Returns the endpoint as it is then. */
  noteSuccess(
    key: EndpointKey & {
      readonly at: number;
      /** When the newest of the messages was published. */
      readonly publishedAt: number;
    },
  ): Promise<Endpoint | undefined>;
  /** Notes why a delivery failed. */
  noteFailure(key: EndpointKey & { readonly at: number; readonly reason: string }): Promise<void>;
  /**
   * Counts failed deliveries, whose rows must be stored before: the endpoint's redelivery begins, or does not end, and
   * the endpoint is looked at soon. Returns the endpoint as it was before, or `undefined` if it is not subscribed.
   */
  countFailure(
    key: EndpointKey & {
      /** When the oldest of the messages was published. */
      readonly since: number;
      readonly notedAt: number;
      /** When something is sent, if the redelivery begins. */
      readonly nextAt: number;
    },
  ): Promise<Endpoint | undefined>;
  /**
   * Notes that an endpoint accepts nothing since `at`, unless it fails already or has accepted something since. Its
   * ladder begins: the first probe is sent at `nextAt`.
   */
  beginOutage(key: EndpointKey & { readonly at: number; readonly nextAt: number }): Promise<void>;
  /**
   * Notes that an endpoint accepts messages again: its ladder ends (`attempt` is 0), and its redelivery is due, even if
   * it is paused. Returns whether this was noted: `false` if the endpoint does not fail, or a later delivery has
   * failed.
   */
  endOutage(key: EndpointKey & { readonly now: number }): Promise<boolean>;
}
