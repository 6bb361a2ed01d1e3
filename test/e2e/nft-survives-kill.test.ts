import { createPublicClient, http, parseAbiItem } from 'viem';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { callApi } from '../support/api-client.ts';
import { collectionAbi } from '../support/collection-abi.ts';
import { type System, startSystem } from '../support/system.ts';

const receiver = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const burst = 500;
const concurrency = 50;
/** Answers after which everything is killed, the first and the second time. */
const killsAfter = [120, 300];

interface Nft {
  readonly id: string;
  readonly status: string;
}

describe('a burst of mints while everything is killed twice', () => {
  let system: System;

  beforeAll(async () => {
    system = await startSystem();
  });
  afterAll(() => system?.dispose());

  it('keeps every promise that was made by a 201', { timeout: 480_000 }, async () => {
    const { base_url, applications, chain_rpc_url } = system.outputs;
    const contracts = `${base_url}/api/v1/nft/contracts`;
    const key = applications[0]?.api_key ?? '';
    const collection = { name: 'Burst', symbol: 'B', chain: 'MATIC' };
    const created = await callApi<{ readonly address: `0x${string}` }>(contracts, { key, body: collection });
    const contract = created.json.address;

    /** The id that a 201 answered, by the number of the mint, which is its idempotency key too. */
    const promised = new Map<number, string>();
    const mint = async (number: number): Promise<string | undefined> => {
      const answer = await callApi<Nft>(`${contracts}/${contract}/mint`, {
        key,
        headers: { 'Idempotency-Key': `mint-${number}` },
        body: { destination: receiver, metadata: { name: `Seat ${number}` } },
      });
      return answer.status === 201 ? answer.json.id : undefined;
    };

    // A caller keeps asking with the same key until it is answered, across both kills.
    const waiting = Array.from({ length: burst }, (_, number) => number);
    const kills = [...killsAfter];
    let restarting: Promise<void> | undefined;
    const killAndStart = async () => {
      await system.kill();
      await system.start();
      restarting = undefined;
    };
    const caller = async () => {
      for (let number = waiting.shift(); number !== undefined; number = waiting.shift()) {
        await restarting;
        const id = await mint(number).catch((error: unknown) => {
          if (error instanceof TypeError) return undefined;
          throw error;
        });
        if (id === undefined) waiting.push(number);
        else promised.set(number, id);
        if (kills[0] !== undefined && promised.size >= kills[0]) {
          kills.shift();
          restarting = killAndStart();
        }
      }
    };
    await Promise.all(Array.from({ length: concurrency }, caller));

    expect(kills).toEqual([]);
    expect(promised.size).toBe(burst);
    const listTokens = async (): Promise<Nft[]> => {
      const tokens: Nft[] = [];
      let next: string | undefined = `${contracts}/${contract}/tokens/?limit=100`;
      while (next !== undefined) {
        const page: Awaited<ReturnType<typeof callApi<Nft[]>>> = await callApi<Nft[]>(next, { key });
        tokens.push(...page.json);
        next = /<([^>]+)>/.exec(page.headers.get('link') ?? '')?.[1];
      }
      return tokens;
    };
    const tokens = await vi.waitFor(
      async () => {
        const listed = await listTokens();
        expect(listed.filter(({ status }) => status !== 'confirmed')).toEqual([]);
        return listed;
      },
      { timeout: 180_000, interval: 1_000 },
    );

    const ids = [...promised.values()];
    expect(new Set(ids).size).toBe(burst);
    expect(tokens.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));

    const chain = createPublicClient({ transport: http(chain_rpc_url) });
    const transfers = await chain.getLogs({
      address: contract,
      event: parseAbiItem(
        'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
      ),
      fromBlock: 0n,
    });
    const onChain = transfers.map(({ args }) => String(args.tokenId));
    expect(new Set(onChain).size).toBe(onChain.length);
    expect(onChain.sort()).toEqual(tokens.map(({ id }) => id).sort());

    const signer = await chain.readContract({ address: contract, abi: collectionAbi, functionName: 'owner' });
    const [mined, pending] = await Promise.all([
      chain.getTransactionCount({ address: signer, blockTag: 'latest' }),
      chain.getTransactionCount({ address: signer, blockTag: 'pending' }),
    ]);
    expect(pending).toBe(mined);

    for (const [number, id] of promised) expect(await mint(number)).toBe(id);
  });
});
