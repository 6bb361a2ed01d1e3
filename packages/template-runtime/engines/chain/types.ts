export interface ChainEngine {
  readonly rpcUrl: string;
  readonly chainId: number;
  /** One JSON-RPC call; throws with the node's message. */
  request(method: string, parameters?: readonly unknown[]): Promise<unknown>;
  /** Persists a change that was made without a transaction, such as a balance, so that it survives a kill. */
  save(): Promise<void>;
  stop(): Promise<void>;
}
