import { ChainUnavailableError } from '../../chain/errors.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { Chain, Fees } from '../ports/chain.ts';
import { type MetricEvents, nftEvents } from '../ports/metrics.ts';
import type { SignerState } from '../ports/signers.ts';
import type { Attempt } from './entry.ts';
import { defaultFeeLifetimeMilliseconds, type FeeLimits, type TransactionSettings } from './settings.ts';

export interface KnownFeeQuoteDependencies {
  readonly chain: Pick<Chain, 'fees'>;
  readonly clock: Clock;
  readonly settings: FeeLimits & Pick<TransactionSettings, 'feeLifetimeMilliseconds'>;
  readonly events: MetricEvents;
}

export type FeeQuote = Pick<Attempt, 'maxFeePerGas' | 'maxPriorityFeePerGas'>;

const lower = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const higher = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/**
 * The highest fee per unit of gas for a transaction with this gas limit. Nodes refuse a transaction if its fee times
 * its gas limit exceeds their own cap (go-ethereum, `checkTxFee` of `internal/ethapi/api.go`).
 */
export const ceilingFor = ({ feeCeiling, endpointFeeCap }: FeeLimits, gas: bigint): bigint =>
  endpointFeeCap === undefined ? feeCeiling : lower(feeCeiling, endpointFeeCap / gas);

/**
 * Raises a fee by an eighth, rounded up. Nodes replace a pooled transaction only if both of its fees rise by at least a
 * tenth, and Polygon's nodes require an eighth.
 */
const raised = (fee: bigint): bigint => (fee * 1_125n + 999n) / 1_000n;

/** The fee quote for a new transaction. `undefined` if the chain's price is over the ceiling. */
export const feeQuoteUnder = (
  { baseFeePerGas, maxFeePerGas, maxPriorityFeePerGas }: Fees,
  ceiling: bigint,
): FeeQuote | undefined =>
  baseFeePerGas + maxPriorityFeePerGas > ceiling
    ? undefined
    : { maxFeePerGas: lower(maxFeePerGas, ceiling), maxPriorityFeePerGas };

/**
 * The fee quote for a transaction that is to replace another one. `before` is the fee quote of that other transaction.
 * `undefined` if the replacement would have to exceed the ceiling, or if the chain's price is over the ceiling. At such
 * a price, the replacement could not be mined, and every later replacement would have to offer even higher fees.
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

const requireFeeQuote = (fees: Fees, ceiling: bigint): FeeQuote => {
  const feeQuote = feeQuoteUnder(fees, ceiling);
  if (feeQuote !== undefined) return feeQuote;
  throw new ChainUnavailableError({
    message: `The chain’s price is ${fees.baseFeePerGas + fees.maxPriorityFeePerGas} wei per unit of gas, above the ceiling of ${ceiling}`,
  });
};

/** @throws ChainUnavailableError when no endpoint answers or the chain's fees are over the ceiling. */
export const currentFeeQuote = async (
  { chain, settings }: { readonly chain: Pick<Chain, 'fees'>; readonly settings: FeeLimits },
  gas: bigint,
): Promise<FeeQuote> => requireFeeQuote(await chain.fees(), ceilingFor(settings, gas));

/**
 * The fee quote for the transaction of a request. It uses the fees that the waiter stored, if they are recent, so that
 * a burst of requests does not query the chain each time.
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
    // Requests are refused as long as the chain's price is over the ceiling. Otherwise their transactions would be
    // recorded with fees that are too low to be mined.
    const asked = String(fees.baseFeePerGas);
    events.raise(nftEvents.feeCeilingReached, { signer: state?.id, asked, ceiling: String(ceiling) });
  }
  return requireFeeQuote(fees, ceiling);
};
