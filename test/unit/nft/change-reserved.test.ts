import { expect, it } from 'vitest';
import type { Address } from '../../../shared/chain/hex.ts';
import type { Hold } from '../../../shared/nft/ports/holds.ts';
import { changeReserved } from '../../../shared/nft/reservations/change-reserved.ts';
import { standInOf, unminted } from '../../../shared/nft/reservations/stand-in.ts';
import { dynamoDbHistoryLines } from '../../../shared/nft/store/history-lines.ts';
import { dynamoDbHolds } from '../../../shared/nft/store/holds.ts';
import { nftItem } from '../../../shared/nft/store/nft-items.ts';
import { dynamoDbNfts } from '../../../shared/nft/store/nfts.ts';
import { dynamoDbReservedChanges } from '../../../shared/nft/store/reservations.ts';
import type { Nft } from '../../../shared/nft/tokens/nft.ts';
import type { DocumentClient } from '../../../shared/platform/store/client.ts';
import { plainClient } from '../../simulation/plain-client.ts';
import { createStore } from '../../simulation/store.ts';
import { someMetadata } from '../../support/nft/metadata.ts';

const contract: Address = '0x00000000000000000000000000000000000000cc';
const [ana, bruno] = [standInOf('1'.repeat(32)), standInOf('2'.repeat(32))];
const clock = () => 1_800_000_000_000;
const token: Nft = {
  applicationId: 'one',
  contract,
  tokenId: '7',
  destination: ana,
  reservedFor: ana,
  holder: 'ana',
  version: 3,
  metadata: someMetadata('A seat'),
  ...unminted,
  status: 'reserved',
  createdAt: '2026-11-20T09:15:00.000Z',
};

/** The first write of a transaction gets no answer. The database executes it late: just before the next one. */
const answeringLate = (client: DocumentClient): DocumentClient => {
  const { transactWriteOnce } = client;
  let late: (() => Promise<unknown>) | undefined;
  let isFirst = true;
  return {
    ...client,
    transactWriteOnce: async (input) => {
      if (isFirst) {
        isFirst = false;
        late = () => transactWriteOnce(input);
        throw new Error('The database does not answer');
      }
      await late?.();
      return transactWriteOnce(input);
    },
  };
};

/** The first write gets no answer. It is not executed, and another request makes the same change meanwhile. */
const overtaken = (client: DocumentClient, overtake: () => Promise<unknown>): DocumentClient => {
  const { transactWriteOnce } = client;
  let isFirst = true;
  return {
    ...client,
    transactWriteOnce: async (input) => {
      if (!isFirst) return transactWriteOnce(input);
      isFirst = false;
      await overtake();
      throw new Error('The database does not answer');
    },
  };
};

const tables = { nfts: 'Nfts', requests: 'Requests', history: 'TokenHistory' };
const createTables = () => {
  const keys = { keys: ['pk', 'sk'] } as const;
  const store = createStore({ Nfts: keys, Requests: keys, TokenHistory: keys }, { now: clock });
  store.put({ TableName: 'Nfts', Item: nftItem(token) });
  return plainClient(store);
};
const dependenciesOf = (client: DocumentClient, writing: DocumentClient) => ({
  holds: dynamoDbHolds({ client, tableName: 'Requests' }),
  nfts: dynamoDbNfts({ client, tableName: 'Nfts' }),
  reservations: dynamoDbReservedChanges({ client: writing, tables }),
  logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  pause: async () => {},
  randomId: () => 'this request',
  clock,
});
const holdOf = (key: string): Hold => ({
  scope: { applicationId: 'one', operation: 'revoke', key },
  bodyHash: 'body',
  owner: key,
});
const revocation = {
  change: { kind: 'revocation', tokens: [token], isPlaced: false },
  startedAt: clock(),
} as const;

it('a change that another request has made is not taken for the own one, whose key would have no result', async () => {
  const client = createTables();
  const other = holdOf('other');
  const own = holdOf('own');
  const overtaking = dependenciesOf(client, client);

  const changed = changeReserved(
    dependenciesOf(
      client,
      overtaken(client, () => changeReserved(overtaking, { ...revocation, hold: other })),
    ),
    { ...revocation, hold: own },
  );

  await expect(changed).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(await overtaking.holds.find(other.scope)).toMatchObject({ state: 'done' });
  expect(await overtaking.holds.find(own.scope)).toBeUndefined();
});

it('a change of a reserved token is made, and not refused, if its first write is executed late', async () => {
  const client = createTables();
  const history = dynamoDbHistoryLines({ client, tableName: 'TokenHistory' });
  const dependencies = dependenciesOf(client, answeringLate(client));

  const changed = await changeReserved(dependencies, {
    change: { kind: 'assignment', tokens: [token], to: { standIn: bruno, holder: 'bruno' } },
    by: 'setTokenDestination',
    hold: undefined,
    startedAt: clock(),
  });

  expect(changed).toBe('changed');
  expect(await dependencies.nfts.find(token)).toMatchObject({
    reservedFor: bruno,
    holder: 'bruno',
    version: 4,
  });
  expect((await history.ofToken({ ...token, limit: 10 })).lines).toEqual([
    {
      contract,
      tokens: { from: '7', to: '7' },
      at: clock(),
      what: 'given',
      count: 4,
      versions: [4],
      given: { from: ana, to: bruno },
      by: 'setTokenDestination',
    },
  ]);
});
