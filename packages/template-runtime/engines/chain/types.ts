export interface ChainEngine {
  readonly rpcUrl: string;
  readonly chainId: number;
  /** Makes one JSON-RPC call. If the node answers with an error, throws an error with the node's message. */
  request(method: string, parameters?: readonly unknown[]): Promise<unknown>;
  /**
   * Saves the state immediately. A change that was made without a transaction, such as a balance, survives a kill only
   * after this.
   */
  save(): Promise<void>;
  stop(): Promise<void>;
}
