/** The entitlement service's answer about a user, or that there was no usable answer in time. */
export type EntitlementAnswer =
  | {
      readonly outcome: 'success';
      readonly vip: boolean;
      /** Epoch milliseconds from which it is no longer valid. @default as long as the signature */
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
  /** Never rejects because of the service: an outage is an answer, because callers decide by it. */
  check(question: EntitlementQuestion): Promise<EntitlementAnswer>;
}
