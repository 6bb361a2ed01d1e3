import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Redelivery } from '../redeliver/redelivery.ts';

type Key = Pick<Endpoint, 'applicationId' | 'id'>;

/** The effects of a delivery's outcome may be written in any order, and more than once. */
export interface Endpoints {
  find(key: Key): Promise<Endpoint | undefined>;
  /** Includes endpoints that were removed in the last 30 days. */
  ofApplication(applicationId: string): Promise<Endpoint[]>;
  list(): Promise<Endpoint[]>;
  /** Stores a new subscription of the endpoint. Only a redelivery outlives the former subscription. */
  save(endpoint: Endpoint): Promise<void>;
  /** Marks an endpoint as unsubscribed. Its record is deleted 30 days later. */
  remove(key: Key & { readonly at: number }): Promise<void>;
  /** Notes that the endpoint has accepted a message. Returns the endpoint as it is then. */
  noteSuccess(key: Key & { readonly at: number }): Promise<Endpoint | undefined>;
  /** Notes why a delivery failed. */
  noteFailure(key: Key & { readonly at: number; readonly reason: string }): Promise<void>;
  /**
   * Counts failed deliveries, so that the endpoint's redelivery begins, or does not end. Returns the endpoint as it was
   * before, or `undefined` if it is not subscribed.
   */
  countFailure(
    key: Key & {
      /** When the oldest of the messages was published. */
      readonly since: number;
      readonly notedAt: number;
      /** When the endpoint is examined, if its redelivery begins. */
      readonly lookAt: number;
    },
  ): Promise<Endpoint | undefined>;
  /**
   * Notes that an endpoint accepts nothing since `at`, unless it has failed before or has accepted something since. The
   * endpoint is examined at `lookAt` at the latest. Returns whether this was noted; also returns `false` if the
   * endpoint's redelivery is not `redelivery` any more.
   */
  beginOutage(
    key: Key & {
      readonly at: number;
      readonly lookAt: number;
      readonly redelivery: Redelivery | undefined;
    },
  ): Promise<boolean>;
  /**
   * Notes that an endpoint accepts messages again, and brings its redelivery forward to `lookAt`. Returns whether this
   * was noted: `false` if the endpoint's redelivery is not `redelivery` any more.
   */
  endOutage(
    key: Key & {
      readonly at: number;
      readonly lookAt: number;
      readonly redelivery: Redelivery | undefined;
    },
  ): Promise<boolean>;
  /**
   * Brings the redelivery of an endpoint that does not fail forward to `lookAt`, even if it is paused. Returns whether
   * this was noted: `false` if the endpoint fails, or its redelivery is not `redelivery` any more.
   */
  bringForward(key: Key & { readonly lookAt: number; readonly redelivery: Redelivery }): Promise<boolean>;
  /** Brings the redelivery forward because its probe was accepted. */
  acceptProbe(key: Key & { readonly probeId: string; readonly lookAt: number }): Promise<boolean>;
}
