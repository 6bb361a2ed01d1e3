/** Which addresses are subscribed to the topic. */
export interface SubscriptionStates {
  /** By address; an address that is not subscribed is absent. */
  ofAll(): Promise<ReadonlyMap<string, 'pending' | 'confirmed'>>;
}
