import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ChainUnavailableError } from '../../../shared/chain/errors.ts';
import { createRpcEndpoints } from '../../../shared/chain/rpc/rpc-endpoints.ts';
import { broadcaster } from '../../../shared/nft/rpc/broadcaster.ts';
import { circuitBreaker } from '../../../shared/platform/outside/circuit-breaker.ts';
import { withDeadline } from '../../../shared/platform/time/deadline.ts';
import { fixedUrls } from '../../support/nft/rpc-urls.ts';
import {
  answers,
  type Behaviour,
  hangs,
  redirectsTo,
  startTinyServer,
  type TinyServer,
} from '../../support/ott/tiny-server.ts';

const balance = [{ method: 'eth_getBalance', params: [] }];
const firstResult = ([answer]: readonly unknown[]): unknown =>
  (answer as { readonly result: unknown }).result;

/** A node of chain 1 whose answer to anything else is `0x2a`. */
const node: Behaviour = (request, response) => {
  const asked: readonly { readonly id: number; readonly method: string }[] = JSON.parse(request.body);
  const answered = asked.map(({ id, method }) => ({ id, result: method === 'eth_chainId' ? '0x1' : '0x2a' }));
  answers(answered)(request, response);
};

let one: TinyServer;
let other: TinyServer;
let now = 0;
let logged: unknown[] = [];
let gauged: boolean[] = [];

beforeEach(async () => {
  now = 0;
  logged = [];
  gauged = [];
  [one, other] = await Promise.all([startTinyServer(), startTinyServer()]);
});
afterEach(async () => {
  await Promise.all([one[Symbol.asyncDispose](), other[Symbol.asyncDispose]()]);
});

const connect = ({ urls = [one.url], requestTimeoutMilliseconds = 1_000 } = {}) => {
  const log = (_: string, fields: unknown) => logged.push(fields);
  return createRpcEndpoints({
    chainId: 1,
    urls: fixedUrls(...urls),
    clock: () => now,
    requestTimeoutMilliseconds,
    breakerOf: ({ host, isHanging }) =>
      circuitBreaker({
        service: 'rpc',
        fields: { endpoint: host },
        clock: () => now,
        logger: { warn: log, info: log },
        gauge: (isOpen) => gauged.push(isOpen),
        probeMilliseconds: 10_000,
        isHanging,
      }),
  });
};

describe('an RPC endpoint that hangs', () => {
  it('is called once, and again after a pause', async () => {
    one.behave(hangs);
    const endpoints = connect();
    const ask = () => endpoints.first(balance, firstResult);

    for (let call = 0; call < 3; call += 1) await expect(ask()).rejects.toThrow(ChainUnavailableError);
    expect(one.received).toHaveLength(1);

    one.behave(node);
    now = 2_000;
    expect(await ask()).toBe('0x2a');
    expect(gauged).toEqual([true, false]);
    expect(logged).toEqual([
      { code: 'CIRCUIT_OPENED', outside_service: 'rpc', endpoint: new URL(one.url).host },
      { code: 'CIRCUIT_CLOSED', outside_service: 'rpc', endpoint: new URL(one.url).host },
    ]);
  });

  it('gets no further transactions, whose outcome is then unknown', async () => {
    one.behave(hangs);
    const broadcast = broadcaster(connect());

    for (let call = 0; call < 3; call += 1) {
      expect((await broadcast('0x02')).outcome).toBe('unknown');
    }

    expect(one.received).toHaveLength(1);
  });

  it('does not prevent calls to the other endpoints', async () => {
    one.behave(hangs);
    other.behave(node);
    const endpoints = connect({ urls: [one.url, other.url] });

    for (let call = 0; call < 3; call += 1) expect(await endpoints.first(balance, firstResult)).toBe('0x2a');
    const all = await endpoints.every(balance);

    expect(one.received).toHaveLength(1);
    expect(other.received).toHaveLength(4);
    expect(all.map((answer) => 'failure' in answer)).toEqual([true, false]);
  });

  it("is not assumed when the request's own deadline ended the call", async () => {
    one.behave(hangs);
    const endpoints = connect({ requestTimeoutMilliseconds: 5_000 });

    const late = withDeadline(20, () => endpoints.first(balance, firstResult));

    await expect(late).rejects.toThrow(ChainUnavailableError);
    expect(gauged).toEqual([]);
  });

  it('is not assumed when the endpoint refuses', async () => {
    one.behave(answers('', { status: 503 }));
    const endpoints = connect();

    await expect(endpoints.first(balance, firstResult)).rejects.toThrow(ChainUnavailableError);

    expect(one.received).toHaveLength(2);
    expect(gauged).toEqual([]);
  });
});

describe('the URL of an RPC endpoint', () => {
  it('can contain a key in its path or query, or credentials', async () => {
    one.behave(node);
    const url = one.url.replace('//', '//caller:p%40ss@');

    await connect({ urls: [`${url}/v2/key?token=a%20b`] }).first(balance, firstResult);

    expect(one.received).toMatchObject([
      {
        path: '/v2/key?token=a%20b',
        headers: { authorization: `Basic ${Buffer.from('caller:p@ss').toString('base64')}` },
      },
    ]);
  });

  it.each([
    ['is of a protocol that is not spoken', () => one.url.replace('http', 'ws')],
    ['is none', () => 'node.example'],
  ])('is skipped when it %s', async (_what, wrong) => {
    one.behave(node);
    other.behave(node);

    expect(await connect({ urls: [wrong(), other.url] }).first(balance, firstResult)).toBe('0x2a');
    expect(one.received).toEqual([]);
  });

  it('is the only one that is called, even if the endpoint redirects', async () => {
    one.behave(redirectsTo(other.url));
    other.behave(node);

    await expect(connect().first(balance, firstResult)).rejects.toThrow('HTTP 307');

    expect(other.received).toEqual([]);
  });
});
