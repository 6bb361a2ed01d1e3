/** JSON-RPC endpoints: what each of them sees of the chain, and what it says. */
import { toHex } from 'viem/utils';
import type { Address, Hash, Hex } from '../../shared/nft/hex.ts';
import { EndpointError, type RpcExchange, type RpcRequest } from '../../shared/platform/rpc/json-rpc.ts';
import {
  type Block,
  type Branch,
  type MinedTransaction,
  type Sent,
  type SimulatedChain,
  sentOf,
} from './chain.ts';
import { Reverted, readCollection } from './collection.ts';
import type { FaultKind, Faults } from './faults.ts';
import type { History } from './history.ts';
import type { Process } from './process.ts';
import type { Scheduler } from './scheduler.ts';
import { between, type Streams } from './streams.ts';

export const chainId = 31_337;

type Mood = Extract<FaultKind, `endpoint: ${string}`>;

/** The newest block that an endpoint has, and the newest that it calls final. */
interface View {
  readonly branch: Branch;
  readonly height: number;
  readonly finalHeight: number;
}

export interface Endpoint {
  readonly name: string;
  readonly url: string;
  /** Since when, and how long, the endpoint misbehaves in each way. */
  readonly moods: Map<Mood, number>;
  /** What the endpoint saw when it began to stand still. */
  stillView: View | undefined;
  readonly lag: { blocks: number };
  /** Transactions that it accepted and passes on to nobody. */
  readonly swallowed: Map<Hash, Sent>;
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

interface Answering {
  readonly endpoint: Endpoint;
  readonly view: View;
  readonly chain: SimulatedChain;
  readonly has: (mood: Mood) => boolean;
  readonly onSent: (sent: Sent) => void;
}

const blockAt = ({ view }: Answering, tag: unknown): Block | undefined => {
  if (tag === 'latest' || tag === 'pending') return view.branch[view.height];
  if (tag === 'finalized') return view.branch[view.finalHeight];
  const number = Number(tag);
  return number <= view.height ? view.branch[number] : undefined;
};

const stateAt = (answering: Answering, tag: unknown): Block => {
  const block = blockAt(answering, tag);
  if (block === undefined) throw new RpcFailure({ code: -32_000, message: 'header not found' });
  return block;
};

const pendingCount = ({ endpoint, chain }: Answering, address: Address, latest: number): number => {
  const isKnown = (nonce: number): boolean =>
    chain.pooled(address, nonce) !== undefined ||
    endpoint.swallowed.values().some((sent) => sent.from === address && sent.nonce === nonce);
  let count = latest;
  while (isKnown(count)) count += 1;
  return count;
};

const receiptOf = (answering: Answering, hash: Hash) => {
  const block = answering.chain.blockWith(hash, answering.view);
  const mined = block?.mined.find(({ sent }) => sent.hash === hash);
  if (block === undefined || mined === undefined || answering.has('endpoint: hides receipts')) return null;
  return {
    transactionHash: hash,
    blockNumber: toHex(block.number),
    blockHash: block.hash,
    status: mined.isSuccess ? '0x1' : '0x0',
    gasUsed: toHex(mined.sent.gas / 2n),
    logs: mined.logs,
  };
};

const send = ({ endpoint, chain, has, onSent, view }: Answering, raw: Hex): Hash => {
  const sent = sentOf(raw);
  onSent(sent);
  const swallows = has('endpoint: swallows transactions');
  const refusal = ((): string | undefined => {
    if (!swallows) return chain.offer(sent);
    const block = view.branch[view.height];
    if (block !== undefined && sent.nonce < chain.countAt(block, sent.from)) return 'nonce too low';
    return endpoint.swallowed.has(sent.hash) ? 'already known' : undefined;
  })();
  if (refusal !== undefined) throw new RpcFailure({ code: -32_000, message: refusal });
  if (swallows) endpoint.swallowed.set(sent.hash, sent);
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
    const { chain, endpoint, view } = answering;
    const block = chain.blockWith(hash as Hash, view);
    if (block !== undefined) {
      return answering.has('endpoint: hides receipts') ? null : { blockNumber: toHex(block.number) };
    }
    const isPooled = chain.isPooledHash(hash as Hash) || endpoint.swallowed.has(hash as Hash);
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
    stateAt(answering, tag).state.collections.has(String(address).toLowerCase() as Address) ? '0x60' : '0x',
  eth_call: (answering, [call, tag]) => {
    const { to, data } = call as { readonly to: Address; readonly data: Hex };
    try {
      return readCollection(stateAt(answering, tag).state.collections.get(to.toLowerCase() as Address), data);
    } catch (error) {
      if (!(error instanceof Reverted)) throw error;
      throw new RpcFailure({ code: 3, message: error.message, data: error.data });
    }
  },
};

const answerOf = (answering: Answering, { method, params }: RpcRequest, id: number) => {
  try {
    const result = methods[method]?.(answering, params);
    if (result === undefined)
      throw new RpcFailure({ code: -32_601, message: `there is no method ${method}` });
    return { id, result };
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    const { code, message, data } = error;
    return { id, error: { code, message, ...(data === undefined ? {} : { data }) } };
  }
};

interface EndpointsOptions {
  readonly scheduler: Scheduler;
  readonly streams: Streams;
  readonly faults: Faults;
  readonly history: History;
  readonly chain: SimulatedChain;
  readonly count: number;
  /** Called with each transaction that an endpoint receives, and with whoever sent it. */
  readonly onSent: (sent: Sent, process: Process) => void;
}

export type SimulatedEndpoints = ReturnType<typeof createEndpoints>;

export const createEndpoints = ({
  scheduler,
  streams,
  faults,
  history,
  chain,
  count,
  onSent,
}: EndpointsOptions) => {
  const endpoints: Endpoint[] = Array.from({ length: count }, (_, index) => ({
    name: `endpoint ${index + 1}`,
    url: `https://endpoint-${index + 1}.example.com/`,
    moods: new Map(),
    stillView: undefined,
    lag: { blocks: 0 },
    swallowed: new Map(),
  }));
  const byUrl = new Map(endpoints.map((endpoint) => [endpoint.url, endpoint]));
  const has = (endpoint: Endpoint, mood: Mood): boolean => (endpoint.moods.get(mood) ?? 0) > scheduler.now();

  const viewOf = (endpoint: Endpoint): View => {
    const isStill = has(endpoint, 'endpoint: stands still') || has(endpoint, 'endpoint: on a fork');
    if (isStill && endpoint.stillView !== undefined) return endpoint.stillView;
    const branch = chain.branch();
    const lag = has(endpoint, 'endpoint: lags') ? endpoint.lag.blocks : 0;
    const height = Math.max(0, branch.length - 1 - lag);
    return { branch, height, finalHeight: Math.min(height, chain.finalHeight()) };
  };

  /** Draws how each endpoint misbehaves from now on. Called once in ten seconds. */
  const changeMoods = (): void => {
    for (const endpoint of endpoints) {
      const random = streams.of(`moods of ${endpoint.name}`);
      const begin = (mood: Mood): boolean => {
        const lasts = between(random, 2_000, 90_000);
        if (has(endpoint, mood) || !faults.strike(mood, endpoint.name)) return false;
        endpoint.moods.set(mood, scheduler.now() + lasts);
        history.say(endpoint.name, `${mood.slice('endpoint: '.length)} for ${lasts} ms`);
        return true;
      };
      // A liar is alone: what two endpoints deny together counts.
      const isOnlyLiar = (mood: Mood): boolean =>
        count > 1 &&
        endpoints.every((other) => other === endpoint || !liesOf.some((lie) => has(other, lie))) &&
        mood !== undefined;
      for (const mood of liesOf) if (isOnlyLiar(mood)) begin(mood);
      for (const mood of plainMoods) begin(mood);
      if (begin('endpoint: lags')) endpoint.lag.blocks = between(random, 1, 12);
      if (begin('endpoint: stands still')) endpoint.stillView = viewOf({ ...endpoint, moods: new Map() });
      if (begin('endpoint: on a fork'))
        endpoint.stillView = chain.fork(between(random, 1, 3), scheduler.now());
    }
  };

  const exchangeOf =
    (process: Process): RpcExchange =>
    ({ url, requests, timeoutMilliseconds }) => {
      const endpoint = byUrl.get(url);
      const failWith = (milliseconds: number, error: () => EndpointError): Promise<never> =>
        process.after(milliseconds, () => {
          throw error();
        });
      const silence = () =>
        new EndpointError({ message: 'no answer', silentMilliseconds: timeoutMilliseconds });
      if (endpoint === undefined) return failWith(1, () => new EndpointError({ message: 'unknown host' }));
      const say = (text: () => string): void =>
        history.say(
          process.name,
          () => `${endpoint.name} ${requests.map(({ method }) => method).join(', ')} → ${text()}`,
        );
      const random = streams.of(`${endpoint.name} @ ${process.task}`);
      const latency = between(random, 5, 120);
      if (has(endpoint, 'endpoint: down')) {
        say(() => 'down');
        return failWith(latency, () => new EndpointError({ message: 'request failed' }));
      }
      if (has(endpoint, 'endpoint: hangs')) {
        say(() => 'hangs');
        return failWith(timeoutMilliseconds, silence);
      }
      if (faults.strike('endpoint: refuses', `${endpoint.name} for ${process.task}`)) {
        say(() => 'HTTP 429');
        return failWith(latency, () => new EndpointError({ message: 'HTTP 429' }));
      }
      const isLost = faults.strike('endpoint: answer lost', `${endpoint.name} for ${process.task}`);
      let body: unknown;
      scheduler.at(scheduler.now() + Math.ceil(latency / 2), () => {
        const answering = {
          endpoint,
          view: viewOf(endpoint),
          chain,
          has: (mood: Mood) => has(endpoint, mood),
          onSent: (sent: Sent) => onSent(sent, process),
        };
        body = requests.map((request, id) => answerOf(answering, request, id));
        say(() => (isLost ? 'answer lost' : JSON.stringify(body)));
      });
      return isLost ? failWith(timeoutMilliseconds, silence) : process.after(latency, () => body);
    };

  return {
    endpoints,
    changeMoods,
    exchangeOf,
    /** Every endpoint behaves well from now on, but `stays`. */
    recover: (stays: (endpoint: Endpoint, mood: Mood) => boolean): void => {
      for (const endpoint of endpoints) {
        for (const mood of endpoint.moods.keys()) if (!stays(endpoint, mood)) endpoint.moods.delete(mood);
        // What it swallowed is lost with the next restart of the node.
        if (!has(endpoint, 'endpoint: swallows transactions')) endpoint.swallowed.clear();
      }
    },
  };
};

const liesOf = ['endpoint: hides receipts', 'endpoint: hides logs'] as const;
const plainMoods = ['endpoint: down', 'endpoint: hangs', 'endpoint: swallows transactions'] as const;
