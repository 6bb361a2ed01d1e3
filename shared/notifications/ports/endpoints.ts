import type { Endpoint } from '../endpoint.ts';

/** Customers' endpoints, as they were subscribed, and the state of their deliveries. */
export interface Endpoints {
  /** Including those removed in the last 30 days. */
  ofApplication(applicationId: string): Promise<Endpoint[]>;
  /** For all applications. */
  list(): Promise<Endpoint[]>;
  save(endpoint: Endpoint): Promise<void>;
  /** Marks it as unsubscribed; it is deleted 30 days later. */
  remove(key: { readonly applicationId: string; readonly id: string; readonly at: number }): Promise<void>;
  /** Notes ended deliveries, in any order. */
  noteSuccess(key: {
    readonly applicationId: string;
    readonly id: string;
    readonly at: number;
  }): Promise<void>;
  noteFailure(key: {
    readonly applicationId: string;
    readonly id: string;
    readonly at: number;
    readonly reason: string;
  }): Promise<void>;
}
