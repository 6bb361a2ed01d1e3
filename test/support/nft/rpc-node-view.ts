/** One node as a faulty provider presents it: lagging, on another fork, or careless with transactions. */
import {
  formatEther,
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerializedEIP1559,
} from 'viem';

export interface RpcItem {
  readonly id: number;
  readonly method: string;
  readonly params?: readonly unknown[];
}

export interface RpcReply {
  readonly jsonrpc: '2.0';
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** The transactions in a node's own pool, by their hashes. */
export type OwnPool = Map<string, { readonly sender: string; readonly nonce: number }>;

type SendFault = 'acceptedThenSilent' | 'alreadyKnown' | 'nonceTooLow' | 'dropped';

export interface NodeViewOptions {
  readonly target: string;
  readonly view: 'lagging' | 'contradicting' | undefined;
  readonly sendFault: () => SendFault | undefined;
  readonly replacementPercent: number | undefined;
  readonly feeCap: bigint | undefined;
  /** Transactions of this address are answered as if they were accepted, but do not reach the node. */
  readonly heldBack?: string | undefined;
  /** A pool that passes no transaction on. Transactions in it are shown as pending until they are mined elsewhere. */
  readonly ownPool?: OwnPool | undefined;
  readonly onFault: (name: SendFault | 'replacementRefused' | 'feeRefused') => void;
}

type Hex = `0x${string}`;
type Block = { readonly number: Hex; readonly hash: Hex } | null;
type Located = {
  readonly blockNumber: Hex | null;
  readonly blockHash: Hex | null;
  readonly logs?: readonly object[];
};

const lag = 2n;

export function createNodeView(options: NodeViewOptions) {
  const { target, view, sendFault, replacementPercent, feeCap, heldBack, ownPool, onFault } = options;
  const forward = async (item: RpcItem): Promise<RpcReply> => {
    const response = await fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', ...item }),
    });
    return (await response.json()) as RpcReply;
  };
  const ask = async (method: string, ...params: readonly unknown[]): Promise<unknown> =>
    (await forward({ id: 1, method, params })).result;

  async function send(item: RpcItem): Promise<RpcReply | 'silence'> {
    const raw = item.params?.[0] as TransactionSerializedEIP1559;
    // The node itself refuses what is no transaction.
    if (!raw.startsWith('0x02')) return forward(item);
    const { gas = 0n, maxFeePerGas: fee = 0n } = parseTransaction(raw);
    if (feeCap !== undefined && gas * fee > feeCap) {
      onFault('feeRefused');
      const [asked, cap] = [gas * fee, feeCap].map((amount) => Number(formatEther(amount)).toFixed(2));
      return refusal(item, `tx fee (${asked} ether) exceeds the configured cap (${cap} ether)`);
    }
    if (heldBack !== undefined) {
      const sender = await recoverTransactionAddress({ serializedTransaction: raw });
      if (sender.toLowerCase() === heldBack) return { jsonrpc: '2.0', id: item.id, result: keccak256(raw) };
    }
    if (ownPool !== undefined) {
      const sender = await recoverTransactionAddress({ serializedTransaction: raw });
      const { nonce = 0 } = parseTransaction(raw);
      ownPool.set(keccak256(raw), { sender: sender.toLowerCase(), nonce });
      return { jsonrpc: '2.0', id: item.id, result: keccak256(raw) };
    }
    if (replacementPercent !== undefined && (await isUnderpricedReplacement(raw, replacementPercent))) {
      onFault('replacementRefused');
      return refusal(item, 'replacement transaction underpriced');
    }
    const fault = sendFault();
    if (fault !== undefined) onFault(fault);
    if (fault === 'nonceTooLow') return refusal(item, 'nonce too low: next nonce 1, tx nonce 0');

    const reply = await forward(item);
    if (fault === 'acceptedThenSilent') return 'silence';
    if (fault === 'dropped') await ask('anvil_dropTransaction', keccak256(raw));
    return fault === 'alreadyKnown' ? refusal(item, 'already known') : reply;
  }

  async function isUnderpricedReplacement(
    raw: TransactionSerializedEIP1559,
    percent: number,
  ): Promise<boolean> {
    const { nonce = 0, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = parseTransaction(raw);
    const sender = await recoverTransactionAddress({ serializedTransaction: raw });
    const rival = (await ask('eth_getTransactionBySenderAndNonce', sender, toHex(BigInt(nonce)))) as
      | PoolTransaction
      | null
      | undefined;
    const isInPool = rival?.blockNumber === null;
    if (!isInPool || rival.hash === keccak256(raw)) return false;
    const isTooLow = (offered: bigint, present: Hex) =>
      offered * 100n < BigInt(present) * BigInt(100 + percent);
    return (
      isTooLow(maxFeePerGas, rival.maxFeePerGas) || isTooLow(maxPriorityFeePerGas, rival.maxPriorityFeePerGas)
    );
  }

  async function answer(item: RpcItem): Promise<RpcReply | 'silence'> {
    if (item.method === 'eth_sendRawTransaction') return send(item);
    if (view === 'lagging') return answerBehind(item);
    const reply = ownPool === undefined ? await forward(item) : await withOwnPool(item, ownPool);
    return view === 'contradicting' ? { ...reply, result: onAnotherFork(reply.result) } : reply;
  }

  async function withOwnPool(item: RpcItem, pool: OwnPool): Promise<RpcReply> {
    const reply = await forward(item);
    const [subject, block] = item.params ?? [];
    const key = String(subject).toLowerCase();
    if (item.method === 'eth_getTransactionByHash' && reply.result === null && pool.has(key)) {
      return { ...reply, result: { hash: key, blockNumber: null, blockHash: null } };
    }
    if (item.method === 'eth_getTransactionCount' && block === 'pending') {
      const nonces = new Set(
        [...pool.values()].filter(({ sender }) => sender === key).map(({ nonce }) => nonce),
      );
      let count = Number(reply.result);
      while (nonces.has(count)) count += 1;
      return { ...reply, result: toHex(BigInt(count)) };
    }
    return reply;
  }

  /** The answer of a node that has not yet seen the last two blocks. */
  async function answerBehind(item: RpcItem): Promise<RpcReply> {
    const head = BigInt((await ask('eth_blockNumber')) as Hex) - lag;
    const final =
      BigInt(((await ask('eth_getBlockByNumber', 'finalized', false)) as NonNullable<Block>).number) - lag;
    const heights = { latest: head, finalized: final };
    const params = (item.params ?? []).map((value) =>
      value === 'latest' || value === 'finalized' ? toHex(heights[value]) : value,
    );
    const reply = await forward({ ...item, params });
    if (item.method === 'eth_blockNumber') return { ...reply, result: toHex(head) };
    if (item.method === 'eth_getBlockByNumber') {
      const block = reply.result as Block;
      return block !== null && BigInt(block.number) > head ? { ...reply, result: null } : reply;
    }
    if (item.method === 'eth_getTransactionReceipt' || item.method === 'eth_getTransactionByHash') {
      const { blockNumber } = (reply.result ?? { blockNumber: null }) as Located;
      return blockNumber !== null && BigInt(blockNumber) > head ? { ...reply, result: null } : reply;
    }
    return reply;
  }

  return { answer };
}

interface PoolTransaction {
  readonly hash: Hex;
  readonly blockNumber: Hex | null;
  readonly maxFeePerGas: Hex;
  readonly maxPriorityFeePerGas: Hex;
}

const toHex = (value: bigint): Hex => `0x${(value < 0n ? 0n : value).toString(16)}`;

/** The same block, transaction or receipt, but with another block hash. */
function onAnotherFork(result: unknown): unknown {
  if (typeof result !== 'object' || result === null) return result;
  if ('blockHash' in result && typeof result.blockHash === 'string') {
    return { ...result, blockHash: keccak256(result.blockHash as Hex) };
  }
  if ('parentHash' in result && 'hash' in result) return { ...result, hash: keccak256(result.hash as Hex) };
  return result;
}

function refusal({ id }: RpcItem, message: string): RpcReply {
  return { jsonrpc: '2.0', id, error: { code: -32_000, message } };
}
