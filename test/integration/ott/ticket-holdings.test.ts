import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Hex } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ChainUnavailableError } from '../../../shared/chain/errors.ts';
import { type Address, lowerCase } from '../../../shared/chain/hex.ts';
import { createRpcEndpoints } from '../../../shared/chain/rpc/rpc-endpoints.ts';
import { chainTicketHoldings } from '../../../shared/ott/rpc/ticket-holdings.ts';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import { type Anvil, startAnvil } from '../../support/nft/anvil.ts';
import { fixedUrls } from '../../support/nft/rpc-urls.ts';
import { oddContracts } from '../../support/ott/tickets/contracts.ts';
import { newWallet } from '../../support/ott/tickets/tickets-over-http.ts';

/** Two nodes whose chains have the same length and, at first, the same blocks. */
let nodes: readonly [Anvil, Anvil];
let odd: readonly [Awaited<ReturnType<typeof oddContracts>>, Awaited<ReturnType<typeof oddContracts>>];

beforeAll(async () => {
  const start = () => startAnvil({ arguments: ['--timestamp', '1700000000'] });
  nodes = await Promise.all([start(), start()]);
  odd = await Promise.all([oddContracts(nodes[0].rpc), oddContracts(nodes[1].rpc)]);
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
});

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

interface Part {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

interface EndpointOptions {
  readonly knowsHashes?: boolean;
  /** What the endpoint makes of the owners that a node has returned. @default nothing: it passes them on */
  readonly spoil?: (owners: string) => string;
  /** The URL of an endpoint that is asked after this one. @default there is none */
  readonly next?: string;
}

/** An endpoint that passes its n-th request to the node that `nodeOf` chooses. */
const endpointOver = async (
  nodeOf: (request: number) => 0 | 1,
  { knowsHashes = true, spoil = (owners) => owners, next }: EndpointOptions = {},
) => {
  const state = { requests: 0 };
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const node = nodes[nodeOf(state.requests)];
    state.requests += 1;
    const json = { 'content-type': 'application/json' };
    const parts = JSON.parse(body) as Part[];
    const isRefused = ({ params }: Part) => !knowsHashes && typeof params[1] === 'object';
    /** The call that reads owners brings its own code, so it names no contract. */
    const readsOwners = ({ method, params }: Part) =>
      method === 'eth_call' && !Object.hasOwn(params[0] as object, 'to');
    const forwarded = await fetch(node.url, { method: 'POST', headers: json, body });
    const replies = (await forwarded.json()) as { readonly id: number; readonly result: string }[];
    const error = { code: -32602, message: 'invalid argument 1: block must be a number or a tag' };
    const answers = replies.map((reply) => {
      const part = parts.find(({ id }) => id === reply.id);
      if (part !== undefined && isRefused(part)) return { jsonrpc: '2.0', id: reply.id, error };
      return part !== undefined && readsOwners(part) ? { ...reply, result: spoil(reply.result) } : reply;
    });
    response.writeHead(200, json).end(JSON.stringify(answers));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const holdings = chainTicketHoldings(
    createRpcEndpoints({
      chainId: 31_337,
      urls: fixedUrls(url, ...(next === undefined ? [] : [next])),
      clock: systemClock,
      requestTimeoutMilliseconds: 5_000,
      questionTimeoutMilliseconds: 20_000,
    }),
  );
  return { holdings, state };
};

/** A collection on both nodes. Its token 7 belongs to the wallet on one fork, and to somebody else on the other. */
const forked = async () => {
  const wallet = lowerCase(newWallet().address);
  const [one, other] = await Promise.all(odd.map((each) => each.deploy('Tickets')));
  expect(one).toBe(other);
  const contract = lowerCase(one ?? '0x');
  const mint = (to: Hex, id: number) => ({ to: contract, name: 'Tickets', call: 'mint', args: [to, id] });
  await odd[0].call([mint(wallet, 7)]);
  await odd[1].call([mint(newWallet().address, 7)]);
  const heights = await Promise.all(nodes.map((node) => node.rpc('eth_blockNumber')));
  expect(heights[0]).toBe(heights[1]);
  return {
    question: {
      wallets: [wallet],
      contracts: [contract],
      voidTokens: new Map([[contract, ['7']]]),
      claimedTokens: new Map(),
    },
  };
};

describe('a void ticket', () => {
  it.each([
    ['by its hash', true],
    ['only by its number', false],
  ])(
    'gives no access when the chain is reorganised between two reads and the endpoint names a block %s',
    async (_, knowsHashes) => {
      const { question } = await forked();

      for (const last of [1, 2, 3, 4, 5, 6]) {
        const { holdings, state } = await endpointOver((request) => (request < last ? 0 : 1), {
          knowsHashes,
        });

        expect(await holdings.isHeld(question)).toBe(false);
        expect(state.requests).toBeGreaterThan(2);
      }
    },
  );

  it.each([true, false])(
    'gives no access at an endpoint whose nodes never agree (knows hashes: %s)',
    async (knowsHashes) => {
      const { question } = await forked();
      const { holdings } = await endpointOver((request) => (request % 2 === 0 ? 0 : 1), { knowsHashes });

      const isHeld = await holdings.isHeld(question).catch((error: unknown) => error);

      expect(isHeld === false || isHeld instanceof ChainUnavailableError).toBe(true);
    },
  );

  it('is found among thousands, and a valid ticket beside it still gives access', async () => {
    const wallet = lowerCase(newWallet().address);
    const contract = lowerCase(await odd[0].deploy('Tickets'));
    const mint = (id: number) => ({ to: contract, name: 'Tickets', call: 'mint', args: [wallet, id] });
    await odd[0].call([mint(1), mint(2_950), mint(3_000)]);
    const voided = Array.from({ length: 3_000 }, (_, index) => String(index + 1));
    const question = {
      wallets: [wallet],
      contracts: [contract],
      voidTokens: new Map([[contract, voided]]),
      claimedTokens: new Map(),
    };
    const { holdings, state } = await endpointOver(() => 0);

    expect(await holdings.isHeld(question)).toBe(false);
    expect(state.requests).toBe(3);
    await odd[0].call([mint(3_001)]);
    expect(await holdings.isHeld(question)).toBe(true);
  });

  it('is reported if its contract cannot return its owner', async () => {
    const good = lowerCase(await odd[0].deploy('Tickets'));
    const bad = lowerCase(await odd[0].deploy('Ownerless'));
    await odd[0].call([{ to: good, name: 'Tickets', call: 'mint', args: [newWallet().address, 1] }]);
    const { holdings } = await endpointOver(() => 0);

    const found = await holdings.withoutOwner(
      new Map([
        [good, ['1', '2']],
        [bad, ['1']],
      ]),
    );

    expect([...found]).toEqual([
      [good, ['2']],
      [bad, ['1']],
    ]);
  });
});

describe('a collection', () => {
  it('is remembered once it is found, and looked for again until then', async () => {
    const known = lowerCase(await odd[0].deploy('Tickets'));
    const nothing = lowerCase(newWallet().address);
    const { holdings, state } = await endpointOver(() => 0);

    expect(await holdings.notErc721([known, nothing])).toEqual([nothing]);
    const { requests } = state;
    expect(await holdings.notErc721([known])).toEqual([]);
    expect(state.requests).toBe(requests);
    expect(await holdings.notErc721([known, nothing])).toEqual([nothing]);
    expect(state.requests).toBeGreaterThan(requests);
  });
});

describe('a claimed ticket', () => {
  it('needs no wallet until it is minted, and then belongs to the wallet that holds it', async () => {
    const [own, other] = [lowerCase(newWallet().address), lowerCase(newWallet().address)];
    const contract = lowerCase(await odd[0].deploy('Tickets'));
    const call = (name: string, ...args: unknown[]) => ({ to: contract, name: 'Tickets', call: name, args });
    const claimed = {
      contracts: [contract],
      voidTokens: new Map(),
      claimedTokens: new Map([[contract, ['5']]]),
    };
    const { holdings } = await endpointOver(() => 0);
    const isHeldBy = (...wallets: Address[]) => holdings.isHeld({ ...claimed, wallets });

    expect([await isHeldBy(), await isHeldBy(other)]).toEqual([true, true]);

    await odd[0].call([call('mint', own, 5)]);
    expect([await isHeldBy(), await isHeldBy(other), await isHeldBy(own)]).toEqual([false, false, true]);

    const voided = { ...claimed, claimedTokens: new Map(), voidTokens: new Map([[contract, ['5']]]) };
    expect(await holdings.isHeld({ ...voided, wallets: [own] })).toBe(false);
  });
});

describe('an endpoint that does not return one owner for each token', () => {
  it.each([
    ['returns nothing', () => '0x'],
    ['leaves one out', (owners: string) => owners.slice(0, -64)],
    ['cuts the last one', (owners: string) => owners.slice(0, -2)],
  ])('is not believed if it %s, and the next one is asked', async (_, spoil) => {
    const wallet = lowerCase(newWallet().address);
    const contract = lowerCase(await odd[0].deploy('Tickets'));
    const mint = (id: number) => ({ to: contract, name: 'Tickets', call: 'mint', args: [wallet, id] });
    await odd[0].call([mint(1), mint(2)]);
    const tokens = new Map([[contract, ['1', '2']]]);
    const nothing = new Map<Address, readonly string[]>();
    const question = { wallets: [wallet], contracts: [contract] };
    const voided = { ...question, voidTokens: tokens, claimedTokens: nothing };
    const claimed = { ...question, wallets: [], voidTokens: nothing, claimedTokens: tokens };
    const alone = await endpointOver(() => 0, { spoil });
    const { holdings } = await endpointOver(() => 0, { spoil, next: nodes[0].url });

    expect([await holdings.isHeld(voided), await holdings.isHeld(claimed)]).toEqual([false, false]);
    expect(await holdings.withoutOwner(tokens)).toEqual(nothing);
    await expect(alone.holdings.isHeld(voided)).rejects.toThrow(ChainUnavailableError);
  });
});
