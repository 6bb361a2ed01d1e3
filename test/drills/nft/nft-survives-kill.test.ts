import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from 'template-runtime/testing/wait.ts';
import { createPublicClient, http, parseAbiItem } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectionAbi } from '../../support/nft/collection-abi.ts';
import {
  type CustomerEndpoint,
  notificationsOf,
  startCustomerEndpoint,
} from '../../support/notifications/customer-endpoint.ts';
import { callApi } from '../../support/platform/api-client.ts';
import { type System, startSystem } from '../../support/platform/system.ts';
import { userDataOf } from '../../support/users/user-data-system.ts';

const receiver = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
/** The number of requests. One in 25 mints a batch. */
const burst = 150;
const batch = 5;
const concurrency = 50;
/** After each of these numbers of answers, everything is killed. */
const killsAfter = [35, 90];

const byCallers = async (work: () => Promise<void>): Promise<void> => {
  await Promise.all(Array.from({ length: concurrency }, work));
};

interface Answer {
  readonly id?: string;
  readonly tokens?: readonly { readonly id: string }[];
}

interface Nft {
  readonly id: string;
  readonly status: string;
}

type Told = Readonly<
  Record<'operation_type' | 'contract_address' | 'id' | 'part' | 'status' | 'failure_reason', string>
>;

/** The notifications that an endpoint received, without duplicates. */
const toldTo = (endpoint: CustomerEndpoint): Told[] => [
  ...new Map(notificationsOf(endpoint).map(({ text, body }) => [text, body as Told])).values(),
];

describe('a burst of mints during two kills of the whole system', () => {
  let system: System;

  let asking: CustomerEndpoint;
  let other: CustomerEndpoint;

  beforeAll(async () => {
    system = await startSystem();
    asking = await startCustomerEndpoint();
    other = await startCustomerEndpoint();
    await subscribe(asking, '--operations', 'contract_update,token_update');
    await subscribe(other);
  });
  afterAll(async () => {
    await system?.dispose();
    await asking.stop();
    await other.stop();
  });

  const subscribe = async (endpoint: CustomerEndpoint, ...options: readonly string[]): Promise<void> => {
    const { operator, confirmation } = userDataOf(system);
    const applicationId = system.outputs.applications[0]?.id ?? '';
    await operator('subscriptions', 'add', applicationId, endpoint.url, ...options);
    const { body } = await confirmation(endpoint);
    await fetch(String(body.SubscribeURL));
  };

  it('mints every token that was promised with a 201, and notifies of each outcome', {
    timeout: 480_000,
  }, async () => {
    const { base_url, applications, chain_rpc_url } = system.outputs;
    const contracts = `${base_url}/api/v1/nft/contracts`;
    const key = applications[0]?.api_key ?? '';
    const collection = { name: 'Burst', symbol: 'B', chain: 'MATIC' };
    const created = await callApi<{ readonly address: `0x${string}` }>(contracts, { key, body: collection });
    const contract = created.json.address;
    const broken = (await callApi<{ readonly address: `0x${string}` }>(contracts, { key, body: collection }))
      .json.address;

    /** The token ids of each 201 response, by the number in the mint's idempotency key. */
    const promised = new Map<number, readonly string[]>();
    const mint = async (number: number, into = contract): Promise<readonly string[] | undefined> => {
      const token = { destination: receiver, metadata: { name: `Seat ${number}` } };
      const isBatch = number % 25 === 0;
      const answer = await callApi<Answer>(`${contracts}/${into}/mint${isBatch ? '/batch' : ''}`, {
        key,
        headers: { 'Idempotency-Key': `mint-${number}` },
        body: isBatch ? { tokens: Array(batch).fill(token) } : token,
      });
      if (answer.status !== 201) return undefined;
      return (answer.json.tokens ?? [answer.json]).map(({ id = '' }) => id);
    };

    // Callers repeat each mint with the same key until it is answered, across both kills.
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
        const ids = await mint(number).catch((error: unknown) => {
          if (error instanceof TypeError) return undefined;
          throw error;
        });
        if (ids === undefined) waiting.push(number);
        else promised.set(number, ids);
        if (kills[0] !== undefined && promised.size >= kills[0]) {
          kills.shift();
          restarting = killAndStart();
        }
      }
    };
    await byCallers(caller);

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
    const tokens = await waitFor(
      async () => {
        const listed = await listTokens();
        expect(listed.filter(({ status }) => status !== 'confirmed')).toEqual([]);
        return listed;
      },
      { timeout: 180_000, interval: 1_000 },
    );

    const ids = [...promised.values()].flat();
    expect(new Set(ids).size).toBe(burst + (burst / 25) * (batch - 1));
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

    const replays = promised.entries();
    await byCallers(async () => {
      for (const [number, made] of replays) expect(await mint(number)).toEqual(made);
    });

    await callApi(chain_rpc_url, {
      body: { jsonrpc: '2.0', id: 1, method: 'anvil_setCode', params: [broken, '0x5f5ffd'] },
    });
    const change = (path: string, body: unknown) =>
      callApi(`${contracts}/${path}`, { key, method: 'PUT', body }).then(({ status }) => status);
    const changed = ids.slice(0, 1);
    const answers = await Promise.all([
      ...changed.map((id) => change(`${contract}/tokens/${id}/metadata`, { name: 'Used' })),
      change(`${contract}/metadata`, { description: 'Over' }),
      change(`${broken}/metadata`, { description: 'Broken' }),
    ]);
    expect(answers).toEqual([200, 200, 200]);
    const failing = [...((await mint(1, broken)) ?? []), ...((await mint(25, broken)) ?? [])];
    expect(failing).toHaveLength(1 + batch);

    const told = await waitFor(
      () => {
        const all = toldTo(asking);
        expect(all.filter(({ operation_type }) => operation_type === 'token_update').length).toBe(
          tokens.length + failing.length + changed.length,
        );
        return all;
      },
      { interval: 500 },
    );
    const toldOf = (address: string) =>
      told
        .filter(({ id, part, contract_address }) => {
          return id !== undefined && part === undefined && contract_address === address;
        })
        .map(({ id, status, failure_reason }) => [id, status, failure_reason])
        .sort();
    expect(toldOf(contract)).toEqual(tokens.map(({ id }) => [id, 'confirmed', undefined]).sort());
    expect(toldOf(broken)).toEqual(
      failing.map((id) => [id, 'failed', expect.stringContaining('REVERTED')]).sort(),
    );
    const ofMetadata = { part: 'metadata', status: 'confirmed' };
    await waitFor(
      () =>
        expect(
          toldTo(asking)
            .filter(({ part }) => part !== undefined)
            .sort((one, two) => `${one.id} ${one.status}`.localeCompare(`${two.id} ${two.status}`)),
        ).toMatchObject([
          ...changed.map((id) => ({ ...ofMetadata, operation_type: 'token_update', id })),
          { ...ofMetadata, operation_type: 'contract_update', contract_address: contract },
          {
            ...ofMetadata,
            operation_type: 'contract_update',
            contract_address: broken,
            status: 'failed',
            failure_reason: expect.stringContaining('REVERTED'),
          },
        ]),
      { interval: 500 },
    );
    const ofContracts = told.filter(({ operation_type }) => operation_type === 'contract_update');
    expect(ofContracts).toEqual(
      expect.arrayContaining(
        [contract, broken].map((contract_address) =>
          expect.objectContaining({ contract_address, status: 'confirmed' }),
        ),
      ),
    );
    expect(toldTo(other).filter(({ operation_type }) => operation_type !== 'data_update')).toEqual([]);
  });

  it('repeats a final mint that the chain lost in a kill, and counts it in a metric', {
    timeout: 240_000,
  }, async () => {
    const { base_url, applications, chain_rpc_url } = system.outputs;
    const contracts = `${base_url}/api/v1/nft/contracts`;
    const key = applications[0]?.api_key ?? '';
    const chainFile = join(system.stateDirectory, 'chain', 'state.json.gz');
    const confirmed = (url: string) =>
      waitFor(async () => expect((await callApi<Nft>(url, { key })).json.status).toBe('confirmed'), {
        interval: 500,
      });
    const { json: contract } = await callApi<{ readonly address: `0x${string}` }>(contracts, {
      key,
      body: { name: 'Back', symbol: 'B', chain: 'MATIC' },
    });
    await confirmed(`${contracts}/${contract.address}`);
    copyFileSync(chainFile, `${chainFile}.before`);
    const vanished = () => {
      const logs = join(system.stateDirectory, 'logs');
      return readdirSync(logs, { withFileTypes: true })
        .filter((each) => each.isFile())
        .flatMap(({ name }) => readFileSync(join(logs, name), 'utf8').split('\n'))
        .filter((line) => line.includes('"ConfirmedVanished":1'));
    };
    // The kills before may have lost mints, too.
    const before = vanished();
    const token = { destination: receiver, metadata: { name: 'Seat' } };
    const minted = await callApi<Answer>(`${contracts}/${contract.address}/mint`, { key, body: token });
    await confirmed(`${contracts}/${contract.address}/tokens/${minted.json.id}`);
    expect(vanished()).toEqual(before);

    await system.kill();
    copyFileSync(`${chainFile}.before`, chainFile);
    await system.start();

    const chain = createPublicClient({ transport: http(chain_rpc_url) });
    const owner = () =>
      chain.readContract({
        address: contract.address,
        abi: collectionAbi,
        functionName: 'ownerOf',
        args: [BigInt(minted.json.id ?? 0)],
      });
    await expect(owner()).rejects.toThrow();
    await waitFor(async () => expect(await owner()).toBe(receiver), { interval: 500 });
    expect(vanished().length).toBeGreaterThan(before.length);
  });
});
