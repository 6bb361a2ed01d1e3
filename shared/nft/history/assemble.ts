import type { Address } from '../../chain/hex.ts';
import type { Nft } from '../tokens/nft.ts';
import type { HistoryEntry, Party, What } from './history-entry.ts';
import { eventsOf, type Happening } from './history-events.ts';
import { knownFrom } from './known-from.ts';
import type { Line } from './line.ts';
import type { Work } from './works.ts';

/** An entry of a token's history, with who had the token before it and after it. */
export interface HeldEntry extends HistoryEntry {
  /**
   * The stand-ins of users. `undefined`: nobody is known to have it, because it was minted to an address or long ago.
   */
  readonly before: Address | undefined;
  readonly after: Address | undefined;
}

const user = (standIn: Address | undefined): Party | undefined =>
  standIn === undefined ? undefined : { kind: 'user', standIn };

/** The address that gets the token. A claim or mint that has failed gives it to nobody. */
const minter = ({ purpose, status }: Work, tokenId: string): Party | undefined => {
  if (status === 'failed') return undefined;
  if (purpose.kind === 'claim') return { kind: 'address', address: purpose.destination };
  if (purpose.kind !== 'mint') return undefined;
  const address = purpose.destinations[Number(tokenId) - Number(purpose.firstTokenId)];
  return address && { kind: 'address', address };
};

/**
 * Follows who had the token. Until a line or a claim says so, this is only known of a token whose history has lines since
 * its creation. Only a token that nobody has given since can be claimed and minted, so it was the user's who has it now.
 */
const held = (nft: Nft, events: readonly Happening[]): readonly HeldEntry[] => {
  const firstGift = events.find(({ given }) => given !== undefined)?.given;
  const isKnown = nft.hasHistory === true || nft.version === 0;
  let holder = isKnown ? (firstGift?.from ?? nft.reservedFor) : undefined;
  return events.map(({ at, what, given, work, by }): HeldEntry => {
    const before =
      given?.from ?? (work?.purpose.kind === 'claim' && work.status !== 'failed' ? nft.reservedFor : holder);
    const after = given?.to ?? before;
    holder = after;
    const parties: { readonly [Each in What]: Pick<HistoryEntry, 'from' | 'to'> } = {
      reserved: { to: user(after) },
      given: { from: user(before), to: user(after) },
      claimed: { from: user(before), to: work && minter(work, nft.tokenId) },
      minted: { to: work && minter(work, nft.tokenId) },
      updated: {},
      revoked: {},
      voided: {},
      unvoided: {},
    };
    return {
      at,
      what,
      ...parties[what],
      by,
      ...(work !== undefined &&
        what !== 'claimed' && { transaction: { status: work.status, hash: work.hash } }),
      before: what === 'reserved' ? undefined : before,
      after,
    };
  });
};

/** What is known of a token, in order, and from when on nothing is missing. */
export const assemble = (
  nft: Nft,
  told: { readonly lines: readonly Line[]; readonly works: readonly Work[] },
): { readonly entries: readonly HeldEntry[]; readonly knownFrom: number | undefined } => {
  const events = eventsOf(nft, told);
  return { entries: held(nft, events), knownFrom: knownFrom(nft, events) };
};
