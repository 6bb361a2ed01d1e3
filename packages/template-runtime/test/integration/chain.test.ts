import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createChainEngine } from '../../engines/chain/engine.ts';
import type { ChainEngine } from '../../engines/chain/types.ts';

const sender = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const receiver = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

describe('the embedded chain', () => {
  let stateDirectory: string;
  let chain: ChainEngine;
  const exits: string[] = [];

  const start = async (): Promise<void> => {
    chain = await createChainEngine({
      stateDirectory,
      port: 0,
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
    stateDirectory = mkdtempSync(join(tmpdir(), 'marquee chain '));
    exits.length = 0;
    await start();
  });
  afterEach(async () => {
    await chain.stop();
    rmSync(stateDirectory, { recursive: true, force: true });
  });

  it('comes back after a stop as it was', async () => {
    await transfer();
    await vi.waitUntil(async () => (await minedCount()) === 1, { timeout: 60_000 });

    await chain.stop();
    await start();

    expect(await minedCount()).toBe(1);
  });

  it('comes back after kill -9 with what was final', async () => {
    await transfer();
    await vi.waitUntil(async () => (await minedCount()) === 1, { timeout: 60_000 });
    const mined = await blockOf('latest');
    await vi.waitUntil(async () => (await blockOf('finalized')) >= mined, { timeout: 60_000 });
    await vi.waitUntil(() => savedBlock() >= mined + 2, { timeout: 60_000 });

    process.kill(pidOfNode(), 'SIGKILL');
    await vi.waitUntil(() => exits.some((line) => line.includes('SIGKILL')), { timeout: 60_000 });
    await chain.stop();
    await start();

    expect(await minedCount()).toBe(1);
    expect(await blockOf('finalized')).toBeGreaterThanOrEqual(mined);
  });

  it('keeps what is asked for and forgets the rest, however old it gets', async () => {
    const hash = await transfer();
    await vi.waitUntil(async () => (await minedCount()) === 1, { timeout: 60_000 });
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

  it('leaves no process behind', async () => {
    const pid = pidOfNode();

    await chain.stop();

    const listed = spawnSync('ps', ['-p', String(pid), '-o', 'pid='], { encoding: 'utf8' });
    expect(listed.stdout.trim()).toBe('');
    await start();
  });
});
