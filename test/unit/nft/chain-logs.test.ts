import { expect, it } from 'vitest';
import { EndpointError, type RpcRequest } from '../../../shared/chain/rpc/json-rpc.ts';
import type { RpcEndpoints } from '../../../shared/chain/rpc/rpc-endpoints.ts';
import { eventReader } from '../../../shared/nft/rpc/chain-logs.ts';

const day = 86_400_000;
const now = 1_800_000_000_000;
const address = `0x${'c'.repeat(40)}` as const;
const topic = `0x${'e'.repeat(64)}` as const;
const transactionHash = `0x${'7'.repeat(64)}` as const;
const at = { number: 5_000_000, hash: `0x${'b'.repeat(64)}` } as const;
const quantityOf = (value: number): string => `0x${value.toString(16)}`;

/** Two nodes that have one event, in this block. `fails` says which batches a node does not answer. */
const nodes = (block: number, fails: (batch: number) => boolean = () => false) => {
  const batches: (readonly (readonly [from: number, to: number])[])[] = [];
  const answer = ({ method, params: [filter] }: RpcRequest) => {
    if (method === 'eth_getBlockByNumber')
      return { result: { number: quantityOf(at.number), hash: at.hash } };
    const { fromBlock, toBlock } = filter as { readonly fromBlock: string; readonly toBlock: string };
    const isThere = Number(fromBlock) <= block && block <= Number(toBlock);
    const log = { transactionHash, blockNumber: quantityOf(block), address, topics: [topic] };
    return { result: isThere ? [log] : [] };
  };
  const every: RpcEndpoints['every'] = async (requests) => {
    batches.push(
      requests.slice(1).map(({ params: [filter] }) => {
        const { fromBlock, toBlock } = filter as { readonly fromBlock: string; readonly toBlock: string };
        return [Number(fromBlock), Number(toBlock)];
      }),
    );
    const failure = new EndpointError({ message: 'hangs' });
    return ['one', 'two'].map((endpoint) =>
      endpoint === 'two' && fails(batches.length)
        ? { endpoint, failure }
        : { endpoint, answers: requests.map(answer) },
    );
  };
  return { batches, endpoints: { every } };
};

const question = { address, topics: [topic], at };

it('finds an event of ten days ago for restored work, oldest blocks first, with twenty ranges in a batch', async () => {
  const tenDaysAgo = at.number - (10 * day) / 2_000;
  const { endpoints, batches } = nodes(tenDaysAgo + 30_000);
  const reader = eventReader(endpoints, { clock: () => now });

  expect(await reader.findEvent({ ...question, since: now - 10 * day, isUnlimited: true })).toEqual({
    outcome: 'found',
    transactionHash,
  });

  const ranges = batches.flat();
  expect(ranges[0]?.[0]).toBeLessThan(tenDaysAgo - 40_000);
  for (const [index, [from]] of ranges.entries())
    if (index > 0) expect(from).toBe((ranges[index - 1]?.[1] ?? 0) + 1);
  expect(Math.max(...batches.map(({ length }) => length))).toBe(20);
  expect(ranges.at(-1)?.[1]).toBeLessThan(tenDaysAgo + 50_000);
});

it('searches a range again that too few endpoints answer, and knows nothing if they never do', async () => {
  const search = (fails: (batch: number) => boolean) => {
    const { endpoints, batches } = nodes(-1, fails);
    const reader = eventReader(endpoints, { clock: () => now });
    return reader
      .findEvent({ ...question, since: now - day, isUnlimited: true })
      .then(({ outcome }) => [outcome, batches.length]);
  };

  const [, all = 0] = await search(() => false);
  expect(all).toBeGreaterThan(4);
  expect(await search((batch) => batch % 3 === 1)).toEqual(['absent', expect.any(Number)]);
  expect(await search((batch) => batch > 2)).toEqual(['unknown', 5]);
});

it('asks once, for the last 10,000 blocks, if nobody says how far to search', async () => {
  const { endpoints, batches } = nodes(at.number - 10_000);
  const reader = eventReader(endpoints, { clock: () => now });

  expect(await reader.findEvent({ ...question, since: now - day })).toEqual({ outcome: 'absent' });

  expect(batches).toHaveLength(1);
  expect(batches[0]?.[0]?.[0]).toBe(at.number - 9_999);
});

it('gives a search up that takes too long for a pass, and says so', async () => {
  const { endpoints, batches } = nodes(-1);
  let time = now;
  const every: typeof endpoints.every = (requests) => {
    time += 10_000;
    return endpoints.every(requests);
  };
  const reader = eventReader({ every }, { clock: () => time });

  expect(await reader.findEvent({ ...question, since: now - 10 * day, isUnlimited: true })).toEqual({
    outcome: 'unknown',
    isTooLong: true,
  });

  expect(batches).toHaveLength(3);
});
