/**
 * A JSON-RPC endpoint for tests: a proxy in front of a real node that misbehaves as providers do. A seeded random
 * generator selects the faults. Two proxies in front of one node are two endpoints that disagree.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Random, seededRandom } from '../platform/seeded-random.ts';
import { createNodeView, type OwnPool, type RpcItem, type RpcReply } from './rpc-node-view.ts';

/**
 * Probabilities, by default 0. A request meets at most one fault of a request, and a sent transaction at most one of a
 * transaction, so the sum of each kind must be at most 1.
 */
export interface Faults {
  /** The probability that a request does not reach the node, and the connection closes without an answer. */
  readonly lost?: number;
  /** The probability that a request is answered with 429. */
  readonly tooManyRequests?: number;
  /** The probability that a request is answered with 503. */
  readonly unavailable?: number;
  /** The probability that the node answers a request as if it were two blocks behind. */
  readonly lagging?: number;
  /** The probability that the node answers a request with block hashes that no other node has. */
  readonly contradicting?: number;
  /** The probability that the node accepts a sent transaction but never answers. */
  readonly acceptedThenSilent?: number;
  /** The probability that the node accepts a sent transaction but answers "already known". */
  readonly alreadyKnown?: number;
  /** The probability that a sent transaction does not reach the node and the answer is "nonce too low". */
  readonly nonceTooLow?: number;
  /** The probability that the node accepts a sent transaction and drops it from its pool at once. */
  readonly dropped?: number;
  /** Not a probability. A replacement must raise both fees by this percentage, or is refused as "underpriced". */
  readonly replacementPercent?: number;
  /** In wei. A transaction whose gas limit times its fee exceeds this is refused, as with geth's `rpc.txfeecap`. */
  readonly feeCap?: bigint;
}

export type FaultName =
  | Exclude<keyof Faults, 'replacementPercent' | 'feeCap'>
  | 'replacementRefused'
  | 'feeRefused';

/** All faults at once, as the acceptance criteria of the transaction log demand. */
export const everyFault: Faults = {
  lost: 1 / 3,
  tooManyRequests: 0.05,
  unavailable: 0.05,
  lagging: 0.1,
  contradicting: 0.05,
  acceptedThenSilent: 0.05,
  alreadyKnown: 0.1,
  nonceTooLow: 0.1,
  dropped: 0.1,
  replacementPercent: 10,
};

/** The result with which a proxy answers a question, instead of the node's own `result`. */
export type AnswerChange = (question: RpcItem, result: unknown) => unknown;

export interface RpcFaultProxy extends AsyncDisposable {
  readonly url: string;
  /** How often each fault happened. */
  readonly counts: ReadonlyMap<FaultName, number>;
  /** The number of requests received, including lost ones. */
  readonly requests: () => number;
  /** Accepts the transactions of this address without passing them to the node. `undefined` ends this. */
  holdBack(sender: string | undefined): void;
  /** Keeps all transactions in a pool of its own, and passes none on. `false` ends this and forgets them. */
  swallow(swallows: boolean): void;
  /** Replaces the result of each answer by that of `change`. `undefined` ends this. */
  alter(change: AnswerChange | undefined): void;
  /** Takes effect with the next request. `{}` ends all faults. */
  setFaults(faults: Faults): void;
  /** For a node that was restarted at another address. */
  setTarget(url: string): void;
  stop(): Promise<void>;
}

export interface RpcFaultProxyOptions {
  readonly target: string;
  readonly seed: number;
  /** @default everyFault */
  readonly faults?: Faults;
  /** @default 0, which chooses a free port */
  readonly port?: number;
}

const requestFaults = ['lost', 'tooManyRequests', 'unavailable', 'lagging', 'contradicting'] as const;
const sendFaults = ['acceptedThenSilent', 'alreadyKnown', 'nonceTooLow', 'dropped'] as const;

export async function startRpcFaultProxy(options: RpcFaultProxyOptions): Promise<RpcFaultProxy> {
  const random = seededRandom(options.seed);
  const counts = new Map<FaultName, number>();
  let faults = options.faults ?? everyFault;
  let target = options.target;
  let requests = 0;
  let heldBack: string | undefined;
  let ownPool: OwnPool | undefined;
  let change: AnswerChange | undefined;

  function happen(name: FaultName): void {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requests += 1;
    const body = JSON.parse(await text(request)) as RpcItem | RpcItem[];
    const fault = draw({ random, faults, names: requestFaults });
    if (fault !== undefined) happen(fault);
    if (fault === 'lost') return void request.socket.destroy();
    if (fault === 'tooManyRequests') return void response.writeHead(429).end();
    if (fault === 'unavailable') return void response.writeHead(503).end();

    const node = createNodeView({
      target,
      view: fault,
      sendFault: () => draw({ random, faults, names: sendFaults }),
      replacementPercent: faults.replacementPercent,
      feeCap: faults.feeCap,
      heldBack,
      ownPool,
      onFault: happen,
    });
    const items = Array.isArray(body) ? body : [body];
    const replies: RpcReply[] = [];
    for (const item of items) {
      const reply = await node.answer(item);
      // The connection stays open until the client's own timeout.
      if (reply === 'silence') return;
      replies.push(change === undefined ? reply : { ...reply, result: change(item, reply.result) });
    }
    const [first] = replies;
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(Array.isArray(body) ? replies : first));
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      // The node is unreachable, or the request was not JSON-RPC.
      response.writeHead(502).end(String(error));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });

  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    requests: () => requests,
    holdBack: (sender) => {
      heldBack = sender?.toLowerCase();
    },
    swallow: (swallows) => {
      ownPool = swallows ? new Map() : undefined;
    },
    alter: (next) => {
      change = next;
    },
    setFaults: (next) => {
      faults = next;
    },
    setTarget: (next) => {
      target = next;
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function draw<Name extends keyof Faults>({
  random,
  faults,
  names,
}: {
  readonly random: Random;
  readonly faults: Faults;
  readonly names: readonly Name[];
}): Name | undefined {
  let left = random();
  for (const name of names) {
    left -= faults[name] ?? 0;
    if (left < 0) return name;
  }
  return undefined;
}
