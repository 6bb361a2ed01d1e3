import type { Endpoint } from '../endpoint.ts';

export interface Endpoints {
  /** Includes endpoints that were removed in the last 30 days. */
  ofApplication(applicationId: string): Promise<Endpoint[]>;
  list(): Promise<Endpoint[]>;
  save(endpoint: Endpoint): Promise<void>;
  /** Marks an endpoint as unsubscribed. Its record is deleted 30 days later. */
  remove(key: { readonly applicationId: string; readonly id: string; readonly at: number }): Promise<void>;
  /** `noteSuccess` and `noteFailure` note the outcome of a delivery. They may be called in any order. */
  noteSuccess(key: {
    readonly applicationId: string;
    readonly id: string;
    readonly at: number;
  }): Promise<void>;
  /** Returns whether the endpoint began to fail with this delivery. */
  noteFailure(key: {
    readonly applicationId: string;
    readonly id: string;
    readonly at: number;
    readonly reason: string;
  }): Promise<boolean>;
}
