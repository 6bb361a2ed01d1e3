import type { Address } from '../../chain/hex.ts';
import { ContractNotFoundError, NftNotFoundError } from '../../nft/errors.ts';
import type { History } from '../../nft/history/history-entry.ts';
import { type HistoryDependencies, ownHistory } from '../../nft/history/token-history.ts';
import type { EverOwnToken, EverOwnTokens } from '../../nft/ports/held-tokens.ts';
import { standInOf } from '../../nft/reservations/stand-in.ts';
import { chunksOf } from '../../platform/chunks.ts';
import type { ApplicationUserSub } from '../../users/application-user-sub.ts';

export interface ExportTokensDependencies extends HistoryDependencies {
  readonly everOwnTokens: EverOwnTokens;
}

export interface ExportedToken extends EverOwnToken {
  readonly history: History;
}

/** Where a page of tokens begins: in the list of this application's tokens, after this place. */
export interface ExportPlace {
  readonly applicationId: string;
  readonly after?: string | undefined;
}

export interface TokensPage {
  readonly tokens: readonly ExportedToken[];
  readonly next?: ExportPlace | undefined;
}

const tokensAtMost = 50;
/**
 * How many lists of applications a page looks at. So a user of many applications without tokens waits for no answer.
 */
const listsAtMost = 50;
/** How many histories are read at the same time. */
const historiesAtOnce = 5;
/** So that a page whose tokens have much metadata and long histories is still an answer that Lambda sends. */
const bytesAtMost = 1_000_000;

const bytesOf = (token: ExportedToken): number => Buffer.byteLength(JSON.stringify(token));

/** Collects tokens until the page is full. Returns the place of the last token then. */
const fill = async (
  page: { readonly tokens: ExportedToken[]; bytes: number },
  {
    listed,
    withHistory,
  }: {
    readonly listed: readonly EverOwnToken[];
    readonly withHistory: (token: EverOwnToken) => Promise<ExportedToken>;
  },
): Promise<string | undefined> => {
  for (const chunk of chunksOf(listed, historiesAtOnce)) {
    const read = await Promise.all(chunk.map(withHistory));
    page.tokens.push(...read);
    for (const token of read) page.bytes += bytesOf(token);
    if (page.tokens.length >= tokensAtMost || page.bytes >= bytesAtMost) return read.at(-1)?.place;
  }
  return undefined;
};

const unknownHistory: History = { knownFrom: undefined, entries: [] };

/** The user's own part. Nothing, if what tells it was never stored or is lost. */
const historyOf = async (
  dependencies: HistoryDependencies,
  { nft, standIn }: { readonly nft: EverOwnToken['nft']; readonly standIn: Address },
): Promise<History> => {
  if (nft === undefined) return unknownHistory;
  try {
    return await ownHistory(dependencies, { nft, standIn });
  } catch (error) {
    if (error instanceof NftNotFoundError || error instanceof ContractNotFoundError) return unknownHistory;
    throw error;
  }
};

/**
 * The tokens that were ever reserved for the user, application by application, from a place on. A page may have few
 * tokens, or none, without being the last.
 */
export const exportTokens = async (
  { everOwnTokens, ...dependencies }: ExportTokensDependencies,
  { subs, from }: { readonly subs: readonly ApplicationUserSub[]; readonly from: ExportPlace | undefined },
): Promise<TokensPage> => {
  const page = { tokens: [] as ExportedToken[], bytes: 0 };
  let lists = 0;
  for (const own of inOrder(subs)) {
    const { applicationId } = own;
    const standIn = standInOf(own.applicationUserSub);
    const withHistory = async (token: EverOwnToken): Promise<ExportedToken> => ({
      ...token,
      history: await historyOf(dependencies, { nft: token.nft, standIn }),
    });
    if (from !== undefined && applicationId < from.applicationId) continue;
    let after = applicationId === from?.applicationId ? from.after : undefined;
    do {
      if (lists === listsAtMost) return { tokens: page.tokens, next: { applicationId, after } };
      lists += 1;
      const { items, next } = await everOwnTokens.list({
        applicationId,
        reservedFor: standIn,
        limit: tokensAtMost,
        after,
      });
      const fullAt = await fill(page, { listed: items, withHistory });
      if (fullAt !== undefined) return { tokens: page.tokens, next: { applicationId, after: fullAt } };
      after = next;
    } while (after !== undefined);
  }
  return { tokens: page.tokens };
};

const inOrder = (subs: readonly ApplicationUserSub[]): readonly ApplicationUserSub[] =>
  subs.toSorted((one, other) => (one.applicationId < other.applicationId ? -1 : 1));
