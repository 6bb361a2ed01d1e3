export interface ChainFaults {
  /** Whether the chain closes each caller's connection without an answer. Blocks are mined nevertheless. */
  readonly isOutOfReach: boolean;
}

export interface ChainEngine {
  readonly rpcUrl: string;
  readonly chainId: number;
  /** Makes one JSON-RPC call. If the node answers with an error, throws an error with the node's message. */
  request(method: string, parameters?: readonly unknown[]): Promise<unknown>;
  /**
   * Saves the state immediately. Call this after a change that is made without a transaction, such as setting a
   * balance: otherwise a kill can lose the change.
   */
  save(): Promise<void>;
  readonly faults: ChainFaults;
  setFaults(changes: Partial<ChainFaults>): void;
  stop(): Promise<void>;
}
