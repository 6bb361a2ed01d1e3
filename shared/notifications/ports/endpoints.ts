import type { Endpoint } from '../endpoint.ts';

export interface Endpoints {
  /** Includes endpoints that were removed in the last 30 days. */
  ofApplication(applicationId: string): Promise<Endpoint[]>;
  list(): Promise<Endpoint[]>;
  save(endpoint: Endpoint): Promise<void>;
  /** Marks an endpoint as unsubscribed. It is deleted 30 days later. */
  remove(key: { readonly applicationId: string; readonly id: string; readonly at: number }): Promise<void>;
  /** Notes the end of a delivery. Calls may come in any order. */
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
