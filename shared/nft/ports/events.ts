/** Events for operators. Each event is a metric with an alarm, and a log line with the fields. */
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
  /** The time since the oldest transaction that is not final was first signed. */
  readonly OldestPendingSeconds: number;
  /** In the chain's coin, which is 10¹⁸ wei. */
  readonly BalanceCoins: number;
  /** The chain's price per gas, tip included. `undefined` until an endpoint answers. */
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
