/** What the entitlement service says of a user, or that it did not say anything usable in time. */
export type EntitlementAnswer =
  | {
      readonly outcome: 'success';
      readonly vip: boolean;
      /** Epoch milliseconds from which it no longer holds. @default as long as what is handed out for it */
      readonly endsAt?: number;
    }
  | { readonly outcome: 'denied'; readonly reason: 'no_purchase' | 'denied'; readonly vip: boolean }
  | { readonly outcome: 'unavailable' };

export interface EntitlementQuestion {
  readonly userSub: string;
  readonly clientId: string;
  /** The event whose stream is asked for. */
  readonly eventId?: string | undefined;
}

export interface EntitlementService {
  /** Never rejects for what the service does: an outage is an answer, since callers must decide by it. */
  check(question: EntitlementQuestion): Promise<EntitlementAnswer>;
}
