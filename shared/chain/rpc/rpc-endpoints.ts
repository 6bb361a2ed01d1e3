import type { SecretReader } from '../../platform/aws/secret-reader.ts';
import { type CircuitBreaker, CircuitOpenError } from '../../platform/outside/circuit-breaker.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { patient } from '../../platform/time/patience.ts';
import { ChainUnavailableError } from '../errors.ts';
import {
  batchLimit,
  callEndpoint,
  EndpointError,
  exchangeOverHttp,
  type RpcAnswer,
  type RpcExchange,
  type RpcRequest,
  usualTimeoutMilliseconds,
} from './json-rpc.ts';
import { count, resultOf } from './wire.ts';

/** Reads the endpoints' URLs, best first, from a secret. Reads the secret again after five minutes. */
export type RpcUrls = SecretReader<{ readonly urls: readonly string[] }>;

export interface RpcEndpointOptions {
  /** An endpoint of another chain counts as failed. */
  readonly chainId: number;
  readonly urls: RpcUrls;
  readonly clock: Clock;
  /** The time limit of one HTTP request. @default 2_500 */
  readonly requestTimeoutMilliseconds?: number;
  /** After this time no further endpoint is queried. @default 5_000 */
  readonly questionTimeoutMilliseconds?: number;
  /** Creates the circuit breaker of an endpoint, which skips the endpoint while it hangs. @default no breakers */
  readonly breakerOf?: (endpoint: EndpointToSpare) => CircuitBreaker;
  /** @default exchangeOverHttp */
  readonly exchange?: RpcExchange;
}

export interface EndpointToSpare {
  readonly host: string;
  readonly isHanging: (error: unknown) => boolean;
}

const unbroken: CircuitBreaker = { run: (exchange) => exchange() };

export type EndpointAnswer =
  | { readonly endpoint: string; readonly answers: readonly RpcAnswer[] }
  | { readonly endpoint: string; readonly failure: EndpointError };

/** Several requests to the same endpoint, so that later requests can depend on earlier answers. */
interface Conversation {
  readonly endpoint: string;
  ask(requests: readonly RpcRequest[]): Promise<EndpointAnswer>;
}

export interface RpcEndpoints {
  /**
   * Queries one endpoint after the other until `accept` returns a value for an endpoint's answers. Goes through the
   * list of endpoints at most twice. `accept` throws EndpointError for an unusable answer. Only for reads, because a
   * request may be sent several times.
   * @throws ChainUnavailableError
   */
  first<Value>(
    requests: readonly RpcRequest[],
    accept: (answers: readonly RpcAnswer[]) => Value,
  ): Promise<Value>;
  /** Queries all endpoints at the same time. The result has an entry for each. @throws ChainUnavailableError */
  every(requests: readonly RpcRequest[]): Promise<readonly EndpointAnswer[]>;
  /** Queries one endpoint after the other, as long as the caller continues the loop and time is left. */
  inTurn(requests: readonly RpcRequest[], giveUpAt?: number): AsyncGenerator<EndpointAnswer>;
  /**
   * Lets `talk` converse with one endpoint after the other until `talk` returns. `talk` throws EndpointError for an
   * unusable answer. Goes through the list of endpoints at most `rounds` times.
   * @throws ChainUnavailableError
   */
  converse<Value>(
    talk: (ask: (requests: readonly RpcRequest[]) => Promise<readonly RpcAnswer[]>) => Promise<Value>,
    rounds?: number,
  ): Promise<Value>;
  /**
   * Moves the preferred endpoint to the end of the list for ten minutes. Call this if the endpoint answers, but its
   * newest block no longer advances, or transactions sent to it are not mined.
   */
  rotateEndpoint(): Promise<void>;
}

const restMilliseconds = 15_000;
const standstillMilliseconds = 600_000;
const renewalIntervalMilliseconds = 60_000;

const chainIdRequest: RpcRequest = { method: 'eth_chainId', params: [] };

export function createRpcEndpoints({
  chainId,
  urls,
  clock,
  requestTimeoutMilliseconds = usualTimeoutMilliseconds,
  questionTimeoutMilliseconds = patient(5_000),
  breakerOf = () => unbroken,
  exchange: exchangeBatch = exchangeOverHttp,
}: RpcEndpointOptions): RpcEndpoints {
  /** Until this time, an endpoint that failed comes last in the order of queries. */
  const restsUntil = new Map<string, number>();
  /** Until this time, an endpoint that was rotated away comes last, even if it answers. */
  const standsStillUntil = new Map<string, number>();
  /** Endpoints that are known to belong to the right chain. This is checked with the first batch to each endpoint. */
  const ofTheChain = new Set<string>();
  const breakers = new Map<string, CircuitBreaker>();
  let renewableFrom = 0;

  async function list(read: () => ReturnType<RpcUrls['read']>): Promise<readonly string[]> {
    try {
      return (await read()).urls;
    } catch (cause) {
      throw new ChainUnavailableError({ message: 'The list of RPC endpoints cannot be read', cause });
    }
  }

  function ordered(configured: readonly string[]): readonly string[] {
    const now = clock();
    // Among resting endpoints, the one whose rest ends first comes first, so that repeated rotation tries each in turn.
    const restingUntil = (url: string) => {
      const until = Math.max(restsUntil.get(url) ?? 0, standsStillUntil.get(url) ?? 0);
      return until > now ? until : 0;
    };
    return configured.toSorted((one, other) => restingUntil(one) - restingUntil(other));
  }

  /**
   * An endpoint counts as hanging only if it had enough time to answer: earlier endpoints may have used up most of the
   * time.
   */
  const isHanging = (error: unknown): boolean =>
    error instanceof EndpointError && error.silentMilliseconds >= requestTimeoutMilliseconds / 2;

  function breakerFor(url: string): CircuitBreaker {
    const breaker = breakers.get(url) ?? breakerOf({ host: hostOf(url), isHanging });
    breakers.set(url, breaker);
    return breaker;
  }

  async function ask(url: string, requests: readonly RpcRequest[], limit: number): Promise<EndpointAnswer> {
    const timeoutMilliseconds = Math.min(limit, requestTimeoutMilliseconds);
    const introduction = ofTheChain.has(url) ? [] : [chainIdRequest];
    const all = [...introduction, ...requests];
    const batches = Array.from({ length: Math.ceil(all.length / batchLimit) }, (_, index) =>
      all.slice(index * batchLimit, (index + 1) * batchLimit),
    );
    const exchange = async (): Promise<readonly RpcAnswer[]> => {
      const answers = (
        await Promise.all(
          batches.map((batch) =>
            callEndpoint({ url, requests: batch, timeoutMilliseconds, exchange: exchangeBatch }),
          ),
        )
      ).flat();
      if (introduction.length > 0) {
        requireChain(answers, chainId);
        ofTheChain.add(url);
      }
      restsUntil.delete(url);
      return answers.slice(introduction.length);
    };
    try {
      return { endpoint: hostOf(url), answers: await breakerFor(url).run(exchange) };
    } catch (error) {
      const failure =
        error instanceof CircuitOpenError
          ? new EndpointError({ message: error.message, cause: error })
          : error;
      if (!(failure instanceof EndpointError)) throw failure;
      restsUntil.set(url, clock() + restMilliseconds);
      return { endpoint: hostOf(url), failure };
    }
  }

  /**
   * Reads the list again after an endpoint has refused its credentials, at most once a minute. Returns only new URLs.
   */
  async function renewed(known: readonly string[]): Promise<readonly string[]> {
    if (clock() < renewableFrom) return [];
    renewableFrom = clock() + renewalIntervalMilliseconds;
    const fresh = await list(() => urls.refresh());
    return fresh.filter((url) => !known.includes(url));
  }

  /**
   * The endpoints, preferred ones first. If an endpoint refuses the credentials in its URL, the list of URLs is read
   * again. URLs that are new in the list come next.
   */
  async function* conversations(giveUpAt: number): AsyncGenerator<Conversation> {
    const known = await list(() => urls.read());
    const queue = [...ordered(known)];
    for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
      if (giveUpAt - clock() <= 0) return;
      const asked = url;
      let isRefused = false;
      yield {
        endpoint: hostOf(asked),
        ask: async (requests) => {
          const answer = await ask(asked, requests, Math.max(1, giveUpAt - clock()));
          isRefused = 'failure' in answer && answer.failure.unauthorized;
          return answer;
        },
      };
      if (isRefused) queue.unshift(...(await renewed(known)));
    }
  }

  async function* inTurn(
    requests: readonly RpcRequest[],
    giveUpAt = clock() + questionTimeoutMilliseconds,
  ): AsyncGenerator<EndpointAnswer> {
    for await (const conversation of conversations(giveUpAt)) yield await conversation.ask(requests);
  }

  async function every(requests: readonly RpcRequest[]): Promise<readonly EndpointAnswer[]> {
    const known = await list(() => urls.read());
    const answers = await Promise.all(known.map((url) => ask(url, requests, requestTimeoutMilliseconds)));
    const refused = answers.some((answer) => 'failure' in answer && answer.failure.unauthorized);
    const added = refused ? await renewed(known) : [];
    return added.length === 0
      ? answers
      : [
          ...answers,
          ...(await Promise.all(added.map((url) => ask(url, requests, requestTimeoutMilliseconds)))),
        ];
  }

  async function converse<Value>(
    talk: (ask: (requests: readonly RpcRequest[]) => Promise<readonly RpcAnswer[]>) => Promise<Value>,
    rounds = 2,
  ): Promise<Value> {
    const giveUpAt = clock() + questionTimeoutMilliseconds;
    const failures: string[] = [];
    const methods = new Set<string>();
    for (let round = 0; round < rounds && clock() < giveUpAt; round += 1) {
      for await (const { endpoint, ask } of conversations(giveUpAt)) {
        try {
          return await talk(async (requests) => {
            for (const { method } of requests) methods.add(method);
            const answer = await ask(requests);
            if ('failure' in answer) throw answer.failure;
            return answer.answers;
          });
        } catch (failure) {
          if (!(failure instanceof EndpointError)) throw failure;
          failures.push(`${endpoint}: ${failure.message}`);
        }
      }
    }
    throw new ChainUnavailableError({
      message: `No RPC endpoint answered ${[...methods].join(', ')} (${failures.join('; ') || 'the list is empty'})`,
    });
  }

  const first = <Value>(
    requests: readonly RpcRequest[],
    accept: (answers: readonly RpcAnswer[]) => Value,
  ): Promise<Value> => converse(async (ask) => accept(await ask(requests)));

  async function rotateEndpoint(): Promise<void> {
    const [url] = ordered(await list(() => urls.read()));
    if (url !== undefined) standsStillUntil.set(url, clock() + standstillMilliseconds);
  }

  return { first, every, inTurn, converse, rotateEndpoint };
}

/** Refuses an endpoint of another chain, whose data would look valid. @throws EndpointError */
function requireChain(answers: readonly RpcAnswer[], chainId: number): void {
  const found = resultOf(answers, 0, count);
  if (found !== chainId) throw new EndpointError({ message: `serves chain ${found}, not ${chainId}` });
}

/** The part of a URL that may be logged: providers put the API key into the path or the query. */
function hostOf(url: string): string {
  return URL.parse(url)?.host ?? 'malformed URL';
}
