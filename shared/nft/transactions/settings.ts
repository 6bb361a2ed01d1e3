export interface TransactionSettings {
  /** The maximum number of transactions of one signer that are broadcast but not mined yet. */
  readonly inFlightCap: number;
  /** The maximum fee that a transaction may offer, in wei per gas. */
  readonly feeCeiling: bigint;
  /** The highest product of gas limit and fee that the endpoints' nodes accept, in wei. @default no limit */
  readonly endpointFeeCap?: bigint | undefined;
  /** How long the fees that the waiter stored may be used. @default two blocks of Polygon */
  readonly feeLifetimeMilliseconds?: number;
}

export type FeeLimits = Pick<TransactionSettings, 'feeCeiling' | 'endpointFeeCap'>;

export const defaultFeeLifetimeMilliseconds = 4_000;
