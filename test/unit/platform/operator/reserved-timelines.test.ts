import { describe, expect, it } from 'vitest';
import {
  type CollectionTimelineDependencies,
  findToken,
} from '../../../../operator/platform/find/collection-timelines.ts';
import { findApplicationUserSub } from '../../../../operator/platform/find/people-timelines.ts';
import type { Nft } from '../../../../shared/nft/collection/nft.ts';
import { checksummed } from '../../../../shared/nft/hex.ts';
import { standInOf } from '../../../../shared/nft/reservation/stand-in.ts';
import { aReservedToken, ticketCollection } from '../../../support/ott/builders.ts';

const user = '1'.repeat(32);
const address = checksummed(ticketCollection);
const notAsked = () => Promise.reject(new Error('must not be asked'));

const find = (nft: Nft) =>
  findToken(
    {
      contracts: {
        findPublic: async () => ({
          address: ticketCollection,
          application: 'fan-app',
          signer: '137#1',
          nonce: 1,
          status: 'confirmed',
        }),
      },
      nfts: { find: async () => nft, list: notAsked },
      transactionLog: { find: async () => undefined },
      changes: { ofToken: async () => ({ changes: [], isMore: false }), ofContract: notAsked },
      records: { ofSubject: async () => [] },
    } as unknown as CollectionTimelineDependencies,
    { address: ticketCollection, tokenId: '7' },
  );

describe('the timeline of a reserved token', () => {
  it('names the user but no transaction', async () => {
    const found = await find(aReservedToken('registration', { tokenId: '7', contract: ticketCollection }));

    expect(found?.fields).toMatchObject({ status: 'reserved', reserved_for: user });
    expect(found?.fields).not.toHaveProperty('nonce');
    expect(found?.moments.map(({ what }) => what)).toEqual(['reserved for a user']);
    expect(found?.related).toEqual([address, 'fan-app', user]);
    expect(found?.commands).toEqual([`contracts show ${address}`]);
  });

  it('also names the transaction after the token is claimed', async () => {
    const claimed = { tokenId: '7', status: 'pending', nonce: 9, transactionHash: '0xab' } as const;

    const found = await find(aReservedToken('registration', claimed));

    expect(found?.fields).toMatchObject({ reserved_for: user, nonce: 9, transaction: '0xab' });
    expect(found?.related).toEqual([address, 'fan-app', user, '0xab']);
  });
});

describe('the timeline of an application user sub', () => {
  it('names the tokens that are reserved for its user', async () => {
    const asked: unknown[] = [];

    const found = await findApplicationUserSub(
      {
        subs: {
          applicationOf: async () => 'fan-app',
          registrationOf: async () => undefined,
          ofRegistration: async () => new Map(),
        },
        users: { trace: async () => undefined },
        wallets: { find: async () => undefined, ownershipOf: async () => undefined },
        userTokens: {
          list: async (page: unknown) => {
            asked.push(page);
            return { items: [aReservedToken('registration', { tokenId: '7' })] };
          },
        },
        records: { ofSubject: async () => [] },
      } as unknown as Parameters<typeof findApplicationUserSub>[0],
      user,
    );

    expect(asked).toEqual([{ application: 'fan-app', reservedFor: standInOf(user), limit: 5 }]);
    expect(found?.related).toEqual(['fan-app', `${address}/7`]);
    expect(found?.moments.map(({ what }) => what)).toContain(`token 7 of ${address} was reserved`);
  });
});
