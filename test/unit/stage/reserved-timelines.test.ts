import { describe, expect, it } from 'vitest';
import {
  type CollectionTimelineDependencies,
  findToken,
} from '../../../operator/stage/find/collection-timelines.ts';
import { findApplicationUserSub } from '../../../operator/stage/find/people-timelines.ts';
import { checksummed } from '../../../shared/chain/hex.ts';
import type { Line } from '../../../shared/nft/history/line.ts';
import { standInOf } from '../../../shared/nft/reservations/stand-in.ts';
import type { Nft } from '../../../shared/nft/tokens/nft.ts';
import type { Entry, SignerId } from '../../../shared/nft/transactions/entry.ts';
import { aReservedToken, ticketCollection } from '../../support/ott/builders.ts';

const user = '1'.repeat(32);
const address = checksummed(ticketCollection);
const notAsked = () => Promise.reject(new Error('must not be asked'));

const signer = '137#1' as SignerId;
/** The transaction of a claim, as the log has it. */
const aClaim = (nonce: number, changes: Partial<Entry> = {}): Entry => ({
  signer,
  nonce,
  purpose: {
    kind: 'claim',
    applicationId: 'fan-app',
    contract: ticketCollection,
    tokenId: '7',
    destination: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  },
  gas: 100_000n,
  attempts: [
    {
      hash: `0x${nonce}`,
      raw: '0x02',
      maxFeePerGas: 30_000_000_000n,
      maxPriorityFeePerGas: 1n,
      signedAt: Date.parse('2026-11-21T12:00:00.500Z') + nonce,
    },
  ],
  status: 'pending',
  missingLooks: 0,
  ...changes,
});

/** The token, with these entries in the log. The index of changes has those that `indexed` names. */
const find = (
  nft: Nft,
  entries: readonly Entry[] = [],
  indexed = entries.map(({ nonce }) => nonce),
  lines: readonly Line[] = [],
) =>
  findToken(
    {
      contracts: {
        findPublic: async () => ({
          address: ticketCollection,
          applicationId: 'fan-app',
          signer: '137#1',
          nonce: 1,
          status: 'confirmed',
        }),
      },
      nfts: { find: async () => nft, list: notAsked },
      transactionLog: {
        find: async (key: { nonce: number }) => entries.find(({ nonce }) => nonce === key.nonce),
      },
      chain: { receipts: async () => new Map() },
      blockTimes: async () => new Map(),
      changes: {
        ofToken: async () => ({
          changes: indexed.toReversed().map((nonce) => ({ signer, nonce, signedAt: nonce })),
          isMore: false,
        }),
        ofContract: notAsked,
      },
      records: { ofSubject: async () => [] },
      lines: { ofToken: async () => ({ lines, isMore: false }) },
      subs: {
        registrationsOf: async ({ applicationUserSubs }: { applicationUserSubs: string[] }) =>
          new Map(applicationUserSubs.map((each) => [each, { userSub: each, registrationId: each }])),
      },
      users: { registrationsOf: async (subs: string[]) => new Map(subs.map((each) => [each, each])) },
    } as unknown as CollectionTimelineDependencies,
    { address: ticketCollection, tokenId: '7' },
  );

describe('the timeline of a reserved token', () => {
  it('names the user but no transaction', async () => {
    const found = await find(aReservedToken('registration', { tokenId: '7', contract: ticketCollection }));

    expect(found?.fields).toMatchObject({ status: 'reserved', reserved_for: user });
    expect(found?.fields).not.toHaveProperty('nonce');
    expect(found?.moments.map(({ what }) => what)).toEqual([`reserved for ${user}`]);
    expect(found?.related).toEqual([address, 'fan-app', user]);
    expect(found?.commands).toEqual([`contracts show ${address}`]);
  });

  it('also names the transaction after the token is claimed', async () => {
    const claimed = { tokenId: '7', status: 'pending', nonce: 9, transactionHash: '0xab' } as const;

    const found = await find(aReservedToken('registration', claimed));

    expect(found?.fields).toMatchObject({ reserved_for: user, nonce: 9, transaction: '0xab' });
    expect(found?.related).toEqual([address, 'fan-app', user, '0xab']);
  });

  const claimed = aReservedToken('registration', {
    tokenId: '7',
    status: 'pending',
    nonce: 9,
    transactionHash: '0x9',
  });
  const linesOf = async (...found: Parameters<typeof find>) =>
    (await find(...found))?.moments.map(({ what }) => what) ?? [];

  it.each([[[9]], [[]]])(
    'tells of a claim once if the index of changes has the nonces %j',
    async (indexed) => {
      const lines = await linesOf(claimed, [aClaim(9)], indexed);

      expect(lines).toEqual([
        `reserved for ${user}`,
        expect.stringMatching(/^nonce 9: accepted and recorded: claim of token 7/),
        'nonce 9: nonce 9 is not final yet',
      ]);
    },
  );

  it('tells of each of several claims once, also of one that took the nonce of another over', async () => {
    const failed = aClaim(5, { status: 'failed', decidedAt: Date.parse('2026-11-21T12:01:00Z') });
    const lines = await linesOf(claimed, [
      failed,
      aClaim(8, { status: 'superseded' }),
      aClaim(9, { supersedes: 8 }),
    ]);

    expect(new Set(lines).size).toBe(lines.length);
    expect(
      lines.filter((line) => line.includes('accepted and recorded')).map((line) => line.slice(0, 7)),
    ).toEqual(['nonce 5', 'nonce 8', 'nonce 9']);
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
        lines: { givenBy: async () => [{ contract: ticketCollection, tokenId: '8', at: 1 }] },
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

    expect(asked).toEqual([{ applicationId: 'fan-app', reservedFor: standInOf(user), limit: 5 }]);
    expect(found?.related).toEqual(['fan-app', `${address}/7`, `${address}/8`]);
    expect(found?.moments).toContainEqual({
      at: '1970-01-01T00:00:00.001Z',
      what: `token 8 of ${address} was given to another user`,
    });
    expect(found?.moments.map(({ what }) => what)).toContain(`token 7 of ${address} was reserved`);
  });
});
