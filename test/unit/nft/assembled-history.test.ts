import { describe, expect, it } from 'vitest';
import type { Address } from '../../../shared/chain/hex.ts';
import { assemble } from '../../../shared/nft/history/assemble.ts';
import type { Line, LineKind } from '../../../shared/nft/history/line.ts';
import { historyEntriesAtMost, ownHistory } from '../../../shared/nft/history/token-history.ts';
import { type Work, worksOf } from '../../../shared/nft/history/works.ts';
import { standInOf } from '../../../shared/nft/reservations/stand-in.ts';
import type { Nft } from '../../../shared/nft/tokens/nft.ts';
import type { LoggedEntry } from '../../../shared/nft/transactions/entry.ts';
import { aDecidedEntry } from '../../support/nft/decisions.ts';
import { aReservedToken } from '../../support/ott/builders.ts';

const [ana, bruno, clara] = ['1', '2', '3'].map((digit) => standInOf(digit.repeat(32))) as [
  Address,
  Address,
  Address,
];
const wallet: Address = '0x00000000000000000000000000000000000000aa';
const begun = Date.parse('2026-04-01T00:00:00.000Z');

const token = (fields: Partial<Nft> = {}) => aReservedToken('registration', { tokenId: '7', ...fields });

const line = (at: number, what: LineKind, changes: Partial<Line> = {}): Line => ({
  contract: token().contract,
  tokens: { from: '7', to: '7' },
  at: begun + at,
  what,
  count: 0,
  ...changes,
});
const gift = (at: number, version: number, from: Address, to: Address): Line =>
  line(at, 'given', { count: version, versions: [version], given: { from, to } });

const claim = (at: number, endedAt: number, status: Work['status']): Work => ({
  purpose: {
    kind: 'claim',
    applicationId: 'fan-app',
    contract: token().contract,
    tokenId: '7',
    destination: wallet,
  },
  status,
  hash: '0xab',
  signedAt: begun + at,
  endedAt: begun + endedAt,
});

const told = (nft: Nft, lines: readonly Line[], works: readonly Work[] = []) => {
  const { entries, knownFrom } = assemble(nft, { lines, works });
  return { whats: entries.map(({ what }) => what), at: entries.map(({ at }) => at - begun), knownFrom };
};

describe('the history of a token', () => {
  it('orders gifts by their versions if the clocks of two processes differ, and its times ascend', () => {
    const { entries } = assemble(token({ version: 2, reservedFor: clara }), {
      lines: [gift(10, 2, bruno, clara), gift(20, 1, ana, bruno)],
      works: [],
    });

    expect(entries.map(({ after, at }) => [after, at - begun])).toEqual([
      [ana, 0],
      [bruno, 20],
      [clara, 20],
    ]);
  });

  it('orders a failed claim before the gift that follows, whatever the clocks say', () => {
    const nft = token({ version: 4, reservedFor: clara });
    const lines = [gift(20, 1, ana, bruno), gift(25, 4, bruno, clara)];

    for (const endedAt of [20, 25, 40]) {
      const { whats, at } = told(nft, lines, [claim(15, endedAt, 'failed')]);

      expect({ endedAt, whats }).toEqual({
        endedAt,
        whats: ['reserved', 'given', 'claimed', 'minted', 'given'],
      });
      expect(at).toEqual(at.toSorted((one, other) => one - other));
    }
  });

  it('orders gifts by their times if a token that was restored has had versions twice', () => {
    const lines = [gift(10, 1, ana, bruno), gift(20, 2, bruno, clara), gift(30, 1, ana, clara)];

    const { entries, knownFrom } = assemble(token({ version: 1, reservedFor: clara }), { lines, works: [] });

    expect(entries.map(({ at }) => at - begun)).toEqual([0, 10, 20, 30]);
    expect(knownFrom).toBe(begun);
  });

  it('orders voids as they were made, also if a call that began before an end has waited for it', () => {
    const lines = [
      line(10, 'voided', { count: 0 }),
      line(15, 'voided', { count: 1 }),
      line(20, 'unvoided', { count: 1 }),
    ];

    expect(told(token(), lines)).toMatchObject({
      whats: ['reserved', 'voided', 'unvoided', 'voided'],
      at: [0, 10, 20, 20],
    });
  });

  it('orders voids by their times if their count was lost', () => {
    const lines = [
      line(10, 'voided', { count: 0 }),
      line(20, 'unvoided', { count: 1 }),
      line(30, 'voided', { count: 0 }),
    ];

    expect(told(token(), lines).whats).toEqual(['reserved', 'voided', 'unvoided', 'voided']);
  });

  it('tells nothing before the reservation, whatever the clocks say', () => {
    expect(told(token({ version: 1 }), [gift(-5, 1, ana, bruno)]).at).toEqual([0, 0]);
  });

  it.each([
    ['a gift has no line', [gift(10, 1, ana, bruno), gift(30, 3, clara, ana)], [], 3, 30],
    ['the last gift has no line', [gift(10, 1, ana, bruno)], [], 2, undefined],
    [
      'a claim has failed',
      [gift(10, 1, ana, bruno), gift(40, 4, bruno, ana)],
      [claim(20, 30, 'failed')],
      4,
      0,
    ],
    ['the claim is not in the log', [gift(10, 1, ana, bruno), gift(40, 4, bruno, ana)], [], 4, 40],
    ['a claim is pending', [gift(10, 1, ana, bruno)], [claim(20, 20, 'pending')], 2, 0],
  ] as const)('is known from the right time on if %s', (_, lines, works, version, expected) => {
    const nft = token({ version, ...(works.length > 0 && { status: 'pending', nonce: 3 }) });

    const { knownFrom } = told(nft, lines, works);

    expect(knownFrom === undefined ? undefined : knownFrom - begun).toBe(expected);
  });

  it('does not know when a token was minted whose transaction the log has lost', () => {
    expect(told(token({ version: 0, status: 'confirmed', nonce: 0 }), []).knownFrom).toBeUndefined();
  });

  it('knows the user’s part again after the token has come back to the user', () => {
    const lines = [gift(10, 1, ana, bruno), gift(20, 2, bruno, ana), line(30, 'voided')];
    const { entries } = assemble(token({ version: 2, reservedFor: ana }), { lines, works: [] });
    const partOf = (user: Address) =>
      entries.filter(({ before, after }) => before === user || after === user).map(({ what }) => what);

    expect(partOf(ana)).toEqual(['reserved', 'given', 'given', 'voided']);
    expect(partOf(bruno)).toEqual(['given', 'given']);
  });
});

const entry = (nonce: number, changes: Partial<LoggedEntry> = {}): LoggedEntry => ({
  ...aDecidedEntry({ nonce, purpose: claim(0, 0, 'confirmed').purpose }),
  ...changes,
});

describe('the transactions of a token', () => {
  const { signer } = entry(1);
  const find = (entries: readonly LoggedEntry[], nft: Nft, indexed: readonly number[]) =>
    worksOf(
      {
        changes: {
          ofToken: async () => ({
            changes: indexed.map((nonce) => ({ signer, nonce, signedAt: nonce })),
            isMore: false,
          }),
        },
        transactionLog: { find: async ({ nonce }) => entries.find((each) => each.nonce === nonce) },
      },
      { nft, contract: { signer } },
    );

  it('are told once if others have taken their work over, from the first signature on', async () => {
    const first = entry(5, { status: 'superseded' });
    const [attempt] = first.attempts;
    if (attempt === undefined) throw new Error('No attempt');
    const later = { ...attempt, signedAt: attempt.signedAt + 100 };
    const entries = [
      first,
      entry(6, { status: 'superseded', supersedes: 5, attempts: [later] }),
      entry(7, { status: 'pending', supersedes: 6, attempts: [later], decidedAt: undefined }),
    ];

    for (const indexed of [[5, 6, 7], [], [5], [6]]) {
      const { works } = await find(entries, token({ nonce: 7, status: 'pending' }), indexed);

      expect({ indexed, works }).toMatchObject({
        indexed,
        works: [{ status: 'pending', signedAt: attempt.signedAt }],
      });
    }
  });

  it('are not those of others that have the nonce that the token names', async () => {
    const other = { ...claim(0, 0, 'confirmed').purpose, tokenId: '8' } as LoggedEntry['purpose'];
    const noop = { kind: 'noop' } as const;

    for (const purpose of [other, noop]) {
      const { works } = await find([entry(7, { purpose })], token({ nonce: 7 }), []);
      expect(works).toEqual([]);
    }
  });
});

describe('a history that is read while the token changes', () => {
  it('tells nobody what the next user has done, who claims the token between two reads', async () => {
    const before = token({ version: 0, reservedFor: ana });
    const after = token({ version: 2, reservedFor: bruno, status: 'pending', nonce: 7 });
    const dependencies = {
      contracts: { find: async () => ({ signer: entry(7).signer }) as never },
      nfts: { find: async () => after },
      lines: { ofToken: async () => ({ lines: [gift(10, 1, ana, bruno)], isMore: false }) },
      changes: {
        ofToken: async () => ({
          changes: [{ signer: entry(7).signer, nonce: 7, signedAt: 1 }],
          isMore: false,
        }),
      },
      transactionLog: { find: async () => entry(7, { status: 'pending' }) },
    };

    const partOf = async (standIn: Address) =>
      (await ownHistory(dependencies, { nft: before, standIn })).entries.map(({ what }) => what);

    expect(await partOf(ana)).toEqual(['reserved', 'given']);
    expect(await partOf(bruno)).toEqual(['given', 'claimed', 'minted']);
  });

  it('is refused if the token changes at every try', async () => {
    let version = 0;
    const reading = ownHistory(
      {
        contracts: { find: async () => ({ signer: '137#0x1' }) as never },
        nfts: {
          find: async () => {
            version += 1;
            return token({ version });
          },
        },
        lines: { ofToken: async () => ({ lines: [], isMore: false }) },
        changes: { ofToken: async () => ({ changes: [], isMore: false }) },
        transactionLog: { find: async () => undefined },
      },
      { nft: token(), standIn: ana },
    );

    await expect(reading).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});

describe('a user’s own part of a very long history', () => {
  it('has the newest entries, and says where they begin', async () => {
    const lines = Array.from({ length: historyEntriesAtMost }, (_, index) =>
      gift(index + 1, index + 1, ...((index % 2 === 0 ? [ana, bruno] : [bruno, ana]) as [Address, Address])),
    );
    const nft = token({ version: lines.length, reservedFor: ana });

    const { entries, knownFrom } = await ownHistory(
      {
        contracts: { find: async () => ({ signer: '137#0x1' }) as never },
        nfts: { find: async () => nft },
        lines: { ofToken: async () => ({ lines, isMore: false }) },
        changes: { ofToken: async () => ({ changes: [], isMore: false }) },
        transactionLog: { find: async () => undefined },
      },
      { nft, standIn: ana },
    );

    expect(entries).toHaveLength(historyEntriesAtMost);
    expect(knownFrom).toBe(begun + 1);
  });
});
