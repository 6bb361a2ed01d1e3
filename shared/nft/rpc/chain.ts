import type { Address } from '../../chain/hex.ts';
import { type Finality, finalizedBlock } from '../../chain/rpc/finality.ts';
import {
  createRpcEndpoints,
  type RpcEndpointOptions,
  type RpcEndpoints,
} from '../../chain/rpc/rpc-endpoints.ts';
import { count, resultOf } from '../../chain/rpc/wire.ts';
import { type Clock, systemClock } from '../../platform/time/clock.ts';
import type { Chain, TransactionCounts } from '../ports/chain.ts';
import { balances } from './balances.ts';
import { broadcaster } from './broadcaster.ts';
import { type FeeOptions, feeSource } from './chain-fees.ts';
import { type EventReaderOptions, eventReader } from './chain-logs.ts';
import { minedCounts } from './mined-counts.ts';
import { receiptReader } from './receipts.ts';
import { silentEndpoints } from './silent-endpoints.ts';
import { stateReader } from './state.ts';

export interface PolygonChainOptions
  extends Omit<RpcEndpointOptions, 'clock'>,
    FeeOptions,
    EventReaderOptions {
  readonly finality: Finality;
  /** @default systemClock */
  readonly clock?: Clock;
}

/** Implements the chain port with a list of JSON-RPC endpoints: of Polygon, Amoy, or a local node. */
export function polygonChain({
  clock = systemClock,
  chainId,
  finality,
  ...options
}: PolygonChainOptions): Chain {
  const endpoints = createRpcEndpoints({ ...options, chainId, clock });

  return {
    chainId,
    transactionCounts: (address) => transactionCounts(endpoints, address),
    minedCounts: minedCounts(endpoints),
    balance: async (address) => (await balances(endpoints)([address])).get(address) ?? 0n,
    balances: balances(endpoints),
    silentEndpoints: silentEndpoints(endpoints),
    fees: feeSource({ ...options, endpoints, clock }),
    broadcast: broadcaster(endpoints),
    finalizedBlock: () => finalizedBlock(endpoints, finality),
    rotateEndpoint: endpoints.rotateEndpoint,
    ...receiptReader(endpoints),
    ...stateReader(endpoints),
    ...eventReader(endpoints, { ...options, clock }),
  };
}

export function transactionCounts(
  endpoints: Pick<RpcEndpoints, 'first'>,
  address: Address,
): Promise<TransactionCounts> {
  const requests = ['latest', 'pending'].map((block) => ({
    method: 'eth_getTransactionCount',
    params: [address, block],
  }));
  return endpoints.first(requests, (answers) => {
    const latest = resultOf(answers, 0, count);
    return { latest, pending: Math.max(latest, resultOf(answers, 1, count)) };
  });
}
