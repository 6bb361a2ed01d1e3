export interface SubscriptionStates {
  /** The states by address. An address that is not subscribed is absent. */
  ofAll(): Promise<ReadonlyMap<string, 'pending' | 'confirmed'>>;
}
