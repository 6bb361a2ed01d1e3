import { formatGwei } from 'viem/utils';
import { checksummed, type Hash } from '../../../shared/chain/hex.ts';
import type { Chain } from '../../../shared/nft/ports/chain.ts';
import type { TransactionLog } from '../../../shared/nft/ports/transaction-log.ts';
import {
  addressOfSigner,
  hashesOf,
  type LoggedEntry,
  lastAttempt,
} from '../../../shared/nft/transactions/entry.ts';
import { transactionPage } from '../../nft/chain/explorer.ts';
import { purposeFields, purposeText } from '../../nft/transactions/open-entries.ts';
import { fourDigits } from '../../platform/terminal/output.ts';
import { inTime, type Moment, moment, type TimedMoment, type Timeline, unknown } from './timeline.ts';

export interface EntryTimelineDependencies {
  readonly chain: Pick<Chain, 'receipts'>;
  readonly transactionLog: Pick<TransactionLog, 'find'>;
  /** The address of the chain's block explorer, if the stage's configuration has one. */
  readonly explorer?: string | undefined;
  /** The times of blocks by block number, epoch milliseconds. Blocks whose time is unknown are left out. */
  readonly blockTimes: (numbers: readonly number[]) => Promise<ReadonlyMap<number, number>>;
}

const attemptMoments = ({ purpose, attempts }: LoggedEntry): Moment[] =>
  attempts.map(({ signedAt, maxFeePerGas, cancels, hash }, index) => {
    const attempt = `${hash} for at most ${fourDigits(formatGwei(maxFeePerGas), 'gwei')} per unit of gas`;
    if (index === 0)
      return moment(signedAt, `accepted and recorded: ${purposeText(purpose)}, signed as ${attempt}`);
    return moment(
      signedAt,
      cancels === true ? `withdrawn by an operator through ${attempt}` : `replaced by ${attempt}`,
    );
  });

/** Only an entry that waited as the first unmined transaction of its signer has `triedAt`. */
const triedMoments = ({ triedAt }: LoggedEntry): Moment[] =>
  triedAt === undefined ? [] : [moment(triedAt, 'waiting as the first unmined transaction of its signer')];

const minedHash = (entry: LoggedEntry): Hash => entry.minedHash ?? lastAttempt(entry).hash;

const minedMoments = async (
  { chain, blockTimes }: EntryTimelineDependencies,
  entry: LoggedEntry,
): Promise<TimedMoment[]> => {
  const receipts = await chain.receipts(hashesOf(entry)).catch(() => undefined);
  if (receipts === undefined)
    return [unknown('no RPC endpoint says whether the transaction is on the chain')];
  const receipt = [...receipts.values()].find((each) => each !== null && each !== undefined);
  if (receipt === null || receipt === undefined) {
    switch (entry.status) {
      case 'pending':
      case 'later':
      case 'superseded':
        return [];
      case 'confirmed':
        return [moment(undefined, `mined, ${minedHash(entry)}; the RPC endpoint no longer has its receipt`)];
      default:
        return [
          unknown(
            'the RPC endpoint has no receipt: the transaction is too old, or another one was mined with its nonce',
          ),
        ];
    }
  }
  const at = (await blockTimes([receipt.blockNumber])).get(receipt.blockNumber);
  const result = receipt.status === 'success' ? 'mined' : 'mined and reverted';
  const what = `${result} in block ${receipt.blockNumber}, ${receipt.gasUsed} gas, ${receipt.transactionHash}`;
  if (at === undefined) return [unknown(`${what}; no RPC endpoint tells the block's time`)];
  const signed = entry.attempts.find(({ hash }) => hash === receipt.transactionHash) ?? entry.attempts[0];
  // A block's time is in whole seconds. The block may have been created up to 999 milliseconds later.
  const notBefore = moment(Math.max(at + 999, signed?.signedAt ?? 0), '').at;
  return [{ ...moment(at, what), ...(notBefore !== undefined && { notBefore }) }];
};

const endMoments = ({ status, nonce, decidedAt, failureReason }: LoggedEntry): Moment[] => {
  switch (status) {
    case 'pending':
    case 'later':
      return [moment(undefined, `nonce ${nonce} is not final yet`)];
    case 'superseded':
      return [
        moment(undefined, `nonce ${nonce} was used by another transaction, so this transaction was given up`),
      ];
    default: {
      const what = `${status} at finality${failureReason === undefined ? '' : `: ${failureReason}`}`;
      return decidedAt === undefined
        ? [unknown(`${what}; the time is not recorded`)]
        : [moment(decidedAt, what)];
    }
  }
};

/**
 * The moments of a log entry from its acceptance to finality. The moments of the entries that it supersedes come first.
 * All moments are in causal order but not sorted by time. `isNamed` adds the nonce to each moment, for a timeline with
 * several nonces.
 */
export const entryMoments = async (
  dependencies: EntryTimelineDependencies,
  entry: LoggedEntry,
  { isNamed = false }: { readonly isNamed?: boolean } = {},
): Promise<TimedMoment[]> => {
  const { supersedes, signer, nonce } = entry;
  const before =
    supersedes === undefined
      ? undefined
      : await dependencies.transactionLog.find({ signer, nonce: supersedes });
  const earlier = before === undefined ? [] : await entryMoments(dependencies, before, { isNamed });
  const own = [
    ...attemptMoments(entry),
    ...triedMoments(entry),
    ...(await minedMoments(dependencies, entry)),
    ...endMoments(entry),
  ];
  return [
    ...earlier,
    ...(isNamed ? own.map((each) => ({ ...each, what: `nonce ${nonce}: ${each.what}` })) : own),
  ];
};

export const entryTimeline = async (
  dependencies: EntryTimelineDependencies,
  entry: LoggedEntry,
): Promise<Timeline> => {
  const { kind, application: applicationId, contract, token } = purposeFields(entry);
  const { signer, nonce, status, supersedes } = entry;
  const tokens =
    token === undefined || contract === undefined
      ? []
      : token.split('–').map((each) => `${checksummed(contract)}/${each}`);
  return {
    kind: 'transaction',
    id: `nonce ${nonce} of ${addressOfSigner(signer)}`,
    fields: {
      status,
      does: kind,
      application: applicationId,
      contract: contract && checksummed(contract),
      token,
      takes_over_nonce: supersedes,
      explorer:
        status === 'superseded' ? undefined : transactionPage(dependencies.explorer, minedHash(entry)),
    },
    moments: inTime(await entryMoments(dependencies, entry)),
    related: [...tokens, contract && checksummed(contract), applicationId].filter(
      (each) => each !== undefined,
    ),
    commands: [
      `transactions show ${nonce} --signer ${addressOfSigner(signer)}`,
      ...(status === 'pending'
        ? [`transactions bump ${nonce}`, `transactions cancel ${nonce}`].map(
            (command) => `${command} --signer ${addressOfSigner(signer)}`,
          )
        : []),
    ],
  };
};
