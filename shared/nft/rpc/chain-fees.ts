import type { RpcEndpoints } from '../../chain/rpc/rpc-endpoints.ts';
import { feeHistorySchema, resultOf, toQuantity } from '../../chain/rpc/wire.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { Chain, Fees } from '../ports/chain.ts';

export interface FeeOptions {
  /** The minimum tip that gets a transaction into a block, in wei: 25 gwei on Polygon (PIP-35). */
  readonly minimumPriorityFeePerGas: bigint;
  /** How long the fees are cached. @default 2_000 */
  readonly blockTimeMilliseconds?: number;
}

const blocksLookedAt = 5;
const tipPercentile = 50;
/** Polygon's base fee rises by at most 5 % a block, so twice the base fee is enough for 14 blocks of steady rises. */
const baseFeeRoom = 2n;

export function feeSource({
  endpoints,
  clock,
  minimumPriorityFeePerGas,
  blockTimeMilliseconds = 2_000,
}: FeeOptions & { readonly endpoints: Pick<RpcEndpoints, 'first'>; readonly clock: Clock }): Chain['fees'] {
  let known: { readonly fees: Promise<Fees>; readonly readAt: number } | undefined;

  const read = (): Promise<Fees> =>
    endpoints.first(
      [{ method: 'eth_feeHistory', params: [toQuantity(blocksLookedAt), 'latest', [tipPercentile]] }],
      (answers) => {
        const { baseFeePerGas, reward } = resultOf(answers, 0, feeHistorySchema);
        const baseFee = baseFeePerGas.at(-1) ?? 0n;
        const tips = (reward ?? []).flatMap(([tip]) => (tip === undefined ? [] : [tip]));
        const tip = largest(median(tips), minimumPriorityFeePerGas);
        return {
          baseFeePerGas: baseFee,
          maxPriorityFeePerGas: tip,
          maxFeePerGas: baseFee * baseFeeRoom + tip,
        };
      },
    );

  return async () => {
    if (known !== undefined && clock() - known.readAt < blockTimeMilliseconds) return known.fees;
    const current = { fees: read(), readAt: clock() };
    known = current;
    try {
      return await current.fees;
    } catch (error) {
      if (known === current) known = undefined;
      throw error;
    }
  };
}

const largest = (one: bigint, other: bigint) => (one > other ? one : other);

function median(values: readonly bigint[]): bigint {
  const sorted = values.toSorted((one, other) => (one < other ? -1 : 1));
  return sorted[Math.floor(sorted.length / 2)] ?? 0n;
}
