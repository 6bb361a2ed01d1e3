/** What stands in for Polygon. */
export interface ChainEngine {
  /** JSON-RPC over HTTP and WebSocket. */
  readonly rpcUrl: string;
  readonly chainId: number;
  /** One JSON-RPC call; throws with the node's message. */
  request(method: string, parameters?: readonly unknown[]): Promise<unknown>;
  /** Makes what was changed without a transaction, such as a balance, survive a kill from here on. */
  save(): Promise<void>;
  /** Saves the state as it is now and ends the node. */
  stop(): Promise<void>;
}
