/** Simulates JSON-RPC endpoints: which part of the chain each endpoint sees, and how it answers. */
import type { Hash } from '../../shared/chain/hex.ts';
import { EndpointError, type RpcExchange } from '../../shared/chain/rpc/json-rpc.ts';
import type { Sent, SimulatedChain } from './chain.ts';
import type { Faults } from './faults.ts';
import type { History } from './history.ts';
import { AbortError, type Process } from './process.ts';
import { answerOf, type Mood, type View } from './rpc-methods.ts';
import type { Scheduler } from './scheduler.ts';
import { between, type Streams } from './streams.ts';

export interface Endpoint {
  readonly name: string;
  readonly url: string;
  /** For each way of misbehaving, the time until which the endpoint misbehaves in this way. */
  readonly moods: Map<Mood, number>;
  /** The part of the chain that the endpoint saw when it stopped following the chain. */
  stillView: View | undefined;
  readonly lag: { blocks: number };
  /** Transactions that the endpoint accepted, but passes on to no other. */
  readonly swallowed: Map<Hash, Sent>;
}

interface EndpointsOptions {
  readonly scheduler: Scheduler;
  readonly streams: Streams;
  readonly faults: Faults;
  readonly history: History;
  readonly chain: SimulatedChain;
  readonly count: number;
  /** Whether all endpoints may hide logs at the same time. Only where no token is revoked: see docs/simulation.md. */
  readonly mayAllHideLogs: boolean;
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
  mayAllHideLogs,
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
    const isStill = has(endpoint, 'endpoint: stands still') || has(endpoint, 'endpoint: stays on a fork');
    if (isStill && endpoint.stillView !== undefined) return endpoint.stillView;
    const branch = chain.branch();
    const lag = has(endpoint, 'endpoint: lags') ? endpoint.lag.blocks : 0;
    const height = Math.max(0, branch.length - 1 - lag);
    return { branch, height, finalHeight: Math.min(height, chain.finalHeight()) };
  };

  const begin = (endpoint: Endpoint, mood: Mood): boolean => {
    const lasts = between(streams.of(`moods of ${endpoint.name}`), 2_000, 90_000);
    if (has(endpoint, mood) || !faults.strike(mood, endpoint.name)) return false;
    endpoint.moods.set(mood, scheduler.now() + lasts);
    history.say(endpoint.name, `${mood.slice('endpoint: '.length)} for ${lasts} ms`);
    return true;
  };
  /** If two endpoints report the same absence, it counts, so only one endpoint at a time may lie about it. */
  const mayLie = (endpoint: Endpoint): boolean =>
    count > 1 && endpoints.every((other) => other === endpoint || !lies.some((lie) => has(other, lie)));

  /** Draws how each endpoint misbehaves from now on. Called every ten seconds. */
  const changeMoods = (): void => {
    for (const endpoint of endpoints) {
      for (const mood of lies) if (mayLie(endpoint)) begin(endpoint, mood);
      for (const mood of plainMoods) begin(endpoint, mood);
      if (mayAllHideLogs) begin(endpoint, 'endpoint: hides logs');
      if (begin(endpoint, 'endpoint: lags')) {
        endpoint.lag.blocks = between(streams.of(`lags of ${endpoint.name}`), 1, 12);
      }
      if (begin(endpoint, 'endpoint: stands still')) {
        endpoint.moods.delete('endpoint: stays on a fork');
        endpoint.stillView = undefined;
        endpoint.stillView = viewOf(endpoint);
      }
    }
  };

  const exchangeOf =
    (process: Process): RpcExchange =>
    ({ url, requests, timeoutMilliseconds }) => {
      const endpoint = byUrl.get(url);
      const answer = <Answer>(milliseconds: number, outcome: () => Answer): Promise<Answer> =>
        process.answer(milliseconds, outcome).catch((cause: unknown) => {
          throw cause instanceof AbortError ? new EndpointError({ message: 'request failed', cause }) : cause;
        });
      const failWith = (milliseconds: number, error: () => EndpointError): Promise<never> =>
        answer(milliseconds, () => {
          throw error();
        });
      const silence = () =>
        new EndpointError({ message: 'no answer', silentMilliseconds: timeoutMilliseconds });
      if (endpoint === undefined) return failWith(1, () => new EndpointError({ message: 'unknown host' }));
      if (process.isPastDeadline()) return failWith(0, silence);
      const asked = requests.map(({ method }) => method);
      const isRead = !asked.includes('eth_sendRawTransaction');
      const describe = (text: () => string) => (): string =>
        `${endpoint.name} ${asked.join(', ')} → ${text()}`;
      const say = (text: () => string): void => history.say(process.name, describe(text));
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
          swallowed: endpoint.swallowed,
          view: viewOf(endpoint),
          chain,
          has: (mood: Mood) => has(endpoint, mood),
          onSent: (sent: Sent) => onSent(sent, process),
        };
        body = requests.map((request, id) => answerOf(answering, request, id));
        if (isLost) say(() => 'answer lost');
        else if (isRead)
          history.sayOfRead(
            process.name,
            describe(() => JSON.stringify(body)),
          );
        else say(() => JSON.stringify(body));
      });
      return isLost ? failWith(timeoutMilliseconds, silence) : answer(latency, () => body);
    };

  return {
    endpoints,
    changeMoods,
    exchangeOf,
    /** Must be called before blocks are replaced: some endpoints do not notice the replacement. */
    leaveBehind: (): void => {
      for (const endpoint of endpoints) {
        const view = viewOf(endpoint);
        if (begin(endpoint, 'endpoint: stays on a fork')) endpoint.stillView = view;
      }
    },
    /** Every endpoint behaves well from now on; but all except one may keep transactions for themselves. */
    recover: (): void => {
      const honest = endpoints.find((endpoint) => !has(endpoint, swallowing)) ?? endpoints[0];
      for (const endpoint of endpoints) {
        const isKeeper = endpoint !== honest && has(endpoint, swallowing);
        endpoint.moods.clear();
        if (isKeeper) endpoint.moods.set(swallowing, Number.POSITIVE_INFINITY);
        else endpoint.swallowed.clear();
      }
    },
  };
};

const swallowing = 'endpoint: swallows transactions';
const lies = ['endpoint: hides logs', 'endpoint: invents failures', 'endpoint: denies code'] as const;
const plainMoods = [
  'endpoint: down',
  'endpoint: hangs',
  'endpoint: swallows transactions',
  'endpoint: hides receipts',
] as const;
