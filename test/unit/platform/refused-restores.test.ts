/** What comes back into a table is refused if the live items changed since they were read. */
import { expect, it } from 'vitest';
import { nothingUndecided } from '../../../shared/nft/restored/undecided.ts';
import { nftItem } from '../../../shared/nft/store/nft-items.ts';
import { mendCounters } from '../../../shared/nft/store/restored-counters.ts';
import { dynamoDbRestoredEntries } from '../../../shared/nft/store/restored-entries.ts';
import { restoredNfts } from '../../../shared/nft/store/restored-nfts.ts';
import { restoredRequests } from '../../../shared/nft/store/restored-requests.ts';
import { restoredTransactions } from '../../../shared/nft/store/restored-transactions.ts';
import { entryItem } from '../../../shared/nft/store/transaction-items.ts';
import { restoredNotifications } from '../../../shared/notifications/store/restored-notifications.ts';
import { restoredEvents } from '../../../shared/ott/store/restored-events.ts';
import type { DocumentClient } from '../../../shared/platform/store/client.ts';
import { restoredApplications } from '../../../shared/platform/store/restored-applications.ts';
import type { Item, RestorableTable } from '../../../shared/platform/store/restored-items.ts';
import { restoredSubs, restoredUsers } from '../../../shared/users/store/restored-users.ts';
import { restoredWallets } from '../../../shared/wallets/store/restored-wallets.ts';
import { addressKey } from '../../../shared/wallets/store/wallets.ts';
import { plainClient } from '../../simulation/plain-client.ts';
import { createStore, type Store } from '../../simulation/store.ts';
import { aDecidedEntry } from '../../support/nft/decisions.ts';
import { someMetadata } from '../../support/nft/metadata.ts';

const tables = {
  Items: { keys: ['pk', 'sk'] },
  Users: { keys: ['user_sub'] },
  Single: { keys: ['pk'] },
  Source: { keys: ['pk'] },
  Lists: { keys: ['pk', 'sk'] },
} as const;
type Name = keyof typeof tables;
type Stored = readonly (readonly [Name, Item])[];

const put = (store: Store, items: Stored): void => {
  for (const [TableName, item] of items) store.put({ TableName, Item: { ...item } });
};

/** Runs `write` while other processes write between its reads and its first write. Returns what it has changed. */
const changesOf = async ({
  live,
  meanwhile,
  write,
}: {
  readonly live: Stored;
  readonly meanwhile: Stored;
  readonly write: (client: DocumentClient) => Promise<unknown>;
}): Promise<readonly unknown[]> => {
  const store = createStore(tables, { now: () => 0 });
  put(store, live);
  const changed: unknown[] = [];
  const client = plainClient(store);
  let left: Stored = meanwhile;
  let isOwn = true;
  store.watch(({ after }) => isOwn && changed.push(after));
  const after =
    <Input>(call: (input: Input) => Promise<unknown>) =>
    async (input: Input) => {
      isOwn = false;
      put(store, left);
      left = [];
      isOwn = true;
      return call(input);
    };
  const late = {
    ...client,
    put: after(client.put),
    update: after(client.update),
    transactWrite: after(client.transactWrite),
  } as DocumentClient;
  await write(late);
  return changed;
};

interface Restore {
  readonly table: (client: DocumentClient) => RestorableTable;
  readonly restored: Item;
  readonly live: Stored;
  /** The live item with the restored one's key. @default none */
  readonly known?: Item;
  readonly meanwhile: Stored;
}

const restore =
  ({ table, restored, known }: Restore) =>
  async (client: DocumentClient): Promise<void> => {
    const kind = table(client).kinds.find(({ matches }) => matches(restored));
    const decided = await kind?.decide(restored, known);
    if (decided?.outcome !== 'write') throw new Error(`The item would not come back: ${decided?.outcome}`);
    await client.transactWrite({ TransactItems: [...decided.writes] }).catch(() => {});
  };

const single = (client: DocumentClient) => ({ client, tableName: 'Single' });
const items = (client: DocumentClient) => ({ client, tableName: 'Items' });
const lists = (client: DocumentClient) => ({
  live: single(client),
  restored: { client, tableName: 'Source' },
});

const message = { pk: 'SUBJECT#one', sk: 'message' };
const delivery = { pk: 'MESSAGE#one', sk: 'DELIVERY#one' };
const application = { pk: 'APPLICATION#one', id: 'one', apiKeyIds: ['key'], clientIds: [] };
const pointer = { pk: 'API_KEY#key', application_id: 'one' };
const event = { pk: 'EVENT#final', version: 1, event: '{}' };
const category = { pk: 'CATEGORY#final#football', version: 1, event: '{}' };
const user = { user_sub: 'ana', registration_id: 'first', version: 1 };
const address = `0x${'5'.repeat(40)}` as const;
const owned = {
  ...addressKey(address),
  holder: 'ana',
  registration_id: 'first',
  proven_at: 1,
  opens_from: 1,
  version: 1,
};
const linked = { address, linked_at: 1, opens_from: 1, proof: '' };
const ownList = { pk: 'USER#ana', user_sub: 'ana', registration_id: 'first', version: 1, wallets: [linked] };
const key = { pk: 'KEY#one#key', sk: 'mint', state: 'done' };
const count = { pk: 'COUNT#one', sk: '2026-11-20#mints', made: 5, expiresAt: 9 };
const entry = aDecidedEntry();
const noop = entryItem({ ...entry, purpose: { kind: 'noop' }, status: 'superseded' });
const contract = '0x00000000000000000000000000000000000000cc';
const counter = { pk: `one#${contract}#counter`, sk: 'counter', tokens: 7 };
const token = nftItem({
  applicationId: 'one',
  contract,
  tokenId: '1',
  destination: '0x00000000000000000000000000000000000000ee',
  metadata: someMetadata('A seat'),
  nonce: 3,
  transactionHash: '0xab',
  status: 'confirmed',
  createdAt: '2026-11-20T09:15:00.000Z',
});

const nfts = (client: DocumentClient) =>
  restoredNfts(items(client), {
    undecided: nothingUndecided(),
    mintedAfter: async (_, after) => ({ last: after, ids: [] }),
    contractsTable: 'Lists',
  });
const users = (client: DocumentClient) =>
  restoredUsers(
    { live: { client, tableName: 'Users' }, restored: { client, tableName: 'Source' } },
    { walletsTable: 'Single' },
  );
const events = (client: DocumentClient) => restoredEvents(single(client), { signing: 'none' as never });
const wallets = (client: DocumentClient) => restoredWallets(lists(client), { usersTable: 'Users' });
const subs = (client: DocumentClient) =>
  restoredSubs({ live: items(client), restored: { client, tableName: 'Lists' } }, { usersTable: 'Users' });
const forward = {
  pk: 'REGISTRATION#first',
  sk: 'APPLICATION#one',
  application_user_sub: 'sub',
  application_id: 'one',
};
const reverse = {
  pk: 'SUB#sub',
  sk: 'APPLICATION#one',
  application_user_sub: 'sub',
  registration_id: 'first',
  user_sub: 'ana',
};

it.each<readonly [string, Restore]>([
  [
    'an item that is written again',
    {
      table: (client) => restoredNotifications(items(client)),
      restored: message,
      live: [],
      meanwhile: [['Items', { ...message, again: true }]],
    },
  ],
  [
    'a delivery that succeeds',
    {
      table: (client) => restoredNotifications(items(client)),
      restored: { ...delivery, is_delivered: true },
      known: { ...delivery, is_delivered: false },
      live: [['Items', { ...delivery, is_delivered: false }]],
      meanwhile: [['Items', { ...delivery, is_delivered: true, attempts: 2 }]],
    },
  ],
  [
    'an application whose key another one gets',
    {
      table: (client) => restoredApplications(single(client)),
      restored: application,
      live: [],
      meanwhile: [['Single', { ...pointer, application_id: 'two' }]],
    },
  ],
  [
    'a key that its application gives up',
    {
      table: (client) => restoredApplications(single(client)),
      restored: pointer,
      live: [['Single', application]],
      meanwhile: [['Single', { ...application, apiKeyIds: [] }]],
    },
  ],
  [
    'a void ticket while another one becomes void',
    {
      table: events,
      restored: { pk: 'VOID#0xcc', tokens: { 1: 1 } },
      known: { pk: 'VOID#0xcc', tokens: {} },
      live: [['Single', { pk: 'VOID#0xcc', tokens: {} }]],
      meanwhile: [['Single', { pk: 'VOID#0xcc', tokens: { 2: 2 } }]],
    },
  ],
  [
    'a category whose event changes',
    {
      table: events,
      restored: category,
      live: [['Single', event]],
      meanwhile: [['Single', { ...event, version: 2 }]],
    },
  ],
  [
    'a user who is removed',
    { table: users, restored: user, live: [], meanwhile: [['Single', { pk: 'ENDED#first' }]] },
  ],
  [
    'a user who changes',
    {
      table: users,
      restored: { ...user, version: 3 },
      known: user,
      live: [['Users', user]],
      meanwhile: [['Users', { ...user, version: 2 }]],
    },
  ],
  [
    'an identifier whose user is removed',
    {
      table: subs,
      restored: forward,
      live: [
        ['Users', user],
        ['Lists', reverse],
      ],
      meanwhile: [['Users', { ...user, is_removed: true }]],
    },
  ],
  [
    'a list of wallets one of which is unlinked',
    {
      table: wallets,
      restored: ownList,
      live: [
        ['Users', user],
        ['Single', owned],
      ],
      meanwhile: [['Single', { ...owned, freed_at: 5 }]],
    },
  ],
  [
    'a wallet whose list changes',
    {
      table: wallets,
      restored: ownList,
      known: ownList,
      live: [
        ['Users', user],
        ['Single', ownList],
        ['Source', owned],
      ],
      meanwhile: [['Single', { ...ownList, version: 2, wallets: [] }]],
    },
  ],
  [
    'a counter while tokens are minted',
    {
      table: nfts,
      restored: counter,
      known: { ...counter, tokens: 2 },
      live: [['Items', { ...counter, tokens: 2 }]],
      meanwhile: [['Items', { ...counter, tokens: 3 }]],
    },
  ],
  [
    'a token whose id another mint has taken by now',
    {
      table: nfts,
      restored: token,
      known: { ...token, status: 'failed', nonce: 9 },
      live: [['Items', { ...token, status: 'failed', nonce: 9 }]],
      meanwhile: [['Items', { ...token, status: 'pending', nonce: 9 }]],
    },
  ],
  [
    'an idempotency key that gets a result',
    {
      table: (client) => restoredRequests(items(client)),
      restored: key,
      known: { ...key, state: 'claimed' },
      live: [['Items', { ...key, state: 'claimed' }]],
      meanwhile: [['Items', { ...key, result: 'another' }]],
    },
  ],
  [
    'a count that rises',
    {
      table: (client) => restoredRequests(items(client)),
      restored: count,
      known: { ...count, made: 1 },
      live: [['Items', { ...count, made: 1 }]],
      meanwhile: [['Items', { ...count, made: 2 }]],
    },
  ],
  [
    'a transaction whose nonce gets another entry',
    {
      table: (client) =>
        restoredTransactions(items(client), { undecided: nothingUndecided(), toldAbout: async () => [] }),
      restored: entryItem(entry),
      known: noop,
      live: [['Items', noop]],
      meanwhile: [['Items', { ...noop, attempts: [{ ...noop.attempts[0], hash: '0xcd' }] }]],
    },
  ],
])('a restore does not bring back %s meanwhile', async (_, one) => {
  expect(await changesOf({ ...one, write: restore(one) })).toEqual([]);
});

const entries = (client: DocumentClient) =>
  dynamoDbRestoredEntries({
    client,
    tables: { contracts: 'Items', nfts: 'Items', transactions: 'Items', requests: 'Items' },
  });
const pending = { ...entry, status: 'pending' } as const;
const superseded = { ...entry, status: 'superseded' } as const;
const ofContract = { pk: 'one', sk: contract, maxSupply: 10 };

it.each<
  readonly [string, Omit<Parameters<typeof changesOf>[0], 'meanwhile'> & { readonly meanwhile: Stored }]
>([
  [
    'a superseded entry that is reopened',
    {
      live: [['Items', { ...entryItem(superseded) }]],
      meanwhile: [['Items', { ...entryItem(superseded), reopened: 1 }]],
      write: (client) => entries(client).reopen(superseded),
    },
  ],
  [
    'a token of which another entry has become responsible',
    {
      live: [['Items', { ...token, status: 'pending', nonce: 9 }]],
      meanwhile: [['Items', { ...token, status: 'pending', nonce: 10 }]],
      write: (client) => entries(client).takeBackResources(pending, async () => true),
    },
  ],
  [
    'a reserved token that is claimed',
    {
      live: [['Items', { ...token, status: 'reserved', nonce: -1 }]],
      meanwhile: [['Items', { ...token, status: 'pending', nonce: 4 }]],
      write: (client) =>
        entries(client).confirmReserved(
          { applicationId: 'one', contract, tokenId: '1' } as never,
          '0x00000000000000000000000000000000000000ee',
        ),
    },
  ],
  [
    'a counter that has risen above the ids of the tokens',
    {
      live: [
        ['Lists', ofContract],
        ['Items', { pk: `one#${contract}#counter`, sk: 'counter', tokens: 0 }],
        ['Items', token],
      ],
      meanwhile: [['Items', { pk: `one#${contract}#counter`, sk: 'counter', tokens: 5 }]],
      write: (client) =>
        mendCounters(items(client), {
          mintedAfter: async () => ({ last: 1, ids: [1] }),
          contractsTable: 'Lists',
        }),
    },
  ],
])('the settling of restored tables leaves %s alone', async (_, one) => {
  expect(await changesOf(one)).toEqual([]);
});
