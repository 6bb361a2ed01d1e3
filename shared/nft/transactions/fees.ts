import type { Clock } from '../../clock.ts';
import type { Attempt } from '../entry.ts';
import { ChainUnavailableError } from '../errors.ts';
import type { Chain, Fees } from '../ports/chain.ts';
import { type Events, nftEvents } from '../ports/events.ts';
import type { SignerState } from '../ports/signers.ts';
import { defaultFeeLifetimeMilliseconds, type FeeLimits, type TransactionSettings } from './settings.ts';

export interface KnownFeeQuoteDependencies {
  readonly chain: Pick<Chain, 'fees'>;
  readonly clock: Clock;
  readonly settings: FeeLimits & Pick<TransactionSettings, 'feeLifetimeMilliseconds'>;
  readonly events: Events;
}

export type FeeQuote = Pick<Attempt, 'maxFeePerGas' | 'maxPriorityFeePerGas'>;

const lower = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const higher = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/**
 * The highest fee a gas for a transaction with this gas limit. Nodes refuse a transaction whose fee times gas limit is
 * above their own cap (go-ethereum, `checkTxFee` of `internal/ethapi/api.go`), so it is not signed.
 */
export const ceilingFor = ({ feeCeiling, endpointFeeCap }: FeeLimits, gas: bigint): bigint =>
  endpointFeeCap === undefined ? feeCeiling : lower(feeCeiling, endpointFeeCap / gas);

/** Nodes replace a pooled transaction only if both fees rise by at least a tenth; Polygon's nodes want an eighth. */
const raised = (fee: bigint): bigint => (fee * 1_125n + 999n) / 1_000n;

/** The fee quote of a new transaction under the stage's ceiling; `undefined` when the chain asks for more. */
export const feeQuoteUnder = (
  { baseFeePerGas, maxFeePerGas, maxPriorityFeePerGas }: Fees,
  ceiling: bigint,
): FeeQuote | undefined =>
  baseFeePerGas + maxPriorityFeePerGas > ceiling
    ? undefined
    : { maxFeePerGas: lower(maxFeePerGas, ceiling), maxPriorityFeePerGas };

/**
 * The fee quote that replaces `before`; `undefined` when it would pass the ceiling or stay below the next block's base
 * fee: it could not be mined either, and would leave no room for a step that can.
 */
export const replacementFeeQuote = (
  before: FeeQuote,
  current: Fees,
  ceiling: bigint,
): FeeQuote | undefined => {
  const least = raised(before.maxFeePerGas);
  if (least > ceiling || feeQuoteUnder(current, ceiling) === undefined) return undefined;
  const maxFeePerGas = higher(least, lower(current.maxFeePerGas, ceiling));
  const tip = higher(raised(before.maxPriorityFeePerGas), current.maxPriorityFeePerGas);
  return { maxFeePerGas, maxPriorityFeePerGas: lower(tip, maxFeePerGas) };
};

/** @throws ChainUnavailableError when the chain's fees are over the ceiling. */
const requireFeeQuote = (fees: Fees, ceiling: bigint): FeeQuote => {
  const feeQuote = feeQuoteUnder(fees, ceiling);
  if (feeQuote !== undefined) return feeQuote;
  throw new ChainUnavailableError({
    message: `The chain asks for ${fees.baseFeePerGas + fees.maxPriorityFeePerGas} wei a gas, the ceiling is ${ceiling}`,
  });
};

/**
 * The current fee quote for a transaction with this gas limit.
 *
 * @throws ChainUnavailableError when no endpoint answers or the chain's fees are over the ceiling.
 */
export const currentFeeQuote = async (
  { chain, settings }: { readonly chain: Pick<Chain, 'fees'>; readonly settings: FeeLimits },
  gas: bigint,
): Promise<FeeQuote> => requireFeeQuote(await chain.fees(), ceilingFor(settings, gas));

/**
 * A request's fee quote: from the fees that the waiter saw, if they are recent, so that a burst does not ask for them
 * in every handler; otherwise from the chain.
 *
 * @throws ChainUnavailableError as `currentFeeQuote` does.
 */
export const knownFeeQuote = async (
  { chain, clock, settings, events }: KnownFeeQuoteDependencies,
  { state, gas }: { readonly state: SignerState | undefined; readonly gas: bigint },
): Promise<FeeQuote> => {
  const known = state?.fees;
  const { feeLifetimeMilliseconds = defaultFeeLifetimeMilliseconds } = settings;
  const isFresh = known !== undefined && clock() - known.readAt < feeLifetimeMilliseconds;
  const fees = isFresh ? known : await chain.fees();
  const ceiling = ceilingFor(settings, gas);
  if (feeQuoteUnder(fees, ceiling) === undefined) {
    // No transaction may be sent that a waiter would find too cheap.
    const asked = String(fees.baseFeePerGas);
    events.raise(nftEvents.feeCeilingReached, { signer: state?.id, asked, ceiling: String(ceiling) });
  }
  return requireFeeQuote(fees, ceiling);
};
