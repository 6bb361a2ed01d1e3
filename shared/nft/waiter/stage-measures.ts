import type { Address } from '../../chain/hex.ts';
import { unlessUnavailable } from '../../chain/unless-unavailable.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { Chain } from '../ports/chain.ts';
import type { StageGauges } from '../ports/metrics.ts';
import type { SignerState } from '../ports/signers.ts';
import type { TransactionLog } from '../ports/transaction-log.ts';
import { addressOfSigner, firstSignedAt, isDecided, type LoggedEntry } from '../transactions/entry.ts';
import { coinsOf } from '../transactions/signer-funds.ts';
import { hasUnfinishedWork } from './ensure-waiter.ts';

export interface MeasureStageDependencies {
  readonly chain: Pick<Chain, 'chainId' | 'balances' | 'silentEndpoints'>;
  readonly transactionLog: Pick<TransactionLog, 'find'>;
  readonly events: StageGauges;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * The time since which the signer's oldest unfinished transaction has been waiting. The entry at `finalizedCount` is
 * the oldest. If there is none, because its nonce was reserved but not used, the last reservation is the best that is
 * known.
 */
export const unfinishedSince = (
  { lastTakenAt }: Pick<SignerState, 'lastTakenAt'>,
  oldest: LoggedEntry | undefined,
): number => (oldest !== undefined && !isDecided(oldest) ? firstSignedAt(oldest) : lastTakenAt);

const balancesOf = (
  { chain, logger }: Pick<MeasureStageDependencies, 'chain' | 'logger'>,
  addresses: readonly Address[],
): Promise<ReadonlyMap<Address, bigint> | undefined> =>
  unlessUnavailable(
    () => chain.balances(addresses),
    (error) => {
      logger.warn('No RPC endpoint tells the balances of the signers', { error });
      return undefined;
    },
  );

/** The log names an endpoint by its place in the secret, because its URL may contain a key. */
const countSilentEndpoints = async ({
  chain,
  logger,
}: Pick<MeasureStageDependencies, 'chain' | 'logger'>): Promise<number> => {
  const silent = await unlessUnavailable(
    () => chain.silentEndpoints(),
    () => [],
  );
  if (silent.length > 0) logger.warn('RPC endpoints do not answer', { endpoints: silent });
  return silent.length;
};

interface Measured {
  readonly id: SignerState['id'];
  readonly value: number;
}

/** Writes the stage's metrics, which alarms watch. `states` are the states of all signers. */
export const measureStage = async (
  dependencies: MeasureStageDependencies,
  states: readonly SignerState[],
): Promise<void> => {
  const { chain, clock, events } = dependencies;
  const ofChain = states.filter(({ id }) => id.startsWith(`${chain.chainId}#`));
  const [ages, balances, silent] = await Promise.all([
    Promise.all(
      ofChain.filter(hasUnfinishedWork).map(async (state): Promise<Measured> => {
        const { id: signer, finalizedCount: nonce } = state;
        const since = unfinishedSince(state, await dependencies.transactionLog.find({ signer, nonce }));
        return { id: state.id, value: Math.max(0, (clock() - since) / 1_000) };
      }),
    ),
    balancesOf(
      dependencies,
      ofChain.map(({ id }) => addressOfSigner(id)),
    ),
    countSilentEndpoints(dependencies),
  ]);
  const queues = ofChain.map(({ id, nextNonce, minedCount }) => ({
    id,
    value: Math.max(0, nextNonce - minedCount),
  }));
  const coins = ofChain.flatMap(({ id }) => {
    const wei = balances?.get(addressOfSigner(id));
    return wei === undefined ? [] : [{ id, value: coinsOf(wei) }];
  });
  const ascending = (measured: readonly Measured[]) => measured.toSorted((a, b) => a.value - b.value);
  const [oldest, queue, lowest] = [ascending(ages).at(-1), ascending(queues).at(-1), ascending(coins).at(0)];
  events.measureStage({
    measures: {
      OldestUnfinishedSeconds: oldest?.value ?? 0,
      LongestQueue: queue?.value ?? 0,
      LowestBalanceCoins: lowest?.value,
      RpcUnavailable: balances === undefined ? 1 : 0,
      RpcEndpointsSilent: silent,
    },
    signers: { OldestUnfinishedSeconds: oldest?.id, LongestQueue: queue?.id, LowestBalanceCoins: lowest?.id },
  });
};
