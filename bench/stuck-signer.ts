import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as z from 'zod';
import { startRpcFaultProxy } from '../test/support/rpc-fault-proxy.ts';
import { type System, startSystem } from '../test/support/system.ts';
import { askChainAt } from './chain-endpoint.ts';
import { type Confirmations, watchConfirmations } from './confirmations.ts';
import { callAtRate } from './load.ts';
import { type Measurement, percentile } from './measurement.ts';
import { type MintAnswer, type MintCalls, mintCalls, RefusedForNow } from './mint-calls.ts';

const mintsPerSecond = 10;
const loadMilliseconds = 12_000;
const warmUpMints = 100;
const rounds = 3;
const most = 1.3;
const limits = ['--contracts-per-day', '100', '--mints-per-day', '100000'];
const root = fileURLToPath(new URL('..', import.meta.url));

const signersSchema = z.array(z.object({ signer: z.int(), address: z.string() }));
const createdSchema = z.object({ api_key: z.string() });

interface Customer {
  readonly application: string;
  readonly calls: MintCalls;
}

/** As an operator does it: an application on each of the stage's signers. */
const aCustomerOnEach = async (system: System) => {
  const operator = async (...argv: readonly string[]): Promise<unknown> => {
    const outputs = ['--outputs', join(system.stateDirectory, 'outputs.json'), '--json'];
    const program = ['operator/main.ts', ...outputs, ...argv];
    const { stdout } = await promisify(execFile)(process.execPath, program, { cwd: root });
    return JSON.parse(stdout);
  };
  const signers = signersSchema.parse(await operator('signers'));
  const customers: Customer[] = [];
  for (const { signer } of signers) {
    const application = `customer-${signer}`;
    const created = createdSchema.parse(await operator('applications', 'create', application, ...limits));
    await operator('signers', 'assign', application, String(signer));
    const calls = mintCalls(system, { connections: mintsPerSecond, keys: true, application: created });
    customers.push({ application, calls });
  }
  return { customers, addresses: signers.map(({ address }) => address) };
};

/** What one customer's mints were answered, and how long each waited for its confirmation. */
interface Served {
  readonly accepted: number;
  /** 503 */
  readonly refused: number;
  readonly settled: readonly number[];
}

/** Mints at a rate into a contract that has a token, until all are confirmed. */
const serve = async (
  { application, calls }: Customer,
  { confirmations, contract }: { readonly confirmations: Confirmations; readonly contract: string },
): Promise<Served> => {
  const answers: MintAnswer[] = [];
  let refused = 0;
  let isOver = false;
  const count = () => (isOver ? answers.length + 1 : Number.POSITIVE_INFINITY);
  const confirmed = confirmations.until({ application, contract, count });
  const load = callAtRate(mintsPerSecond, async () => {
    try {
      answers.push(await calls.mint(contract));
    } catch (error) {
      if (!(error instanceof RefusedForNow)) throw error;
      refused += 1;
    }
  });
  await delay(loadMilliseconds);
  await load.stop();
  const [other] = load.refused();
  if (other !== undefined) throw new Error(other);
  isOver = true;
  const confirmedAt = await confirmed;
  const settled = answers.map(({ id, at }) => {
    const seenAt = confirmedAt.get(id);
    if (seenAt === undefined) throw new Error(`Token ${id} of ${contract} was promised and is lost`);
    return Math.max(0, seenAt - at);
  });
  return { accepted: answers.length, refused, settled };
};

/** Mints of customers on three signers, in turns while all is well and while one signer's transactions are held back. */
export const measureStuckSigner = async (): Promise<Measurement[]> => {
  await using cleanup = new AsyncDisposableStack();
  const system = await startSystem({ arguments: ['--empty'] });
  cleanup.defer(() => system.dispose());
  const proxy = await startRpcFaultProxy({ target: system.outputs.chain_rpc_url, seed: 1, faults: {} });
  cleanup.defer(() => proxy.stop());
  await askChainAt(system, proxy.url);
  const { customers, addresses } = await aCustomerOnEach(system);
  for (const { calls } of customers) cleanup.defer(() => calls.stop());
  const confirmations = await watchConfirmations(system);
  cleanup.defer(() => confirmations.stop());

  const begin = async ({ application, calls }: Customer, mints: number): Promise<string> => {
    const contract = await calls.create();
    await calls.run(contract, mints);
    await confirmations.until({ application, contract, count: () => mints });
    return contract;
  };
  const round = async (isStuck: boolean): Promise<{ readonly others: Served[]; readonly first: Served }> => {
    const contracts = await Promise.all(customers.map((customer) => begin(customer, 1)));
    proxy.holdBack(isStuck ? addresses[0] : undefined);
    const [first, ...others] = customers.map((customer, index) =>
      serve(customer, { confirmations, contract: contracts[index] ?? '' }),
    );
    const served = await Promise.all(others);
    proxy.holdBack(undefined);
    if (first === undefined) throw new Error('There is no signer');
    return { others: served, first: await first };
  };

  for (const customer of customers) await begin(customer, warmUpMints);
  const well: Awaited<ReturnType<typeof round>>[] = [];
  const stuck: Awaited<ReturnType<typeof round>>[] = [];
  for (let index = 0; index < rounds; index += 1) {
    const turns = [
      async () => void well.push(await round(false)),
      async () => void stuck.push(await round(true)),
    ];
    for (const turn of index % 2 === 0 ? turns : turns.toReversed()) await turn();
  }

  const ofOthers = (kind: typeof well, share: number) =>
    percentile(
      kind.flatMap(({ others }) => others.flatMap(({ settled }) => settled)),
      share,
    );
  const ofFirst = (kind: typeof well, share: number) =>
    percentile(
      kind.flatMap(({ first }) => first.settled),
      share,
    );
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const ratio = ofOthers(stuck, 0.95) / ofOthers(well, 0.95);
  return [
    {
      name: `accepted to confirmed beside a stuck signer, p95, of without (at most ${most})`,
      value: ratio,
      unit: '×',
      holds: ratio <= most,
    },
    { name: '  p50', value: ofOthers(stuck, 0.5) / ofOthers(well, 0.5), unit: '×' },
    { name: 'beside the stuck one, p95', value: ofOthers(stuck, 0.95), unit: 'ms' },
    { name: '  while none is stuck, p95', value: ofOthers(well, 0.95), unit: 'ms' },
    {
      name: 'refused beside the stuck one',
      value: sum(stuck.flatMap(({ others }) => others.map(({ refused }) => refused))),
      unit: '',
    },
    { name: 'on the stuck one: accepted', value: sum(stuck.map(({ first }) => first.accepted)), unit: '' },
    { name: '  refused with 503', value: sum(stuck.map(({ first }) => first.refused)), unit: '' },
    { name: '  accepted to confirmed, p95', value: ofFirst(stuck, 0.95), unit: 'ms' },
  ];
};
