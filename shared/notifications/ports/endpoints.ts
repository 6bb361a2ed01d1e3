import type { Endpoint } from '../endpoint.ts';

/** Customers' endpoints, as they were subscribed, and how they fare. */
export interface Endpoints {
  /** Those that were removed in the last 30 days, too. */
  ofApplication(applicationId: string): Promise<Endpoint[]>;
  /** Of all applications. */
  list(): Promise<Endpoint[]>;
  save(endpoint: Endpoint): Promise<void>;
  /** Marks it as subscribed no more; 30 days later it is gone. */
  remove(key: { readonly applicationId: string; readonly id: string; readonly at: number }): Promise<void>;
  /** Notes deliveries that ended; they may be told in any order. */
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
