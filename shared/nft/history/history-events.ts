/** What happened to a token, in order, before it is known who had it then. */
import type { Nft } from '../tokens/nft.ts';
import type { What } from './history-entry.ts';
import type { Line } from './line.ts';
import type { Work } from './works.ts';

/** Something that happened, before it is known who had the token then. */
export interface Happening {
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

const lineEvent = (line: Line, tokenId: string): Happening => {
  const version = versionOf(line, tokenId);
  const { at, what, given, by, count } = line;
  return version === undefined
    ? { at, what, given, by, count, raises: 0 }
    : { at, what, given, by, version, raises: 1 };
};

const workEvents = (work: Work): readonly Happening[] => {
  const { purpose, signedAt, endedAt: at } = work;
  switch (purpose.kind) {
    case 'claim': {
      // A claim raises the token's version, and its failure does so once more.
      const claimed: Happening = { at: signedAt, what: 'claimed', work, raises: 1 };
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

const byTime = (one: Happening, other: Happening): number => one.at - other.at;

/** The same events, of which none has an earlier time than the one before it. */
const ascending = (events: readonly Happening[]): readonly Happening[] => {
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
const inOrder = (version: number, events: readonly Happening[]): readonly Happening[] => {
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
 * The voids of a token, and their ends, in this order, whatever the clocks say: an end has the count that it raises to,
 * and a void the count that it finds. If two are the same, the count was lost, and the order is that of the times.
 */
const voidsInOrder = (voids: readonly Happening[]): readonly Happening[] => {
  const rank = ({ count = 0, what }: Happening): number => 2 * count + (what === 'unvoided' ? 0 : 1);
  if (new Set(voids.map(rank)).size < voids.length) return voids;
  return ascending(voids.toSorted((one, other) => rank(one) - rank(other)));
};

/**
 * Everything that is known to have happened to a token, in order. Of the same time, causes come first.
 *
 * An example: a token with version 2 was reserved for Ana at 10:00, and given to Ben, who claimed it. Then its metadata
 * was changed. The clock of the process that gave it was two minutes ahead.
 *
 * ```
 * what is stored                                       event     at     raises
 * createdAt 10:00                                      reserved  10:00  0
 * line: given at 10:07, version 1                      given     10:07  1
 * work: claim, signed 10:06, decided 10:08, confirmed  claimed   10:06  1, to version 2, which no line has
 *                                                      minted    10:08  0
 * work: update-metadata, decided 10:09                 updated   10:09  0
 * ```
 *
 * 1. `inOrder` puts the events that raise the version where their versions say: given, claimed.
 * 2. `ascending` lets none of these be earlier than the one before: reserved 10:00, given 10:07, claimed 10:07.
 * 3. The others keep their times, but none is earlier than its cause, the claim of the same work or the reservation:
 *    minted 10:08, updated 10:09. Voids are in the order of their counts.
 * 4. `reserved` is left out of a token that was never reserved.
 */
export const eventsOf = (
  { tokenId, reservedFor, createdAt, version = 0 }: Nft,
  { lines, works }: { readonly lines: readonly Line[]; readonly works: readonly Work[] },
): readonly Happening[] => {
  const begun: Happening = { at: Date.parse(createdAt), what: 'reserved', raises: 0 };
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
