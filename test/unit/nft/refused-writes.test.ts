import { expect, it } from 'vitest';
import type { Address } from '../../../shared/chain/hex.ts';
import { standInOf, unminted } from '../../../shared/nft/reservations/stand-in.ts';
import { contractItem, counterKey, fenceKey, nftItem } from '../../../shared/nft/store/nft-items.ts';
import { dynamoDbReservations, dynamoDbReservedChanges } from '../../../shared/nft/store/reservations.ts';
import { dynamoDbSigners } from '../../../shared/nft/store/signers.ts';
import { dynamoDbSupplies } from '../../../shared/nft/store/supplies.ts';
import { entryItem } from '../../../shared/nft/store/transaction-items.ts';
import { dynamoDbTransactionLog } from '../../../shared/nft/store/transactions.ts';
import { burnFields } from '../../../shared/nft/tokens/gone.ts';
import type { Nft } from '../../../shared/nft/tokens/nft.ts';
import type { Entry } from '../../../shared/nft/transactions/entry.ts';
import { burnsToken } from '../../../shared/nft/transactions/purpose.ts';
import type { DocumentClient } from '../../../shared/platform/store/client.ts';
import { aContract } from '../../support/nft/contracts.ts';
import { aDecidedEntry } from '../../support/nft/decisions.ts';
import { someMetadata } from '../../support/nft/metadata.ts';
import { everyPurpose } from '../../support/nft/purposes.ts';
import { aSignerState } from '../../support/nft/signer-state.ts';
import { changesOf, type RefusedWrite, tableName } from '../../support/platform/refused-writes.ts';

const contract: Address = '0x00000000000000000000000000000000000000cc';
const wallet: Address = '0x00000000000000000000000000000000000000ee';
const collection = { applicationId: 'one', contract };
const [ana, ben] = [standInOf('1'.repeat(32)), standInOf('2'.repeat(32))];
const reserved: Nft = {
  ...collection,
  tokenId: '1',
  destination: ana,
  reservedFor: ana,
  holder: 'ana',
  version: 3,
  metadata: someMetadata('A seat'),
  ...unminted,
  status: 'reserved',
  createdAt: '2026-11-20T09:15:00.000Z',
};
const minted: Nft = {
  ...reserved,
  destination: wallet,
  reservedFor: undefined,
  holder: undefined,
  version: undefined,
  nonce: 7,
  transactionHash: '0xab',
  status: 'pending',
};
const places = { ...collection, firstTokenId: '1', count: 2, owner: 'ours', takenAt: 5 };

const pending = (purpose: Entry['purpose'], nonce = 7): Entry =>
  aDecidedEntry({ nonce, purpose, status: 'pending', minedHash: undefined, decidedAt: undefined });
const change = { nonce: 7, transactionHash: '0xab', status: 'pending' } as const;
const failed = { status: 'failed', hash: '0xab', reason: 'REVERTED' } as const;

const tables = { contracts: tableName, nfts: tableName, transactions: tableName, requests: tableName };
const log = (client: DocumentClient) => dynamoDbTransactionLog({ client, tables, pause: async () => {} });
const signers = (client: DocumentClient) => dynamoDbSigners({ client, tableName });
const supplies = (client: DocumentClient) => dynamoDbSupplies({ client, tableName });
const reservations = (client: DocumentClient) => dynamoDbReservations({ client, tables });
const reservedChanges = (client: DocumentClient) =>
  dynamoDbReservedChanges({ client, tables: { ...tables, history: tableName } });

const { id } = aSignerState();
const signerItem = {
  pk: id,
  nextNonce: 5,
  lastTakenAt: 0,
  generation: 'generation',
  minedCount: 0,
  finalizedCount: 0,
  finalizedHeight: 1,
  unminedCost: '0',
  costedThrough: 0,
};
const gap = { through: 3, seenAt: 1 };

const ofSigners: readonly (readonly [string, RefusedWrite])[] = [
  [
    'a lower next nonce',
    { items: [signerItem], write: (client) => signers(client).raiseNextNonce({ id, count: 4 }) },
  ],
  [
    'a gap if another one was stored since',
    {
      items: [{ ...signerItem, gap }],
      write: (client) => signers(client).saveGap({ id, before: undefined, after: { through: 2, seenAt: 2 } }),
    },
  ],
  [
    'the end of a gap that another one has replaced',
    {
      items: [{ ...signerItem, gap }],
      write: (client) => signers(client).saveGap({ id, before: { through: 2, seenAt: 2 }, after: undefined }),
    },
  ],
  [
    'a new generation after another one',
    {
      items: [signerItem],
      write: (client) => signers(client).swapGeneration({ id, from: 'earlier', to: 'ours' }),
    },
  ],
];

it.each(ofSigners)('the table of signers refuses %s', async (_, write) => {
  expect(await changesOf(write, ['pk'])).toEqual([]);
});

const ofTokens: readonly (readonly [string, RefusedWrite])[] = [
  [
    'a reservation of an id that another token has',
    {
      items: [nftItem({ ...reserved, createdAt: '2026-11-20T09:14:00.000Z' })],
      write: (client) => reservations(client).record({ tokens: [reserved] }),
    },
  ],
  [
    'a reservation whose places have a fence',
    {
      items: [fenceKey(places)],
      write: (client) => reservations(client).record({ tokens: [reserved], places }),
    },
  ],
  [
    'a change of a reserved token that was changed since',
    {
      items: [nftItem({ ...reserved, version: 4 })],
      write: (client) =>
        reservedChanges(client).change({
          change: { kind: 'assignment', tokens: [reserved], to: { standIn: ben, holder: 'ben' } },
          line: {
            contract: reserved.contract,
            tokens: { from: '1', to: '1' },
            at: 1,
            what: 'given',
            count: 4,
            versions: [4],
            given: { from: ana, to: ben },
          },
          requestToken: 'token',
        }),
    },
  ],
  [
    'the confirmation of places that another request has marked',
    {
      items: [{ ...counterKey(collection), taken: 2, 'places#5#2#ours': 3 }],
      write: (client) => supplies(client).keep(places),
    },
  ],
  [
    'the return of places that another request has marked',
    {
      items: [{ ...counterKey(collection), taken: 2, 'places#5#2#ours': 3 }],
      write: (client) => supplies(client).giveBack(places),
    },
  ],
  [
    'the return of the places of a failed mint a second time',
    {
      items: [{ ...counterKey(collection), taken: 2, returned: new Set([1]) }],
      write: (client) => supplies(client).giveBackFailed(places),
    },
  ],
  [
    'places of a mint that has not failed',
    {
      items: [{ ...counterKey(collection), taken: 2 }],
      write: (client) => supplies(client).takeReturned(places),
    },
  ],
  [
    'a claim of a reserved token that was changed since',
    {
      items: [nftItem({ ...reserved, version: 4 })],
      write: (client) => {
        const claimed = {
          collection,
          tokenId: '1',
          destination: wallet,
          reservedFor: ana,
          registrationId: undefined,
          version: 3,
        };
        const entry = pending({ kind: 'claim', ...collection, tokenId: '1', destination: wallet });
        return log(client).record({
          entry,
          resource: { kind: 'claim', ...claimed, nonce: 7, transactionHash: '0xab' },
        });
      },
    },
  ],
  [
    'metadata of a token that does not exist',
    {
      items: [],
      write: (client) =>
        log(client).record({
          entry: pending({ kind: 'update-metadata', ...collection, from: '1', to: '1' }),
          resource: { kind: 'metadata', collection, from: '1', metadata: [someMetadata('New')], change },
        }),
    },
  ],
  [
    'metadata of a contract that does not exist',
    {
      items: [],
      write: (client) =>
        log(client).record({
          entry: pending({ kind: 'update-contract-metadata', ...collection }),
          resource: {
            kind: 'contract-metadata',
            collection,
            metadata: { description: 'New', image: null, media: [] },
            change,
          },
        }),
    },
  ],
  [
    'a royalty of a contract that does not exist',
    {
      items: [],
      write: (client) =>
        log(client).record({
          entry: pending({ kind: 'set-royalty', ...collection, royalty: null }),
          resource: { kind: 'royalty', collection, change: { ...change, royalty: null } },
        }),
    },
  ],
  [
    'a royalty before a later one',
    {
      items: [contractItem({ ...aContract, royaltyChange: { ...change, nonce: 8, royalty: null } })],
      write: (client) =>
        log(client).record({
          entry: pending({ kind: 'set-royalty', ...collection, royalty: null }),
          resource: { kind: 'royalty', collection, change: { ...change, royalty: null } },
        }),
    },
  ],
  ...(
    [
      ['a token whose mint has a later nonce', { ...minted, nonce: 8 }],
      ['a token that became reserved again', reserved],
    ] as const
  ).map(
    ([what, token]) =>
      [
        `a revocation of ${what}`,
        {
          items: [nftItem(token)],
          write: (client: DocumentClient) =>
            log(client).record({
              entry: pending({ kind: 'revoke', ...collection, tokenId: '1' }),
              resource: { kind: 'burn', collection, tokenId: '1', change },
            }),
        },
      ] as const,
  ),
  ...(
    [
      ['has ended', { ...change, status: 'confirmed' }],
      ['another one has replaced', { ...change, nonce: 8 }],
    ] as const
  ).map(
    ([what, revocation]) =>
      [
        `the failure of a lost revocation that ${what}`,
        {
          items: [nftItem({ ...minted, revocation })],
          write: (client: DocumentClient) =>
            log(client).failLostBurn(minted, { field: 'revocation', change }),
        },
      ] as const,
  ),
  ...burnFields.map(
    (field) =>
      [
        `a successor of a mint whose token has a pending ${field}`,
        {
          items: [
            entryItem(pending(aDecidedEntry().purpose)),
            nftItem({ ...minted, [field]: { ...change, nonce: 9 } }),
          ],
          write: (client: DocumentClient) => {
            const entry = pending(aDecidedEntry().purpose);
            return log(client).supersede({ entry, successor: { ...entry, nonce: 10, supersedes: 7 } });
          },
        },
      ] as const,
  ),
  ...everyPurpose.filter(burnsToken).flatMap((purpose) =>
    burnFields.map(
      (field) =>
        [
          `a transaction of the kind ${purpose.kind} for a token with a pending ${field}`,
          {
            items: [
              nftItem({ ...minted, nonce: 3, tokenId: purpose.tokenId, [field]: { ...change, nonce: 6 } }),
            ],
            write: (client: DocumentClient) => {
              const burn = {
                kind: 'burn',
                collection,
                tokenId: purpose.tokenId,
                change,
              } as const;
              return log(client).record({ entry: pending(purpose), resource: burn });
            },
          },
        ] as const,
    ),
  ),
];

it.each(ofTokens)('the tables of tokens and transactions refuse %s', async (_, write) => {
  expect(await changesOf(write, ['pk', 'sk'])).toEqual([]);
});

/** The entry of the outcome changes, and nothing else. */
const decided = async (write: RefusedWrite): Promise<readonly unknown[]> => {
  const changes = await changesOf(write, ['pk', 'sk']);
  return changes.filter((item) => (item as { readonly pk: string }).pk !== aDecidedEntry().signer);
};
const claim = pending({ kind: 'claim', ...collection, tokenId: '1', destination: wallet });
const royalty = pending({ kind: 'set-royalty', ...collection, royalty: null });

it.each([
  [
    'a token that was claimed again',
    claim,
    nftItem({ ...reserved, status: 'pending', nonce: 9, destination: wallet }),
  ],
  ['a token that a successor mints', pending(aDecidedEntry().purpose), nftItem({ ...minted, nonce: 9 })],
  [
    'a contract with a later change',
    royalty,
    contractItem({ ...aContract, royaltyChange: { ...change, nonce: 9, royalty: null } }),
  ],
])('the outcome of an entry changes nothing of %s', async (_, entry, item) => {
  const write = (client: DocumentClient) => log(client).finalize([{ entry, verdict: failed, at: 1 }]);

  expect(await decided({ items: [entryItem(entry), item], write })).toEqual([]);
});

it.each([
  ['token', pending(aDecidedEntry().purpose), [], nftItem(minted)],
  [
    'change',
    royalty,
    [contractItem({ ...aContract, royaltyChange: { ...change, nonce: 9, royalty: null } })],
    contractItem({ ...aContract, royaltyChange: { ...change, royalty: null } }),
  ],
] as const)(
  'an entry is not decided without its %s, which was not there and comes back meanwhile',
  async (_, entry, before, back) => {
    let tries = 0;
    const write = (client: DocumentClient) =>
      log({
        ...client,
        transactWrite: async (input) => {
          tries += 1;
          // The first try and the second one are refused, because it is not there.
          if (tries === 3) await client.put({ TableName: tableName, Item: back });
          return client.transactWrite(input);
        },
      }).finalize([{ entry, verdict: failed, at: 1 }]);

    const changes = await changesOf({ items: [entryItem(entry), ...before], write }, ['pk', 'sk']);

    expect(changes).toHaveLength(1);
  },
);
