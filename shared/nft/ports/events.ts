/** What operators are told of: each is a metric with an alarm, and a log line with the fields. */
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

export interface Events {
  raise(event: NftEvent, fields: Readonly<Record<string, unknown>>): void;
}
