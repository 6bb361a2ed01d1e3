export type EntitlementAnswer =
  | {
      readonly outcome: 'success';
      readonly vip: boolean;
      /** When the grant expires, in epoch milliseconds. @default when the signature expires */
      readonly endsAt?: number;
      /** The id of the application that sold the access. @default the service does not say */
      readonly seller?: string | undefined;
    }
  | { readonly outcome: 'denied'; readonly reason: 'no_purchase' | 'denied'; readonly vip: boolean }
  | { readonly outcome: 'unavailable' };

export interface EntitlementQuestion {
  readonly userSub: string;
  readonly clientId: string;
  readonly eventId?: string | undefined;
}

export interface EntitlementService {
  /** Does not reject during an outage of the service, but resolves to `unavailable`. */
  check(question: EntitlementQuestion): Promise<EntitlementAnswer>;
}
