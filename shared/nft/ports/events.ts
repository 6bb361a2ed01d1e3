/** Events for operators. Each event is counted by a metric with an alarm, and logged with its fields. */
export const nftEvents = {
  confirmedVanished: 'ConfirmedVanished',
  entrySuperseded: 'EntrySuperseded',
  entryFailed: 'EntryFailed',
  feeCeilingReached: 'FeeCeilingReached',
  feesRefused: 'FeesRefused',
  finalityStalled: 'FinalityStalled',
  fundsShort: 'FundsShort',
  gapFilled: 'GapFilled',
  keyUsedElsewhere: 'KeyUsedElsewhere',
  transactionRefused: 'TransactionRefused',
} as const;

export type NftEvent = (typeof nftEvents)[keyof typeof nftEvents];

export interface SignerMeasures {
  readonly InFlight: number;
  /** The age of the oldest transaction that is not final, in seconds since it was first signed. */
  readonly OldestPendingSeconds: number;
  /** The signer's balance in the chain's coin. One coin is 10¹⁸ wei. */
  readonly BalanceCoins: number;
  /** The chain's price of a unit of gas, including the tip. `undefined` until an endpoint answers. */
  readonly GasPriceGwei: number | undefined;
  readonly Mined: number;
  readonly SecondsToConfirmation: readonly number[];
}

export interface Events {
  raise(event: NftEvent, fields: Readonly<Record<string, unknown>>): void;
}

export interface Gauges {
  /** `signer` is the signer's number within the stage. Each signer has its own metrics. */
  measure(measured: { readonly signer: number; readonly measures: SignerMeasures }): void;
}
