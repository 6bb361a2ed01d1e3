import type { Address } from '../../chain/hex.ts';
import { unminted } from '../reservations/stand-in.ts';
import type { Nft } from '../tokens/nft.ts';
import type { HistoryEntry, Party, What } from './history-entry.ts';
import type { Line } from './line.ts';
import type { Work } from './works.ts';

/** An entry of a token's history, with who had the token before it and after it. */
export interface HeldEntry extends HistoryEntry {
  /** The stand-ins of users. `undefined`: nobody is known to have it, because it was minted to an address or long ago. */
  readonly before: Address | undefined;
  readonly after: Address | undefined;
}

/** Something that happened, before it is known who had the token then. */
interface Event {
  readonly at: number;
  readonly what: What;
  readonly given?: Line['given'];
  readonly by?: Line['by'];
  readonly work?: Work;
  /** By how many the event has raised the token's version. Of a line, `version` is what it was raised to. */
  readonly raises: number;
  readonly version?: number | undefined;
  /** The `count` of a void's line. */
  readonly count?: number | undefined;
}

const versionOf = ({ versions = [], tokens: { from } }: Line, tokenId: string): number | undefined =>
  versions[Number(tokenId) - Number(from)];

const lineEvent = (line: Line, tokenId: string): Event => {
  const version = versionOf(line, tokenId);
  const { at, what, given, by, count } = line;
  return version === undefined
    ? { at, what, given, by, count, raises: 0 }
    : { at, what, given, by, version, raises: 1 };
};

const workEvents = (work: Work): readonly Event[] => {
  const { purpose, signedAt, endedAt: at } = work;
  switch (purpose.kind) {
    case 'claim': {
      // A claim raises the token's version, and its failure does so once more.
      const claimed: Event = { at: signedAt, what: 'claimed', work, raises: 1 };
      return [claimed, { at, what: 'minted', work, raises: work.status === 'failed' ? 1 : 0 }];
    }
    case 'mint':
      return [{ at, what: 'minted', work, raises: 0 }];
    case 'update-metadata':
      return [{ at, what: 'updated', work, raises: 0 }];
    case 'revoke':
      return [{ at, what: 'revoked', work, raises: 0 }];
    case 'deploy':
    case 'update-contract-metadata':
    case 'set-royalty':
    case 'set-base':
    case 'noop':
      return [];
  }
};

const byTime = (one: Event, other: Event): number => one.at - other.at;

/** The same events, of which none has an earlier time than the one before it. */
const ascending = (events: readonly Event[]): readonly Event[] => {
  let last = 0;
  return events.map((event) => {
    last = Math.max(last, event.at);
    return { ...event, at: last };
  });
};

/**
 * The events that have raised the version, in this order, whatever the clocks of those who made them say. A claim has the
 * versions that no line has. If these are more or fewer than the claims have raised it by, the order is that of the
 * times: then something is missing, or the token was restored and has had the same version twice.
 */
const inOrder = (version: number, events: readonly Event[]): readonly Event[] => {
  const lines = events.filter((event) => event.version !== undefined);
  const claims = events.filter((event) => event.version === undefined);
  const byVersion = new Map(lines.map((event) => [event.version, event]));
  if (byVersion.size < lines.length) return events.toSorted(byTime);
  const sorted = lines.toSorted((one, other) => Number(one.version) - Number(other.version));
  const isWhole = lines.length + claims.length === version && Number(sorted.at(-1)?.version ?? 0) <= version;
  if (!isWhole) return [...ascending(sorted), ...claims].toSorted(byTime);
  return Array.from({ length: version }, (_, index) => byVersion.get(index + 1) ?? claims.shift()).filter(
    (event) => event !== undefined,
  );
};

/**
 * The voids of a token, and their ends, in this order, whatever the clocks say: an end has the count that it raises to, and
 * a void the count that it finds. If two are the same, the count was lost, and the order is that of the times.
 */
const voidsInOrder = (voids: readonly Event[]): readonly Event[] => {
  const rank = ({ count = 0, what }: Event): number => 2 * count + (what === 'unvoided' ? 0 : 1);
  if (new Set(voids.map(rank)).size < voids.length) return voids;
  return ascending(voids.toSorted((one, other) => rank(one) - rank(other)));
};

/** Everything that is known to have happened to a token, in order. Of the same time, causes come first. */
const eventsOf = (
  { tokenId, reservedFor, createdAt, version = 0 }: Nft,
  { lines, works }: { readonly lines: readonly Line[]; readonly works: readonly Work[] },
): readonly Event[] => {
  const begun: Event = { at: Date.parse(createdAt), what: 'reserved', raises: 0 };
  const all = [...works.flatMap(workEvents), ...lines.map((line) => lineEvent(line, tokenId))];
  const changes = ascending([
    begun,
    ...inOrder(
      version,
      all.filter(({ raises }) => raises > 0),
    ),
  ]);
  const unversioned = all.filter(({ raises }) => raises === 0);
  const others = [
    ...unversioned.filter(({ count }) => count === undefined),
    ...voidsInOrder(unversioned.filter(({ count }) => count !== undefined)),
  ].map((event) => {
    const cause = changes.find(({ work }) => work !== undefined && work === event.work) ?? begun;
    return { ...event, at: Math.max(cause.at, event.at) };
  });
  return [...(reservedFor === undefined ? changes.slice(1) : changes), ...others].toSorted(byTime);
};

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
const held = (nft: Nft, events: readonly Event[]): readonly HeldEntry[] => {
  const firstGift = events.find(({ given }) => given !== undefined)?.given;
  const isKnown = nft.hasHistory === true || nft.version === 0;
  let holder = isKnown ? (firstGift?.from ?? nft.reservedFor) : undefined;
  return events.map(({ at, what, given, work, by }): HeldEntry => {
    const before =
      given?.from ?? (work?.purpose.kind === 'claim' && work.status !== 'failed' ? nft.reservedFor : holder);
    const after = given?.to ?? before;
    holder = after;
    const parties: { readonly [What_ in What]: Pick<HistoryEntry, 'from' | 'to'> } = {
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

const isMint = ({ what }: Event): boolean => what === 'minted';
const isLine = ({ work, what }: Event): boolean => work === undefined && what !== 'reserved';

/** The oldest event after the last gap in the versions. `undefined` if there is a gap after the newest one. */
const afterLastGap = (version: number, events: readonly Event[]): Event | undefined => {
  let left = version;
  let after: Event | undefined;
  for (const event of events.toReversed().filter(({ raises }) => raises > 0)) {
    if (event.version !== undefined && event.version < left) break;
    left -= event.raises;
    after = event;
  }
  return after;
};

/**
 * From when on nothing is missing. Each change of a reserved token and each claim raises its version. So if events do not
 * explain a version, there was a change without a line: by a release that writes none, or the line was lost.
 */
const knownFrom = (nft: Nft, events: readonly Event[]): number | undefined => {
  const { createdAt, hasHistory, nonce, version = 0 } = nft;
  if (nonce !== unminted.nonce && !events.some(isMint)) return undefined;
  const begins = hasHistory === true ? Date.parse(createdAt) : events.find(isLine)?.at;
  const explained = events.reduce((sum, { raises }) => sum + raises, 0);
  if (begins === undefined || explained >= version) return begins;
  const gapEnds = afterLastGap(version, events)?.at;
  return gapEnds && Math.max(begins, gapEnds);
};

/** What is known of a token, in order, and from when on nothing is missing. */
export const assemble = (
  nft: Nft,
  told: { readonly lines: readonly Line[]; readonly works: readonly Work[] },
): { readonly entries: readonly HeldEntry[]; readonly knownFrom: number | undefined } => {
  const events = eventsOf(nft, told);
  return { entries: held(nft, events), knownFrom: knownFrom(nft, events) };
};
