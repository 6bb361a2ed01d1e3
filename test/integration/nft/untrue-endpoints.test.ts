import { waitFor } from 'template-runtime/testing/wait.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Hash } from '../../../shared/chain/hex.ts';
import type { Chain, Signer } from '../../../shared/nft/ports/chain.ts';
import type { Nft } from '../../../shared/nft/tokens/nft.ts';
import { runPass } from '../../../shared/nft/waiter/pass.ts';
import { startAbandonedFork } from '../../support/nft/abandoned-fork.ts';
import { expectFinishedSigner, expectInvariants } from '../../support/nft/invariants.ts';
import {
  type AnswerChange,
  type RpcFaultProxy,
  startRpcFaultProxy,
} from '../../support/nft/rpc-fault-proxy.ts';
import type { World, WorldOptions } from '../../support/nft/world.ts';
import { worldOfATest } from '../../support/nft/world-of-a-test.ts';

const startWorld = worldOfATest();
let world: World;
let cleanup: AsyncDisposableStack;
/** Two endpoints in front of the world's node. Queries go to `first` first. */
let first: RpcFaultProxy;
let second: RpcFaultProxy;

beforeEach(async () => {
  cleanup = new AsyncDisposableStack();
  first = cleanup.use(await startRpcFaultProxy({ target: '', seed: 1, faults: {} }));
  second = cleanup.use(await startRpcFaultProxy({ target: '', seed: 2, faults: {} }));
});

afterEach(() => cleanup.disposeAsync());

const start = async (options: Omit<WorldOptions, 'database'> = {}): Promise<void> => {
  world = await startWorld({
    anvil: { noMining: true },
    passMilliseconds: 1_000,
    urls: ({ url }) => {
      for (const proxy of [first, second]) proxy.setTarget(url);
      return [first.url, second.url];
    },
    ...options,
  });
};

const mineBlocks = (count: number) => world.anvil.rpc('anvil_mine', `0x${count.toString(16)}`);

/** Deploys a collection and makes it final. */
const startWithCollection = async (options: Omit<WorldOptions, 'database'> = {}) => {
  await start(options);
  const contract = await world.deploy();
  if (options.anvil === undefined) await mineEntry(contract.nonce);
  await world.untilFinal();
  return contract;
};

/** Leaves an endpoint on the chain as it is now, while the chain itself gives up its newest blocks. */
const abandon = async (endpoint: RpcFaultProxy, blocks: number): Promise<void> => {
  const fork = await startAbandonedFork(world.anvil.rpc);
  cleanup.defer(() => fork.stop());
  endpoint.setTarget(fork.url);
  await world.anvil.rpc('anvil_rollback', blocks);
  await world.anvil.rpc('anvil_dropAllTransactions');
};

/** Runs one pass of the waiter to its end. */
const waitOnce = async (chain: Chain = world.ports.chain): Promise<void> => {
  const state = await world.ports.signers.find(world.signerId);
  if (state === undefined) throw new Error('The signer has no item');
  await runPass(world.passDependencies({ ...world.ports, chain }, world.executions), {
    signer: world.signerId,
    generation: state.generation,
  });
};

/** The chain client, while the endpoints named for a method are down whenever this method is called. */
const withOutages = (outages: Partial<Record<keyof Chain, readonly RpcFaultProxy[]>>): Chain =>
  new Proxy(world.ports.chain, {
    get: (chain, method: keyof Chain) => {
      const value: unknown = Reflect.get(chain, method);
      if (typeof value !== 'function') return value;
      return (...parameters: unknown[]) => {
        for (const proxy of [first, second]) {
          proxy.setFaults(outages[method]?.includes(proxy) ? { lost: 1 } : {});
        }
        return Reflect.apply(value, chain, parameters) as unknown;
      };
    },
  });

const endOutages = (): void => {
  for (const proxy of [first, second]) proxy.setFaults({});
};

/** Runs passes until `check` succeeds. On a busy machine, an endpoint may not answer within the time of one pass. */
const waitUntil = (check: () => Promise<void>): Promise<void> =>
  waitFor(async () => {
    await waitOnce();
    await check();
  });

const entryAt = (nonce: number) => world.ports.transactionLog.find({ signer: world.signerId, nonce });

/** Lets the waiter look for a receipt as often as it takes to supersede the entry. Returns the successor's nonce. */
const superseded = async (): Promise<number> => {
  const raised = () => world.raised.find(({ event }) => event === 'EntrySuperseded');
  await waitUntil(async () => {
    world.skip(9_000);
    expect(raised()).toBeDefined();
  });
  return Number(raised()?.fields.by);
};

const isSent = async (nonce: number): Promise<boolean> => {
  for (const { hash } of (await entryAt(nonce))?.attempts ?? []) {
    if ((await world.anvil.rpc('eth_getTransactionByHash', hash)) !== null) return true;
  }
  return false;
};

/** Mines the transaction of an entry. On a busy machine, a handler may leave it to the waiter to send it. */
const mineEntry = async (nonce: number, blocks = 5): Promise<void> => {
  if (!(await isSent(nonce))) await waitUntil(async () => expect(await isSent(nonce)).toBe(true));
  await mineBlocks(blocks);
};

describe('an RPC endpoint on an abandoned fork', () => {
  it('does not delay what the other endpoints report as final', async () => {
    const contract = await startWithCollection();
    await mineBlocks(20);
    await abandon(second, 15);
    const nft = await world.mint({ contract: contract.address });
    await mineEntry(nft.nonce);

    await waitUntil(async () =>
      expect(await world.ports.nfts.find(nft)).toMatchObject({
        status: 'confirmed',
        transactionHash: nft.transactionHash,
      }),
    );
  });

  it('does not fail a deployment if it returns the final block and another endpoint the receipt', async () => {
    await start();
    await mineBlocks(10);
    await abandon(first, 8);
    const contract = await world.deploy();
    await mineEntry(contract.nonce);

    await waitOnce(
      withOutages({ transactionCounts: [first], finalizedBlock: [second], blockHashes: [first] }),
    );

    expect(await world.ports.contracts.find(contract)).toMatchObject({ status: 'pending' });
    endOutages();
    first.setTarget(world.anvil.url);
    await world.untilFinal();
    expect(await world.ports.contracts.find(contract)).toMatchObject({
      status: 'confirmed',
      transactionHash: contract.transactionHash,
    });
    await expectFinishedSigner(world);
  });
});

const withoutCode: AnswerChange = ({ method }, result) => (method === 'eth_getCode' ? '0x' : result);

const withoutLogs: AnswerChange = ({ method }, result) =>
  method === 'eth_getTransactionReceipt' && result !== null ? { ...(result as object), logs: [] } : result;

describe('an RPC endpoint that omits data', () => {
  it.each([
    ['the code of a contract', withoutCode],
    ['the logs of a receipt', withoutLogs],
    [
      'both',
      (question: Parameters<AnswerChange>[0], result: unknown) =>
        withoutCode(question, withoutLogs(question, result)),
    ],
  ] as const)('fails no deployment while another endpoint returns complete data: %s', async (_, change) => {
    await start();
    const contract = await world.deploy();
    await mineEntry(contract.nonce);
    first.alter(change);

    await waitUntil(async () => {
      const found = await world.ports.contracts.find(contract);
      expect(found?.status).not.toBe('pending');
    });

    expect(await world.ports.contracts.find(contract)).toMatchObject({
      status: 'confirmed',
      transactionHash: contract.transactionHash,
    });
  });

  it('keeps a deployment pending if no other endpoint answers', async () => {
    await start();
    const contract = await world.deploy();
    await mineEntry(contract.nonce);
    first.alter(withoutCode);
    second.setFaults({ lost: 1 });

    await waitOnce();

    expect(await world.ports.contracts.find(contract)).toMatchObject({ status: 'pending' });
    endOutages();
    await world.untilFinal();
    expect(await world.ports.contracts.find(contract)).toMatchObject({ status: 'confirmed' });
  });

  it('keeps a deployment with an emitted event pending, even if all endpoints omit the code', async () => {
    await start();
    const contract = await world.deploy();
    await mineEntry(contract.nonce);
    for (const proxy of [first, second]) proxy.alter(withoutCode);

    await waitOnce();

    expect(await world.ports.contracts.find(contract)).toMatchObject({ status: 'pending' });
    for (const proxy of [first, second]) proxy.alter(undefined);
    await world.untilFinal();
    expect(await world.ports.contracts.find(contract)).toMatchObject({ status: 'confirmed' });
  });
});

/** A signer whose transactions run out of gas. */
const starving = (signer: Signer): Signer => ({
  ...signer,
  sign: (transaction) => signer.sign({ ...transaction, gas: 450_000n }),
});

describe('a reverted transaction', () => {
  it('fails once a second endpoint confirms the revert', async () => {
    await start();
    const signer = starving(world.ports.signer);
    const contract = await world.deploy({ ports: { ...world.ports, signer } });
    await mineEntry(contract.nonce);
    second.setFaults({ lost: 1 });

    await waitOnce();

    expect(await world.ports.contracts.find(contract)).toMatchObject({ status: 'pending' });
    endOutages();
    await waitUntil(async () =>
      expect(await world.ports.contracts.find(contract)).toMatchObject({
        status: 'failed',
        failureReason: expect.stringContaining('REVERTED'),
      }),
    );
  });
});

describe('a mined transaction that all endpoints hide together with its logs', () => {
  const hiding =
    (hidden: Hash): AnswerChange =>
    ({ method, params: [subject] = [] }, result) => {
      if (method === 'eth_getLogs') {
        return (result as { readonly transactionHash: Hash }[]).filter(
          ({ transactionHash }) => transactionHash !== hidden,
        );
      }
      return subject === hidden && method.startsWith('eth_getTransaction') ? null : result;
    };

  it('leaves its mint pending, and confirms it with the hash of the transaction when it becomes visible', async () => {
    const contract = await startWithCollection();
    const nft: Nft = await world.mint({ contract: contract.address, key: 'hidden' });
    await mineEntry(nft.nonce);
    for (const proxy of [first, second]) proxy.alter(hiding(nft.transactionHash));
    const nonce = await superseded();
    await mineEntry(nonce);

    await waitOnce();

    const successor = await entryAt(nonce);
    expect(successor).toMatchObject({ supersedes: nft.nonce });
    const receipts = await world.ports.chain.receipts(successor?.attempts.map(({ hash }) => hash) ?? []);
    expect([...receipts.values()]).toContainEqual(expect.objectContaining({ status: 'reverted' }));
    expect(await world.ports.nfts.find(nft)).toMatchObject({ status: 'pending' });
    for (const proxy of [first, second]) proxy.alter(undefined);
    await world.untilFinal();
    expect(await world.ports.nfts.find(nft)).toMatchObject({
      status: 'confirmed',
      transactionHash: nft.transactionHash,
    });
    await expectInvariants(world, { contract, promised: [{ nft, key: 'hidden' }] });
  });
});

describe('an RPC endpoint that accepts transactions but does not pass them on', () => {
  it('does not keep a transaction from the chain for good when the fee ceiling forbids to replace it', async () => {
    // Without a base fee, every transaction is signed with the minimum tip of 1 gwei, which cannot rise by an eighth.
    const contract = await startWithCollection({
      anvil: { blockTimeSeconds: 0.25, arguments: ['--base-fee', '0'] },
      replaceAfterMilliseconds: 500,
      settings: { feeCeiling: 1_100_000_000n },
    });
    first.swallow(true);
    const nft = await world.mint({ contract: contract.address });

    await waitFor(async () => {
      await world.watch();
      expect(await world.ports.nfts.find(nft)).toMatchObject({ status: 'confirmed' });
    });

    expect((await entryAt(nft.nonce))?.attempts).toHaveLength(1);
  });
});

describe('a count of mined transactions that is far too high', () => {
  it('raises no nonce and causes no noop transactions', async () => {
    const contract = await startWithCollection();
    const before = await world.ports.signers.find(world.signerId);
    const nft = await world.mint({ contract: contract.address });
    first.alter(({ method, params = [] }, result) =>
      method === 'eth_getTransactionCount' && params[1] !== 'pending' ? '0x3e8' : result,
    );

    await waitOnce();

    const nextNonce = (before?.nextNonce ?? 0) + 1;
    const after = await world.ports.signers.find(world.signerId);
    expect(after?.nextNonce).toBe(nextNonce);
    expect(after?.minedCount).toBeLessThanOrEqual(nextNonce);
    first.alter(undefined);
    await mineEntry(nft.nonce);
    await world.untilFinal();
    await expectInvariants(world, { contract, promised: [{ nft }] });
  });
});
