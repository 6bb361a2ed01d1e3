import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { setDestination } from '../../../shared/nft/reservations/set-destination.ts';
import { revokeToken, updateTokenMetadata } from '../../../shared/nft/submit/update.ts';
import type { Nft } from '../../../shared/nft/tokens/nft.ts';
import { type Ports, startWorld, type World } from '../../support/nft/world.ts';
import { startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

let database: TestDatabase;
let world: World;

beforeAll(async () => {
  database = await startDatabase();
  world = await startWorld({ database, passMilliseconds: 1_000 });
});
afterAll(async () => {
  await world.stop();
  await database.stop();
});

/**
 * Ports of a request that has looked up its key, when `work` happens before its nth read of tokens. `reads` counts them.
 */
const beaten = (nth: number, work: () => Promise<unknown>) => {
  const looked = Promise.withResolvers<void>();
  let reads = 0;
  const { holds, nfts } = world.ports;
  const before = async (): Promise<void> => {
    reads += 1;
    if (reads !== nth) return;
    await looked.promise;
    await work();
  };
  const ports: Ports = {
    ...world.ports,
    holds: {
      ...holds,
      find: async (scope) => {
        const found = await holds.find(scope);
        looked.resolve();
        return found;
      },
    },
    nfts: {
      ...nfts,
      find: async (key) => {
        await before();
        return nfts.find(key);
      },
      findRange: async (range) => {
        await before();
        return nfts.findRange(range);
      },
    },
  };
  return { ports, reads: () => reads };
};

type Request = (order: { readonly ports?: Ports; readonly key: string }) => Promise<unknown>;

let users = 0;
const anotherUser = () => {
  users += 1;
  return world.register(`bruno-${users}`);
};

const reserved = async (): Promise<Nft> => {
  const { address: contract } = await world.deploy({ options: { revocable: true, maxSupply: 10 } });
  const ana = await world.register();
  const [nft] = await world.reserve({ contract, users: [ana.applicationUserSub] });
  if (nft === undefined) throw new Error('Nothing was reserved');
  return nft;
};

const order = (token: Nft, key: string) => ({
  application: world.application,
  contract: token.contract,
  tokenId: token.tokenId,
  idempotency: { scope: `change of ${token.tokenId}`, key, body: {} },
});

const revoking =
  (token: Nft): Request =>
  ({ ports, key }) =>
    revokeToken(world.submitDependencies(ports), order(token, key));

const giving =
  (token: Nft, destination: string): Request =>
  ({ ports, key }) =>
    setDestination(world.submitDependencies(ports), { ...order(token, key), destination });

const naming =
  (token: Nft): Request =>
  ({ ports, key }) =>
    updateTokenMetadata(world.submitDependencies(ports), {
      ...order(token, key),
      from: token.tokenId,
      metadata: [{ ...token.metadata, name: 'Another name' }],
    });

const address = `0x${'ab'.repeat(20)}` as const;

/** The keyed changes of a reserved token, each with what another request makes of the token after it. */
const changes: Readonly<
  Record<string, (token: Nft) => Promise<{ readonly change: Request; readonly after?: Request }>>
> = {
  'a revocation': async (token) => ({ change: revoking(token) }),
  'a gift to a user that is then minted to an address': async (token) => {
    const bruno = await anotherUser();
    return { change: giving(token, bruno.applicationUserSub), after: giving(token, address) };
  },
  'a gift to a user that is then revoked': async (token) => {
    const bruno = await anotherUser();
    return { change: giving(token, bruno.applicationUserSub), after: revoking(token) };
  },
  'new metadata of a token that is then revoked': async (token) => ({
    change: naming(token),
    after: revoking(token),
  }),
  'a mint to an address': async (token) => ({ change: giving(token, address) }),
};

describe('a request whose own key succeeds between two of its reads', () => {
  it.each(Object.entries(changes))('is not refused: %s', async (_, prepare) => {
    for (let nth = 1; ; nth += 1) {
      const token = await reserved();
      const { change, after } = await prepare(token);
      const key = `key ${nth}`;
      const work = vi.fn(async () => {
        await change({ key });
        await after?.({ key: `another ${nth}` });
      });
      const { ports } = beaten(nth, work);

      await expect(change({ ports, key }), `before read ${nth}`).resolves.toBeDefined();

      if (work.mock.calls.length === 0) return;
    }
  });
});
