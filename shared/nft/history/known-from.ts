import { unminted } from '../reservations/stand-in.ts';
import type { Nft } from '../tokens/nft.ts';
import type { Happening } from './history-events.ts';

const isMint = ({ what }: Happening): boolean => what === 'minted';
const isLine = ({ work, what }: Happening): boolean => work === undefined && what !== 'reserved';

/** The oldest event after the last gap in the versions. `undefined` if there is a gap after the newest one. */
const afterLastGap = (version: number, events: readonly Happening[]): Happening | undefined => {
  let left = version;
  let after: Happening | undefined;
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
export const knownFrom = (nft: Nft, events: readonly Happening[]): number | undefined => {
  const { createdAt, hasHistory, nonce, version = 0 } = nft;
  if (nonce !== unminted.nonce && !events.some(isMint)) return undefined;
  const begins = hasHistory === true ? Date.parse(createdAt) : events.find(isLine)?.at;
  const explained = events.reduce((sum, { raises }) => sum + raises, 0);
  if (begins === undefined || explained >= version) return begins;
  const gapEnds = afterLastGap(version, events)?.at;
  return gapEnds && Math.max(begins, gapEnds);
};
