export type EntitlementAnswer =
  | {
      readonly outcome: 'success';
      readonly vip: boolean;
      /** When the grant ends, in epoch milliseconds. @default as long as the signature */
      readonly endsAt?: number;
    }
  | { readonly outcome: 'denied'; readonly reason: 'no_purchase' | 'denied'; readonly vip: boolean }
  | { readonly outcome: 'unavailable' };

export interface EntitlementQuestion {
  readonly userSub: string;
  readonly clientId: string;
  readonly eventId?: string | undefined;
}

export interface EntitlementService {
  /** Never rejects because of the service: an outage is the answer `unavailable`. */
  check(question: EntitlementQuestion): Promise<EntitlementAnswer>;
}
