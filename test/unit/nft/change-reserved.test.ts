import { expect, it } from 'vitest';
import type { Address } from '../../../shared/chain/hex.ts';
import { changeReserved } from '../../../shared/nft/reservations/change.ts';
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

it('a change of a reserved token is made, and not refused, if its first write is executed late', async () => {
  const keys = { keys: ['pk', 'sk'] } as const;
  const store = createStore({ Nfts: keys, Requests: keys, TokenHistory: keys }, { now: clock });
  const client = plainClient(store);
  const nfts = dynamoDbNfts({ client, tableName: 'Nfts' });
  const history = dynamoDbHistoryLines({ client, tableName: 'TokenHistory' });
  const reservations = dynamoDbReservedChanges({
    client: answeringLate(client),
    tables: { nfts: 'Nfts', requests: 'Requests', history: 'TokenHistory' },
  });
  store.put({ TableName: 'Nfts', Item: nftItem(token) });

  const changed = await changeReserved(
    {
      holds: dynamoDbHolds({ client, tableName: 'Requests' }),
      nfts,
      reservations,
      logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
      pause: async () => {},
      randomId: () => 'this request',
      clock,
    },
    {
      change: { kind: 'assignment', tokens: [token], to: { standIn: bruno, holder: 'bruno' } },
      by: 'setTokenDestination',
      hold: undefined,
      startedAt: clock(),
    },
  );

  expect(changed).toBe('changed');
  expect(await nfts.find(token)).toMatchObject({ reservedFor: bruno, holder: 'bruno', version: 4 });
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
