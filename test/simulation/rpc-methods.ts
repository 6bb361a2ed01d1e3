/** The answers of an endpoint to JSON-RPC requests, from the part of the chain that the endpoint sees. */
import { toHex } from 'viem/utils';
import type { Address, Hash, Hex } from '../../shared/chain/hex.ts';
import type { RpcRequest } from '../../shared/chain/rpc/json-rpc.ts';
import {
  type Block,
  type Branch,
  type MinedTransaction,
  type Sent,
  type SimulatedChain,
  sentOf,
} from './chain.ts';
import { Reverted, readCollection, readOwners } from './collection.ts';
import type { FaultKind } from './faults.ts';

export const chainId = 31_337;

export type Mood = Extract<FaultKind, `endpoint: ${string}`>;

/** The newest block that an endpoint has, and the newest that it calls final. */
export interface View {
  readonly branch: Branch;
  readonly height: number;
  readonly finalHeight: number;
}

class RpcFailure extends Error {
  readonly code: number;
  readonly data: Hex | undefined;

  constructor({ code, message, data }: { code: number; message: string; data?: Hex }) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

const logOf = (block: Block, { sent, logs }: MinedTransaction) =>
  logs.map((log) => ({
    ...log,
    transactionHash: sent.hash,
    blockNumber: toHex(block.number),
    blockHash: block.hash,
  }));

const isMatching = (
  log: { readonly address: string; readonly topics: readonly Hex[] },
  filter: LogFilter,
): boolean =>
  log.address === filter.address.toLowerCase() &&
  filter.topics.every((topic, index) => topic === null || topic === log.topics[index]);

interface LogFilter {
  readonly address: Address;
  readonly topics: readonly (Hex | null)[];
  readonly fromBlock: Hex;
  readonly toBlock: Hex;
}

export interface Answering {
  /** Transactions that the endpoint accepted, but passes on to no other. */
  readonly swallowed: Map<Hash, Sent>;
  readonly view: View;
  readonly chain: SimulatedChain;
  readonly has: (mood: Mood) => boolean;
  readonly onSent: (sent: Sent) => void;
}

const blockAt = ({ view }: Answering, tag: unknown): Block | undefined => {
  if (tag === 'latest' || tag === 'pending') return view.branch[view.height];
  if (tag === 'finalized') return view.branch[view.finalHeight];
  if (typeof tag === 'object' && tag !== null && 'blockHash' in tag)
    return view.branch.findLast(({ hash, number }) => hash === tag.blockHash && number <= view.height);
  const number = Number(tag);
  return number <= view.height ? view.branch[number] : undefined;
};

const stateAt = (answering: Answering, tag: unknown): Block => {
  const block = blockAt(answering, tag);
  if (block === undefined) throw new RpcFailure({ code: -32_000, message: 'header not found' });
  return block;
};

const pendingCount = ({ swallowed, chain }: Answering, address: Address, latest: number): number => {
  const isKnown = (nonce: number): boolean =>
    chain.pooled(address, nonce) !== undefined ||
    swallowed.values().some((sent) => sent.from === address && sent.nonce === nonce);
  let count = latest;
  while (isKnown(count)) count += 1;
  return count;
};

const receiptOf = (answering: Answering, hash: Hash) => {
  const block = answering.chain.blockWith(hash, answering.view);
  const mined = block?.mined.find(({ sent }) => sent.hash === hash);
  if (block === undefined || mined === undefined || answering.has('endpoint: hides receipts')) return null;
  const isTold = !answering.has('endpoint: invents failures');
  return {
    transactionHash: hash,
    blockNumber: toHex(block.number),
    blockHash: block.hash,
    status: mined.isSuccess && isTold ? '0x1' : '0x0',
    gasUsed: toHex(mined.sent.gas / 2n),
    logs: isTold ? mined.logs : [],
  };
};

const send = ({ swallowed, chain, has, onSent, view }: Answering, raw: Hex): Hash => {
  const sent = sentOf(raw);
  onSent(sent);
  const swallows = has('endpoint: swallows transactions');
  const refusal = ((): string | undefined => {
    if (!swallows) return chain.offer(sent);
    const block = view.branch[view.height];
    if (block !== undefined && sent.nonce < chain.countAt(block, sent.from)) return 'nonce too low';
    return swallowed.has(sent.hash) ? 'already known' : undefined;
  })();
  if (refusal !== undefined) throw new RpcFailure({ code: -32_000, message: refusal });
  if (swallows) swallowed.set(sent.hash, sent);
  return sent.hash;
};

const methods: Readonly<Record<string, (answering: Answering, params: readonly unknown[]) => unknown>> = {
  eth_chainId: () => toHex(chainId),
  eth_blockNumber: ({ view }) => toHex(view.height),
  eth_getBlockByNumber: (answering, [tag]) => {
    const block = blockAt(answering, tag);
    return block === undefined
      ? null
      : { number: toHex(block.number), hash: block.hash, timestamp: toHex(Math.floor(block.time / 1_000)) };
  },
  eth_getTransactionCount: (answering, [address, tag]) => {
    const of = String(address).toLowerCase() as Address;
    const count = answering.chain.countAt(stateAt(answering, tag), of);
    return toHex(tag === 'pending' ? pendingCount(answering, of, count) : count);
  },
  eth_getBalance: (answering, [address, tag]) =>
    toHex(stateAt(answering, tag).state.balances.get(String(address).toLowerCase() as Address) ?? 0n),
  eth_feeHistory: (answering, [count]) => {
    const { number } = stateAt(answering, 'latest');
    const blocks = answering.view.branch.slice(Math.max(0, number - Number(count) + 1), number + 1);
    return {
      baseFeePerGas: [...blocks.map(({ baseFee }) => toHex(baseFee)), toHex(answering.chain.baseFee())],
      reward: blocks.map(() => [toHex(25_000_000_000n)]),
    };
  },
  eth_sendRawTransaction: (answering, [raw]) => send(answering, raw as Hex),
  eth_getTransactionReceipt: (answering, [hash]) => receiptOf(answering, hash as Hash),
  eth_getTransactionByHash: (answering, [hash]) => {
    const { chain, swallowed, view } = answering;
    const block = chain.blockWith(hash as Hash, view);
    if (block !== undefined) {
      return answering.has('endpoint: hides receipts') ? null : { blockNumber: toHex(block.number) };
    }
    const isPooled = chain.isPooledHash(hash as Hash) || swallowed.has(hash as Hash);
    return isPooled ? { blockNumber: null } : null;
  },
  eth_getLogs: ({ view, has }, [filter]) => {
    if (has('endpoint: hides logs')) return [];
    const wanted = filter as LogFilter;
    return view.branch
      .slice(Number(wanted.fromBlock), Math.min(view.height, Number(wanted.toBlock)) + 1)
      .flatMap((block) => block.mined.flatMap((mined) => logOf(block, mined)))
      .filter((log) => isMatching(log, wanted));
  },
  eth_getCode: (answering, [address, tag]) =>
    stateAt(answering, tag).state.collections.has(String(address).toLowerCase() as Address) &&
    !answering.has('endpoint: denies code')
      ? '0x60'
      : '0x',
  eth_call: (answering, [call, tag]) => {
    const { to, data } = call as { readonly to?: Address; readonly data: Hex };
    const { collections } = stateAt(answering, tag).state;
    try {
      return to === undefined
        ? readOwners(collections, data)
        : readCollection(collections.get(to.toLowerCase() as Address), data);
    } catch (error) {
      if (!(error instanceof Reverted)) throw error;
      throw new RpcFailure({ code: 3, message: error.message, data: error.data });
    }
  },
};

export const answerOf = (answering: Answering, { method, params }: RpcRequest, id: number) => {
  try {
    const result = methods[method]?.(answering, params);
    if (result === undefined)
      throw new RpcFailure({ code: -32_601, message: `there is no method ${method}` });
    return { id, result };
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    const { code, message, data } = error;
    return { id, error: { code, message, ...(data !== undefined && { data }) } };
  }
};
