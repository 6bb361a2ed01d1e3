import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createChainEngine } from '../../engines/chain/engine.ts';
import type { ChainEngine } from '../../engines/chain/types.ts';
import { waitUntil } from '../../testing/wait.ts';

const sender = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const receiver = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

const webSocket = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

/** Sends headers that `fetch` does not let programs choose. Resolves to the response's status. */
const send = (
  url: string,
  {
    method,
    headers,
    body,
  }: {
    readonly method?: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  },
): Promise<number> =>
  new Promise((resolve, reject) => {
    const verb = method ?? (body === undefined ? 'GET' : 'POST');
    const sent = httpRequest(url, { method: verb, headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('upgrade', ({ statusCode }, socket) => {
      socket.destroy();
      resolve(statusCode ?? 0);
    });
    sent.on('error', reject).end(body);
  });

describe('the embedded chain', () => {
  let stateDirectory: string;
  let chain: ChainEngine;
  const exits: string[] = [];

  const start = async (): Promise<void> => {
    chain = await createChainEngine({
      stateDirectory,
      port: 0,
      pageOrigins: ['https://fans.example'],
      log: (line) => exits.push(line),
      onUnexpectedExit: (reason) => exits.push(reason),
    });
  };
  const pidOfNode = (): number =>
    JSON.parse(readFileSync(join(stateDirectory, 'run', 'chain.json'), 'utf8')).pid;
  const transfer = (): Promise<unknown> =>
    chain.request('eth_sendTransaction', [{ from: sender, to: receiver, value: '0x1' }]);
  const minedCount = async (): Promise<number> =>
    Number(await chain.request('eth_getTransactionCount', [sender, 'latest']));
  const savedBlock = (): number =>
    JSON.parse(gunzipSync(readFileSync(join(stateDirectory, 'chain', 'state.json.gz'))).toString('utf8'))
      .best_block_number;
  const blockOf = async (tag: string): Promise<number> => {
    const block = (await chain.request('eth_getBlockByNumber', [tag, false])) as { number: string };
    return Number(block.number);
  };

  beforeEach(async () => {
    stateDirectory = mkdtempSync(join(tmpdir(), 'test chain '));
    exits.length = 0;
    await start();
  });
  afterEach(async () => {
    await chain.stop();
    rmSync(stateDirectory, { recursive: true, force: true });
  });

  it('restores its state after a normal stop', async () => {
    await transfer();
    await waitUntil(async () => (await minedCount()) === 1);

    await chain.stop();
    await start();

    expect(await minedCount()).toBe(1);
  });

  it('restores all finalized blocks after kill -9', async () => {
    await transfer();
    await waitUntil(async () => (await minedCount()) === 1);
    const mined = await blockOf('latest');
    await waitUntil(async () => (await blockOf('finalized')) >= mined);
    await waitUntil(() => savedBlock() >= mined + 2);

    process.kill(pidOfNode(), 'SIGKILL');
    await waitUntil(() => exits.some((line) => line.includes('SIGKILL')));
    await chain.stop();
    await start();

    expect(await minedCount()).toBe(1);
    expect(await blockOf('finalized')).toBeGreaterThanOrEqual(mined);
  });

  it('keeps transactions and receipts, and discards the state of old blocks', async () => {
    const hash = await transfer();
    await waitUntil(async () => (await minedCount()) === 1);
    const mined = await blockOf('latest');
    const known = (): Promise<unknown> => chain.request('eth_getTransactionReceipt', [hash]);
    const balanceAt = (block: number): Promise<unknown> =>
      chain.request('eth_getBalance', [receiver, `0x${block.toString(16)}`]);

    await chain.request('anvil_mine', ['0x12c']);
    expect(await known()).toMatchObject({ transactionHash: hash });
    await chain.request('anvil_mine', ['0x190']);

    const latest = await blockOf('latest');
    expect(await known()).toBeNull();
    expect(Number(await balanceAt(latest - 16))).toBeGreaterThan(0);
    await expect(balanceAt(latest - 100)).rejects.toThrow('BlockOutOfRange');
    await chain.stop();
    await start();
    expect(await minedCount()).toBe(1);
    expect(await chain.request('eth_getBlockByNumber', [`0x${mined.toString(16)}`, false])).toBeNull();
    expect(await blockOf('latest')).toBeGreaterThanOrEqual(latest);
  });

  it('rejects all connections while a fault makes it unreachable, and continues to mine blocks', async () => {
    const ask = () =>
      send(chain.rpcUrl, {
        headers: { 'content-type': 'application/json' },
        body: '{"jsonrpc":"2.0"}',
      }).catch(() => 'no answer');
    const before = await blockOf('latest');

    chain.setFaults({ isOutOfReach: true });
    const without = [await ask(), await send(chain.rpcUrl, { headers: webSocket }).catch(() => 'no answer')];
    await waitUntil(async () => (await blockOf('latest')) > before);
    chain.setFaults({ isOutOfReach: false });

    expect(without).toEqual(['no answer', 'no answer']);
    expect(await ask()).toBe(200);
    expect(exits).toEqual([]);
  });

  it('accepts calls of programs, local pages and wallets, and rejects those of every other web page', async () => {
    const json = { 'content-type': 'application/json' };
    const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });
    const callers = {
      'a program': {},
      'a program that names localhost': { host: 'localhost' },
      'a page of this machine': { origin: 'http://localhost:5173' },
      'a page that was allowed': { origin: 'https://fans.example' },
      'a wallet in the browser': { origin: 'chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn' },
      'a page of another site': { origin: 'https://evil.example' },
      'a page that is not told apart': { origin: 'null' },
      'a page after DNS rebinding': { host: 'evil.example:8545' },
      'a page without an origin': { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    };

    const statuses = async (of: (headers: Record<string, string>) => Promise<number>) =>
      Object.fromEntries(
        await Promise.all(
          Object.entries(callers).map(async ([who, headers]) => [who, await of({ ...headers })] as const),
        ),
      );
    const posted = await statuses((headers) =>
      send(chain.rpcUrl, { headers: { ...json, ...headers }, body: call }),
    );
    const asked = await statuses((headers) =>
      send(chain.rpcUrl, {
        method: 'OPTIONS',
        headers: { ...headers, 'access-control-request-method': 'POST' },
      }),
    );
    const opened = await statuses((headers) => send(chain.rpcUrl, { headers: { ...webSocket, ...headers } }));

    const expected = (success: number) =>
      Object.fromEntries(Object.keys(callers).map((who, index) => [who, index < 5 ? success : 403]));
    expect(posted).toEqual(expected(200));
    expect(asked).toEqual(expected(200));
    expect(opened).toEqual(expected(101));
  });

  it('accepts calls over a WebSocket and in long batches', async () => {
    const batch = Array.from({ length: 2_000 }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'eth_call',
      params: [{ to: receiver, data: `0x${'00'.repeat(200)}` }, 'latest'],
    }));
    const socket = new WebSocket(chain.rpcUrl.replace('http', 'ws'));
    await once(socket, 'open');

    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'eth_subscribe', params: ['newHeads'] }));
    const heard: string[] = [];
    socket.addEventListener('message', ({ data }) => heard.push(data));
    const response = await fetch(chain.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(batch),
    });

    expect(((await response.json()) as unknown[]).length).toBe(2_000);
    await waitUntil(() => heard.some((data) => data.includes('eth_subscription')));
  });

  it('runs its node on a port that browsers block, so that pages must use the port that checks callers', async () => {
    const { stdout } = spawnSync('ps', ['-p', String(pidOfNode()), '-o', 'args='], { encoding: 'utf8' });
    const [, host, port] = /--host (\S+) --port (\d+)/.exec(stdout) ?? [];
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });

    const posted = await send(`http://${host}:${port}`, {
      headers: { 'content-type': 'application/json' },
      body,
    });
    // Node's `fetch` blocks the ports that browsers block.
    const called = fetch(`http://${host}:${port}`, { method: 'POST', body });

    expect(posted).toBe(200);
    await expect(called).rejects.toMatchObject({ cause: { message: 'bad port' } });
  });

  it('leaves no process behind when it stops', async () => {
    const pid = pidOfNode();

    await chain.stop();

    const listed = spawnSync('ps', ['-p', String(pid), '-o', 'pid='], { encoding: 'utf8' });
    expect(listed.stdout.trim()).toBe('');
    await start();
  });
});
