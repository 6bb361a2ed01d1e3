import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RpcRequest } from '../../../shared/chain/rpc/json-rpc.ts';
import { createRpcEndpoints } from '../../../shared/chain/rpc/rpc-endpoints.ts';
import { receiptReader } from '../../../shared/nft/rpc/receipts.ts';
import { systemClock } from '../../../shared/platform/time/clock.ts';

const key = 'a-very-secret-key-4711';
const chainId = 137;

interface Reply {
  readonly status?: number;
  readonly body: unknown;
}

/** An endpoint that answers a batch as `reply` says. It is asked about its chain with the first batch. */
const endpointsOf = async (reply: (ids: readonly number[]) => Reply) => {
  const server = createServer(async (request, response) => {
    const asked = JSON.parse(Buffer.concat(await request.toArray()).toString()) as { id: number }[];
    const { status = 200, body } = reply(asked.map(({ id }) => id));
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2/${key}`;
  const read = async () => ({ urls: [url] });
  return createRpcEndpoints({ chainId, urls: { read, refresh: read }, clock: systemClock });
};

const heights: readonly RpcRequest[] = [{ method: 'eth_blockNumber', params: [] }];
const chain = { jsonrpc: '2.0', id: 0, result: '0x89' };

const heard = async (reply: Parameters<typeof endpointsOf>[0]) => {
  const [answer] = await (await endpointsOf(reply)).every(heights);
  if (answer === undefined) throw new Error('nothing was asked');
  return 'failure' in answer ? answer.failure.message : answer.answers;
};

describe('an answer of an RPC endpoint', () => {
  it.each<readonly [string, unknown]>([
    ['as JSON-RPC 2.0 has it', [chain, { jsonrpc: '2.0', id: 1, result: '0x5' }]],
    ['in another order', [{ id: 1, result: '0x5' }, chain]],
    [
      'with "error": null beside the result',
      [
        { ...chain, error: null },
        { id: 1, result: '0x5', error: null },
      ],
    ],
    [
      'with ids as text',
      [
        { ...chain, id: '0' },
        { id: '1', result: '0x5' },
      ],
    ],
    [
      'with an error of no request beside all answers',
      [chain, { id: 1, result: '0x5' }, { id: null, error: 'slow' }],
    ],
  ])('counts %s', async (_, body) => {
    expect(await heard(() => ({ body }))).toEqual([{ result: '0x5' }]);
  });

  it.each<readonly [string, unknown, object]>([
    [
      'an object',
      { code: -32_000, message: 'header not found' },
      { code: -32_000, message: 'header not found' },
    ],
    ['an object with its code as text', { code: '-32000', message: 'x' }, { code: -32_000, message: 'x' }],
    ['an object without a code', { message: 'x' }, { code: 0, message: 'x' }],
    ['an object without a message', { code: -32_603 }, { code: -32_603, message: 'error -32603' }],
    ['text', 'upstream timed out', { code: 0, message: 'upstream timed out' }],
  ])('to one request is an error if the error is %s', async (_, error, expected) => {
    for (const beside of [{}, { result: null }]) {
      const answers = await heard(() => ({ body: [chain, { id: 1, ...beside, error }] }));

      expect(answers).toEqual([{ error: expected }]);
    }
  });

  it.each<readonly [string, unknown, string]>([
    ['is empty', [], 'no answer to eth_chainId'],
    ['lacks one request', [chain], 'no answer to eth_blockNumber'],
    ['has only "error": null', [chain, { id: 1, error: null }], 'no answer to eth_blockNumber'],
    ['has neither result nor error', [chain, { id: 1 }], 'no answer to eth_blockNumber'],
    [
      'answers a request twice',
      [chain, { id: 1, result: '0x5' }, { id: 1, result: '0x6' }],
      'answers eth_blockNumber twice',
    ],
    [
      'is a list with one error whose id is null',
      [{ id: null, error: { code: -32_000, message: 'batch limit 1 exceeded' } }],
      'batch limit 1 exceeded',
    ],
    [
      'is a list with one error whose id is that of the first request',
      [{ id: 0, error: { code: -32_600, message: 'batch too large' } }],
      'batch too large',
    ],
    [
      'is one error without an id',
      { jsonrpc: '2.0', error: { code: -32_002, message: 'simulation failed' } },
      'simulation failed',
    ],
    [
      'is one error with the id of a request',
      { id: 1, error: { code: -32_005, message: 'too many' } },
      'too many',
    ],
    ['is one error that is text', { error: 'no such route' }, 'no such route'],
    ['is a number', 7, 'answer is not JSON-RPC'],
    ['is a page', '<html>Log in</html>', 'answer is not JSON'],
  ])('is none, with the reason of the endpoint, if it %s', async (_, body, reason) => {
    expect(await heard(() => ({ body }))).toBe(reason);
  });

  it('with "error": null alone never says that a transaction is absent', async () => {
    const hash = `0x${'1'.repeat(64)}` as const;
    const answering = async (answer: object) => {
      const endpoints = await endpointsOf(() => ({ body: [chain, { id: 1, ...answer }] }));
      return receiptReader(endpoints)
        .whereabouts([hash])
        .then((found) => found.get(hash), String);
    };

    expect(await answering({ error: null })).toContain('no answer to eth_getTransactionByHash');
    expect(await answering({})).toContain('no answer to eth_getTransactionByHash');
    expect(await answering({ result: null, error: null })).toBe('absent');
  });
});

describe('a refusal of an RPC endpoint', () => {
  /** As the providers document them. */
  it.each<readonly [string, number, unknown, string]>([
    [
      'Alchemy, without a key',
      401,
      { jsonrpc: '2.0', id: 1, error: { code: -32_600, message: 'Must be authenticated!' } },
      'HTTP 401: Must be authenticated!',
    ],
    [
      'Alchemy, beyond the throughput',
      429,
      {
        jsonrpc: '2.0',
        error: { code: 429, message: 'Your app has exceeded its compute units per second capacity.' },
      },
      'HTTP 429: Your app has exceeded its compute units per second capacity.',
    ],
    [
      'Infura, beyond the day',
      402,
      {
        jsonrpc: '2.0',
        id: 1,
        error: {
          code: 402,
          event: -33_000,
          message: 'Payment Required',
          details: 'You have reached your daily credit limit.',
        },
      },
      'HTTP 402: Payment Required: You have reached your daily credit limit.',
    ],
    [
      'Infura, of an address that is not listed',
      403,
      'rejected due to project ID settings',
      'HTTP 403: rejected due to project ID settings',
    ],
    [
      'QuickNode, beyond the requests of a second',
      429,
      { jsonrpc: '2.0', error: { code: -32_007, message: '15/second request limit reached' }, id: null },
      'HTTP 429: 15/second request limit reached',
    ],
    ['QuickNode, of a body that is too large', 413, '', 'HTTP 413'],
    [
      'a Bor node of Erigon, of a batch that is too large',
      200,
      { jsonrpc: '2.0', id: null, error: { code: -32_000, message: 'batch limit 1 exceeded' } },
      'batch limit 1 exceeded',
    ],
    ['a public gateway', 503, { message: 'no healthy upstream' }, 'HTTP 503: no healthy upstream'],
    ['a proxy with a page', 502, '<html>\nBad gateway</html>', 'HTTP 502'],
    ['a proxy with text', 400, 'Bad Request\r\n', 'HTTP 400: Bad Request'],
    [
      'a gateway with a list',
      429,
      [
        { id: 0, error: { code: 429, message: 'slow down' } },
        { id: 1, error: { code: 429, message: 'slow down' } },
      ],
      'HTTP 429: slow down',
    ],
  ])('is shown with its reason: %s', async (_, status, body, message) => {
    expect(await heard(() => ({ status, body }))).toBe(message);
  });

  it('that concerns one request of a batch leaves the others their answers, also with status 400', async () => {
    for (const status of [200, 400]) {
      const error = { code: 429, message: 'Your app has exceeded its compute units per second capacity.' };

      expect(await heard(() => ({ status, body: [chain, { id: 1, error }] }))).toEqual([{ error }]);
    }
  });

  it('contains neither the key of the URL nor a line break, and is short', async () => {
    const said = `invalid key ${key}\n\u001b[2Jforged ${'x'.repeat(10_000)}`;
    for (const reply of [
      { status: 401, body: said },
      { status: 401, body: { error: { code: 1, message: said } } },
      { body: [{ id: null, error: said }] },
    ]) {
      const message = String(await heard(() => reply));

      expect(message).toContain('invalid key … [2Jforged x');
      expect(message.length).toBeLessThan(220);
    }
    const [answer] = (await heard(() => ({ body: [chain, { id: 1, error: said }] }))) as unknown[];
    expect(JSON.stringify(answer)).toContain('invalid key');
    expect(JSON.stringify(answer)).not.toContain(key);
  });

  it('of the only request is an answer to it, if it has its id', async () => {
    const endpoints = await endpointsOf((ids) =>
      ids.length === 2
        ? { body: [chain, { id: 1, result: '0x5' }] }
        : { status: 400, body: { id: 0, error: { code: -32_000, message: 'nonce too low' } } },
    );
    await endpoints.every(heights);

    expect(await endpoints.every([{ method: 'eth_sendRawTransaction', params: ['0x'] }])).toMatchObject([
      { answers: [{ error: { message: 'nonce too low' } }] },
    ]);
  });
});
