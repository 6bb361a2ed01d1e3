/**
 * A chain: blocks, the state after each, a pool, reorganizations. This is the true state, whatever endpoints report.
 */
import { hash } from 'node:crypto';
import { getCreate2Address, pad, parseTransaction, size, slice } from 'viem';
import { collectionBytecode } from '../../contracts/artifacts/collection-bytecode.ts';
import type { EventLog } from '../../shared/chain/event-log.ts';
import type { Address, Hash, Hex } from '../../shared/chain/hex.ts';
import { deploymentProxy } from '../../shared/nft/collections/collection.ts';
import { callCollection, type DeployedCollection, deployCollection, Reverted } from './collection.ts';
import { hexOf, oneOf, type Streams } from './streams.ts';

export const blockMilliseconds = 2_000;
const gwei = 1_000_000_000n;

export interface Sent {
  readonly hash: Hash;
  readonly from: Address;
  readonly nonce: number;
  readonly to: Address;
  readonly data: Hex;
  readonly gas: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

export interface MinedTransaction {
  readonly sent: Sent;
  readonly isSuccess: boolean;
  readonly logs: readonly EventLog[];
}

interface State {
  readonly counts: ReadonlyMap<Address, number>;
  readonly balances: ReadonlyMap<Address, bigint>;
  readonly collections: ReadonlyMap<Address, DeployedCollection>;
}

export interface Block {
  readonly number: number;
  readonly hash: Hash;
  readonly time: number;
  readonly baseFee: bigint;
  readonly mined: readonly MinedTransaction[];
  readonly state: State;
}

/** Blocks by number. A reorganization makes a new branch and leaves the old one as it is. */
export type Branch = readonly Block[];

/** Caches the results of a function for its most recent arguments. */
const remembering = <Result>(compute: (text: Hex) => Result): ((text: Hex) => Result) => {
  const known = new Map<Hex, Result>();
  return (text) => {
    const hit = known.get(text);
    if (hit !== undefined) return hit;
    const result = compute(text);
    if (known.size > 200) known.clear();
    known.set(text, result);
    return result;
  };
};

/** Any hash function will do, since only the simulated keys and the chain compute it. This one is the fastest. */
export const hashOf = remembering((raw): Hash => `0x${hash('sha256', raw)}`);

/** A simulated signature has the sender's address in `r`, so that no key has to be computed. */
export const sentOf = remembering((raw): Sent => {
  const { r, nonce = 0, to, data = '0x', gas = 0n, ...fees } = parseTransaction(raw);
  return {
    hash: hashOf(raw),
    from: slice(pad(r ?? '0x', { size: 32 }), 12),
    nonce,
    to: (to ?? '0x').toLowerCase() as Address,
    data,
    gas,
    maxFeePerGas: fees.maxFeePerGas ?? 0n,
    maxPriorityFeePerGas: fees.maxPriorityFeePerGas ?? 0n,
  };
});

const codeSize = size(collectionBytecode);
const proxy = deploymentProxy.toLowerCase();

const lower = (one: bigint, other: bigint): bigint => (one < other ? one : other);

interface Executed {
  readonly collections: ReadonlyMap<Address, DeployedCollection>;
  readonly logs: readonly EventLog[];
}

/** The address of the contract that this call of the deployment proxy creates. */
const createdBy = remembering((data): Address => {
  const [salt, bytecode] = [slice(data, 0, 32), slice(data, 32)];
  return getCreate2Address({ from: deploymentProxy, salt, bytecode }).toLowerCase() as Address;
});

const execute = ({ to, from, data }: Sent, collections: State['collections']): Executed => {
  const [address, effect] = ((): [Address, ReturnType<typeof callCollection> | undefined] => {
    if (to === proxy) {
      const address = createdBy(data);
      if (collections.has(address)) throw new Reverted('0x');
      return [address, deployCollection(slice(data, 32 + codeSize))];
    }
    const collection = collections.get(to);
    return [to, collection && callCollection(collection, from, data)];
  })();
  if (effect === undefined) return { collections, logs: [] };
  return {
    collections: new Map(collections).set(address, effect.collection),
    logs: effect.logs.map((log) => ({ ...log, address })),
  };
};

const apply = (
  state: State,
  sent: Sent,
  baseFee: bigint,
): { readonly state: State; readonly mined: MinedTransaction } => {
  const cost = sent.gas * lower(baseFee + sent.maxPriorityFeePerGas, sent.maxFeePerGas);
  const paid = {
    counts: new Map(state.counts).set(sent.from, sent.nonce + 1),
    balances: new Map(state.balances).set(sent.from, (state.balances.get(sent.from) ?? 0n) - cost / 2n),
  };
  try {
    const { collections, logs } = execute(sent, state.collections);
    return { state: { ...paid, collections }, mined: { sent, isSuccess: true, logs } };
  } catch (error) {
    if (!(error instanceof Reverted)) throw error;
    return {
      state: { ...paid, collections: state.collections },
      mined: { sent, isSuccess: false, logs: [] },
    };
  }
};

/** Nodes replace a pooled transaction only if both fees rise by a tenth. */
const isReplaced = (old: Sent, sent: Sent): boolean =>
  sent.maxFeePerGas * 10n >= old.maxFeePerGas * 11n &&
  sent.maxPriorityFeePerGas * 10n >= old.maxPriorityFeePerGas * 11n;

export interface ChainOptions {
  readonly startsAt: number;
  readonly streams: Streams;
  readonly balances: ReadonlyMap<Address, bigint>;
  /** How many blocks the newest final one is behind the newest. */
  readonly finalityDepth: number;
  /** Whether the next block may include a transaction that was replaced in the pool. */
  readonly takesReplaced: () => boolean;
}

export type SimulatedChain = ReturnType<typeof createChain>;

export const createChain = ({ startsAt, streams, balances, finalityDepth, takesReplaced }: ChainOptions) => {
  const random = streams.of('chain');
  const genesis: Block = {
    number: 0,
    hash: hexOf(random, 32),
    time: startsAt,
    baseFee: 30n * gwei,
    mined: [],
    state: { counts: new Map(), balances, collections: new Map() },
  };
  let branch: Block[] = [genesis];
  let finalHeight = 0;
  let baseFee = genesis.baseFee;
  const grants = new Map<Address, bigint>();
  /** All transactions that the network knows, by sender and nonce; the newest of them is in the pools. */
  const pool = new Map<Address, Map<number, Sent[]>>();
  const blocksOf = new Map<Hash, Block[]>();

  const head = (): Block => branch.at(-1) ?? genesis;

  const take = (from: Address, nonce: number): Sent | undefined => {
    const known =
      pool
        .get(from)
        ?.get(nonce)
        ?.filter(({ maxFeePerGas }) => maxFeePerGas >= baseFee) ?? [];
    const [first, ...others] = known;
    if (first === undefined) return undefined;
    return others.length > 0 && takesReplaced() ? oneOf(random, [first, ...others]) : known.at(-1);
  };

  const mine = (time: number, isEmpty: boolean): void => {
    let { state } = head();
    if (grants.size > 0) state = { ...state, balances: new Map([...state.balances, ...grants]) };
    grants.clear();
    const mined: MinedTransaction[] = [];
    for (const from of isEmpty ? [] : pool.keys()) {
      for (let nonce = state.counts.get(from) ?? 0; ; nonce += 1) {
        const sent = take(from, nonce);
        if (sent === undefined || (state.balances.get(from) ?? 0n) < sent.gas * sent.maxFeePerGas) break;
        const applied = apply(state, sent, baseFee);
        ({ state } = applied);
        mined.push(applied.mined);
      }
    }
    const number = branch.length;
    const block = { number, hash: hexOf(random, 32), time, baseFee, mined, state };
    branch.push(block);
    for (const { sent } of mined) blocksOf.set(sent.hash, [...(blocksOf.get(sent.hash) ?? []), block]);
  };

  const countAt = (block: Block, address: Address): number => block.state.counts.get(address) ?? 0;

  /**
   * Sends a transaction of an outsider who has the key. The next block includes it in preference to any other with this
   * nonce.
   */
  const useKey = (sent: Sent): void => {
    pool.set(sent.from, new Map(pool.get(sent.from) ?? []).set(sent.nonce, [sent]));
  };

  return {
    branch: (): Branch => branch,
    head,
    finalHeight: () => finalHeight,
    baseFee: () => baseFee,
    setBaseFee: (fee: bigint): void => {
      baseFee = fee;
    },
    countAt,
    /** Sets the balance that the address has from the next block on. */
    fund: (address: Address, wei: bigint): void => {
      grants.set(address, wei);
    },
    /** The block of the branch that has the transaction, if it is not higher than `height`. */
    blockWith: (hash: Hash, { branch: view, height }: { readonly branch: Branch; readonly height: number }) =>
      blocksOf.get(hash)?.find((block) => block.number <= height && view[block.number] === block),
    pooled: (address: Address, nonce: number): Sent | undefined => pool.get(address)?.get(nonce)?.at(-1),
    isPooledHash: (wanted: Hash): boolean =>
      pool.values().some((bySender) => bySender.values().some((known) => known.at(-1)?.hash === wanted)),
    /**
     * Offers a transaction to a node with the network's pool. Returns the node's error; `undefined` if the node accepts
     * it.
     */
    offer: (sent: Sent): string | undefined => {
      const { from, nonce, gas, maxFeePerGas } = sent;
      if (nonce < countAt(head(), from)) return 'nonce too low';
      const known = pool.get(from)?.get(nonce) ?? [];
      const current = known.at(-1);
      if (current?.hash === sent.hash) return 'already known';
      if (current !== undefined && !isReplaced(current, sent)) return 'replacement transaction underpriced';
      if ((head().state.balances.get(from) ?? 0n) < gas * maxFeePerGas) {
        return 'insufficient funds for gas * price + value';
      }
      const bySender = pool.get(from) ?? new Map<number, Sent[]>();
      pool.set(from, bySender);
      bySender.set(nonce, [...known.filter(({ hash }) => hash !== sent.hash), sent]);
      return undefined;
    },
    forgetPool: (): void => pool.clear(),
    mine,
    useKey,
    advanceFinality: (): void => {
      finalHeight = Math.max(finalHeight, head().number - finalityDepth);
    },
    /**
     * Replaces the newest `depth` blocks by `depth + 1` new ones. The transactions of the old blocks return to the
     * pool, but those in `instead` take the places of those with the same nonces.
     */
    reorganize: (
      depth: number,
      { time, instead }: { readonly time: number; readonly instead: readonly Sent[] },
    ): void => {
      const orphaned = branch.slice(branch.length - depth);
      branch = branch.slice(0, branch.length - depth);
      for (const { mined } of orphaned) {
        for (const { sent } of mined) {
          const bySender = pool.get(sent.from) ?? new Map<number, Sent[]>();
          pool.set(sent.from, bySender);
          const known = bySender.get(sent.nonce) ?? [];
          if (!known.some(({ hash }) => hash === sent.hash)) bySender.set(sent.nonce, [sent, ...known]);
        }
      }
      for (const sent of instead) useKey(sent);
      for (let block = 0; block <= depth; block += 1) mine(time, random() < 0.5);
    },
  };
};
