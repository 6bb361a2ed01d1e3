/** What operators are told: each event is a metric with an alarm, and a log line with the fields. */
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

/** What operators see of a signer after each pass. */
export interface SignerMeasures {
  /** Nonces that were reserved and are not mined. */
  readonly InFlight: number;
  /** How long ago the oldest transaction that is not final was first signed. */
  readonly OldestPendingSeconds: number;
  /** In the chain's coin; a wei is 10⁻¹⁸ of it. */
  readonly BalanceCoins: number;
  /** The chain's price for a unit of gas, tip included; `undefined` until an endpoint answers. */
  readonly GasPriceGwei: number | undefined;
  /** Nonces that were first seen as mined in this pass. */
  readonly Mined: number;
  /** Of each transaction that this pass confirmed, from its first signature. */
  readonly SecondsToConfirmation: readonly number[];
}

export interface Events {
  raise(event: NftEvent, fields: Readonly<Record<string, unknown>>): void;
}

export interface Gauges {
  /** `signer` is its number in the stage: each has its own metrics. */
  measure(measured: { readonly signer: number; readonly measures: SignerMeasures }): void;
}
