import { describe, expect, it } from 'vitest';
import { type ExportPlace, exportTokens } from '../../../shared/account/export/export-tokens.ts';
import type { Address } from '../../../shared/chain/hex.ts';
import type { EverOwnToken } from '../../../shared/nft/ports/held-tokens.ts';
import type { Nft } from '../../../shared/nft/tokens/nft.ts';
import { someMetadata } from '../../support/nft/metadata.ts';

const contract: Address = `0x${'c'.repeat(40)}`;

const subsOf = (...ids: readonly string[]) =>
  ids.map((applicationId) => ({
    applicationId,
    applicationUserSub: `${applicationId}-sub`,
    isLinked: true,
  }));

/** Tokens of each application, with this description. */
const stored = (counts: Readonly<Record<string, number>>, description = '') => {
  const tokenOf = (applicationId: string, index: number): EverOwnToken => {
    const key = { applicationId, contract, tokenId: String(index) };
    const nft = { ...key, metadata: { ...someMetadata('Seat'), description } } as Nft;
    return { key, nft, isOwn: true, place: String(index).padStart(4, '0') };
  };
  const asked: string[] = [];
  const dependencies = {
    everOwnTokens: {
      list: async ({
        applicationId,
        limit,
        after = '9999',
      }: {
        applicationId: string;
        limit: number;
        after?: string | undefined;
      }) => {
        asked.push(applicationId);
        const all = Array.from({ length: counts[applicationId] ?? 0 }, (_, index) =>
          tokenOf(applicationId, index),
        )
          .toReversed()
          .filter(({ place }) => place < after);
        const items = all.slice(0, limit);
        return { items, ...(all.length > limit && { next: items.at(-1)?.place }) };
      },
    },
    // The contract is unknown, so there is no history.
    contracts: { find: async () => undefined },
    lines: { ofToken: async () => ({ lines: [], isMore: false }) },
  } as unknown as Parameters<typeof exportTokens>[0];
  return { dependencies, asked };
};

const allPages = async (
  dependencies: Parameters<typeof exportTokens>[0],
  subs: ReturnType<typeof subsOf>,
) => {
  const pages: Awaited<ReturnType<typeof exportTokens>>[] = [];
  let from: ExportPlace | undefined;
  do {
    const page = await exportTokens(dependencies, { subs, from });
    pages.push(page);
    from = page.next;
  } while (from !== undefined && pages.length < 1_000);
  return pages;
};

const namesOf = (pages: Awaited<ReturnType<typeof allPages>>) =>
  pages.flatMap(({ tokens }) => tokens.map(({ key }) => `${key.applicationId} ${key.tokenId}`));

describe('the pages of exported tokens', () => {
  it('have each token once, application by application', async () => {
    const { dependencies } = stored({ a: 120, b: 1, c: 0, d: 50 });

    const pages = await allPages(dependencies, subsOf('d', 'b', 'a', 'c'));

    expect(new Set(namesOf(pages)).size).toBe(171);
    expect(namesOf(pages)).toHaveLength(171);
    for (const { tokens } of pages) expect(tokens.length).toBeLessThan(60);
  });

  it('end early if their tokens are large, so that Lambda sends them', async () => {
    const { dependencies } = stored({ a: 60, b: 60 }, '"'.repeat(100_000));

    const pages = await allPages(dependencies, subsOf('a', 'b'));

    expect(new Set(namesOf(pages)).size).toBe(120);
    expect(namesOf(pages)).toHaveLength(120);
    // The body is a string within Lambda's own JSON.
    for (const { tokens } of pages)
      expect(JSON.stringify(JSON.stringify(tokens)).length).toBeLessThan(6_000_000);
  });

  it('look at a limited number of lists, so that a user of many applications gets an answer', async () => {
    const ids = Array.from({ length: 130 }, (_, index) => `app-${String(index).padStart(3, '0')}`);
    const { dependencies, asked } = stored({ 'app-129': 2 });

    const first = await exportTokens(dependencies, { subs: subsOf(...ids), from: undefined });
    const askedAtFirst = asked.length;
    const pages = await allPages(dependencies, subsOf(...ids));

    expect([first.tokens, first.next]).toEqual([[], { applicationId: 'app-050', after: undefined }]);
    expect(askedAtFirst).toBe(50);
    expect(namesOf(pages)).toEqual(['app-129 1', 'app-129 0']);
  });

  it('show a token whose history cannot be told, with nothing of it', async () => {
    const { dependencies } = stored({ a: 1 });

    const [page] = await allPages(dependencies, subsOf('a'));

    expect(page?.tokens[0]?.history).toEqual({ knownFrom: undefined, entries: [] });
  });
});
