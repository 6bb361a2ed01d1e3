import type { SignerId } from '../transactions/entry.ts';

/**
 * Events for operators. Each event is counted by a metric and logged with its fields. Each has an alarm, except those
 * that need no action.
 */
export const nftEvents = {
  confirmedVanished: 'ConfirmedVanished',
  entrySuperseded: 'EntrySuperseded',
  entryCancelled: 'EntryCancelled',
  entryFailed: 'EntryFailed',
  feeCeilingReached: 'FeeCeilingReached',
  feesRefused: 'FeesRefused',
  finalityStalled: 'FinalityStalled',
  fundsShort: 'FundsShort',
  gapFilled: 'GapFilled',
  keyUsedElsewhere: 'KeyUsedElsewhere',
  transactionRefused: 'TransactionRefused',
} as const;

/** An operator's own cancellation, and a gap that the waiter has filled. */
export const eventsWithoutAlarm = [nftEvents.entryCancelled, nftEvents.gapFilled] as const;

export type NftEvent = (typeof nftEvents)[keyof typeof nftEvents];

/**
 * What the schedule measures of all signers together, each minute, whether or not a waiter runs. Alarms watch these
 * numbers, so that a stage needs no alarms for each signer.
 */
export interface StageMeasures {
  /** The age of the oldest transaction that is not final, in seconds. 0 if every transaction is final. */
  readonly OldestUnfinishedSeconds: number;
  /** The number of unmined transactions of the signer that has the most. */
  readonly LongestQueue: number;
  /** The lowest balance, in the chain's coin. `undefined` if no RPC endpoint answers, or there is no signer yet. */
  readonly LowestBalanceCoins: number | undefined;
  /** 1 if no RPC endpoint answers, otherwise 0. */
  readonly RpcUnavailable: 0 | 1;
  /** How many RPC endpoints do not answer while another one does. */
  readonly RpcEndpointsSilent: number;
}

/** The signer that these metrics describe. `undefined` for metrics that describe no signer. */
export type MeasuredSigners = Readonly<
  Record<'OldestUnfinishedSeconds' | 'LongestQueue' | 'LowestBalanceCoins', SignerId | undefined>
>;

export interface SignerMeasures {
  /** The signer's balance in the chain's coin. One coin is 10¹⁸ wei. */
  readonly BalanceCoins: number;
  /** The chain's price of a unit of gas, including the tip. `undefined` until an endpoint answers. */
  readonly GasPriceGwei: number | undefined;
  readonly Mined: number;
  readonly SecondsToConfirmation: readonly number[];
}

export interface MetricEvents {
  raise(event: NftEvent, fields: Readonly<Record<string, unknown>>): void;
}

export interface Gauges {
  /** `signer` is the signer's number within the stage. Each signer has its own metrics. */
  measure(measured: { readonly signer: number; readonly measures: SignerMeasures }): void;
}

export interface StageGauges {
  measureStage(measured: { readonly measures: StageMeasures; readonly signers: MeasuredSigners }): void;
}
