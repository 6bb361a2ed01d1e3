/** Whether addresses are subscribed to the topic. */
export interface SubscriptionStates {
  /** By address; one that is not subscribed is not there. */
  ofAll(): Promise<ReadonlyMap<string, 'pending' | 'confirmed'>>;
}
