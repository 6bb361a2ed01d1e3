import type { BlockId } from '../../chain/receipt.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { Chain, Signer } from '../ports/chain.ts';
import { type MetricEvents, nftEvents } from '../ports/metrics.ts';
import type { Nfts } from '../ports/nfts.ts';
import type { Signers } from '../ports/signers.ts';
import type { TransactionLog } from '../ports/transaction-log.ts';
import { type Burn, liveBurns } from '../tokens/gone.ts';
import {
  callOf,
  currentAttempt,
  decisionTime,
  type Entry,
  firstSignedAt,
  lastAttempt,
  mintedTokens,
} from '../transactions/entry.ts';
import { currentFeeQuote } from '../transactions/fees.ts';
import { fillOwnNonceGap } from '../transactions/gaps.ts';
import { reserveNonce } from '../transactions/nonce.ts';
import { mintsTokens } from '../transactions/purpose.ts';
import type { FeeLimits } from '../transactions/settings.ts';
import { signEntry } from '../transactions/sign.ts';
import { findMaker } from './find-maker.ts';
import type { Pass } from './pass-state.ts';

export interface SupersedeDependencies {
  readonly chain: Pick<
    Chain,
    'fees' | 'transactionCounts' | 'finalizedBlock' | 'minedCountAt' | 'broadcast' | 'findEvent'
  >;
  readonly signer: Signer;
  readonly signers: Pick<Signers, 'create' | 'reserveNonce'>;
  readonly nfts: Pick<Nfts, 'findRange'>;
  readonly transactionLog: Pick<
    TransactionLog,
    'range' | 'record' | 'noteMissing' | 'finalize' | 'drop' | 'supersede' | 'failLostBurn'
  >;
  readonly events: MetricEvents;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly randomId: () => string;
  readonly settings: FeeLimits;
}

/**
 * How many times all endpoints must report that they know no receipt, before an entry's work is done again with a new
 * nonce.
 */
const looksAtLeast = 3;
/** The pause between two checks for an entry's receipt. It gives slow nodes time to get the receipt. */
const lookIntervalMilliseconds = 8_000;

const supersede = async (dependencies: SupersedeDependencies, entry: Entry): Promise<void> => {
  const { events, transactionLog } = dependencies;
  const { signer, nonce, purpose } = entry;
  const attempt = currentAttempt(entry);
  const call = callOf(attempt);
  // Without a key, each try would reserve one more nonce that nobody can fill.
  await dependencies.signer.address();
  const feeQuote = await currentFeeQuote(dependencies, call.gas);
  const { nonce: by } = await reserveNonce(dependencies, signer);
  const gap = { signer, nonce: by, feeQuote };
  try {
    const unsigned = { purpose, ...call, cancels: attempt.cancels };
    const signed = await signEntry(dependencies, { signer, nonce: by, unsigned, feeQuote });
    const successor: Entry = { ...signed, supersedes: nonce, reopened: entry.reopened, told: entry.told };
    if (!(await transactionLog.supersede({ entry, successor }))) {
      await fillOwnNonceGap(dependencies, gap);
      return;
    }
    const { hash } = lastAttempt(successor);
    events.raise(nftEvents.entrySuperseded, { signer, nonce, by, hash });
  } catch (error) {
    // The write of `successor` may have succeeded although its response was lost. In that case the nonce has an entry,
    // so the log refuses the noop transaction.
    await fillOwnNonceGap(dependencies, gap);
    throw error;
  }
};

/** Whether tables have lost the entry of a token's burn, so that nothing decides the burn. */
const isBurnLost = async (
  { transactionLog }: Pick<SupersedeDependencies, 'transactionLog'>,
  { signer }: Entry,
  { change: { status, nonce } }: Burn,
): Promise<boolean> => {
  if (status !== 'pending') return false;
  const [entry] = await transactionLog.range({ signer, from: nonce, to: nonce + 1 });
  return entry === undefined || entry.purpose.kind === 'noop';
};

/**
 * Whether a token of a mint is gone. Such a mint is not superseded. If no transaction has minted the token, its burn
 * fails, and then the mint is superseded. If one has, it is found. A burn whose entry is lost cannot burn a token that
 * is minted later, so it fails here.
 */
const waitsForBurn = async (
  dependencies: Pick<SupersedeDependencies, 'nfts' | 'transactionLog'>,
  entry: Entry,
): Promise<boolean> => {
  const { nfts, transactionLog } = dependencies;
  const { purpose } = entry;
  if (!mintsTokens(purpose)) return false;
  const tokens = mintedTokens(purpose);
  const [{ tokenId: from }] = tokens;
  const { applicationId, contract } = purpose;
  const to = tokens.at(-1)?.tokenId ?? from;
  let isAnyGone = false;
  for (const token of await nfts.findRange({ applicationId, contract, from, to })) {
    for (const burn of liveBurns(token)) {
      if (await isBurnLost(dependencies, entry, burn)) await transactionLog.failLostBurn(token, burn);
      else isAnyGone = true;
    }
  }
  return isAnyGone;
};

/**
 * Finds out whether a transaction that is not in the log has done the entry's work. If so, confirms the entry with that
 * transaction, because a second one would revert. If not, supersedes the entry. If unknown, does nothing.
 */
const supersedeUnlessMade = async (
  dependencies: SupersedeDependencies,
  { entry, at }: { readonly entry: Entry; readonly at: BlockId },
): Promise<void> => {
  const maker = await findMaker(dependencies, { entry, since: firstSignedAt(entry), at });
  switch (maker.outcome) {
    case 'found': {
      const verdict = { status: 'confirmed', hash: maker.transactionHash } as const;
      const at = decisionTime(entry, verdict.hash, dependencies.clock());
      await dependencies.transactionLog.finalize([{ entry, verdict, at }]);
      return;
    }
    case 'absent':
      if (await waitsForBurn(dependencies, entry)) {
        const { signer, nonce } = entry;
        dependencies.logger.info('A mint is not superseded while a burn of a token may take effect', {
          signer,
          nonce,
        });
        return;
      }
      return supersede(dependencies, entry);
    case 'unknown':
      dependencies.logger.info(
        maker.isTooLong === true
          ? 'The search for the transaction that did the work of an entry goes back too far for one pass'
          : 'It is unknown yet whether another transaction did the work of an entry',
        { signer: entry.signer, nonce: entry.nonce },
      );
  }
};

/**
 * Handles entries whose nonce is final, but for which no endpoint has a receipt: probably another transaction used
 * the nonce. After three checks, the entry's work is done again with a new nonce. A noop entry is dropped immediately,
 * because it has no work that must be done again.
 */
export const supersedeMissing = async (
  pass: Pass<SupersedeDependencies>,
  {
    absent,
    at,
    deadline,
  }: { readonly absent: readonly Entry[]; readonly at: BlockId; readonly deadline: number },
): Promise<void> => {
  for (const entry of absent) {
    const now = pass.clock();
    if (now >= deadline) return;
    const notedAt = pass.missing.get(entry.nonce);
    if (notedAt !== undefined && now - notedAt < lookIntervalMilliseconds) continue;
    pass.missing.set(entry.nonce, now);
    pass.entries.delete(entry.nonce);
    if (entry.purpose.kind === 'noop') {
      await pass.transactionLog.drop(entry);
    } else if (entry.missingLooks + 1 < looksAtLeast) {
      await pass.transactionLog.noteMissing({ entry });
    } else {
      await supersedeUnlessMade(pass, { entry, at });
    }
  }
};
