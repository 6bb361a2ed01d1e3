import type { Stream } from '../../shared/ott/event.ts';
import {
  overlaps,
  type Signing,
  signedPathMistakes,
  signedPathOf,
  streamAddress,
} from '../../shared/ott/signed-path.ts';

/** Two events such that a signature for one event's stream would open the other's. */
export interface Overlap {
  readonly signed: string;
  readonly opened: string;
}

/** Thousands of streams in one folder are one mistake, so not every pair is reported. */
const overlapsOfOneAtMost = 20;

/** The overlaps between streams, by the ids of their events. Streams that cannot be signed are left out. */
export function* overlappingPairs(
  streams: ReadonlyMap<string, Stream>,
  { signing }: { readonly signing: Signing },
): Generator<Overlap> {
  if (signing === 'none') return;
  const placed = [...streams]
    .map(([id, stream]) => {
      const { host, path } = streamAddress(stream);
      return { id, stream, address: `${host}${path}` };
    })
    .sort((a, b) => (a.address < b.address ? -1 : a.address > b.address ? 1 : 0));
  for (const { id, stream } of placed) {
    if (signedPathMistakes(stream, { signing }).length > 0) continue;
    const signed = signedPathOf(stream, { signing });
    let found = 0;
    const prefix = `${signed.host}${signed.path}`;
    for (let index = firstFrom(placed, prefix); found < overlapsOfOneAtMost; index += 1) {
      const other = placed[index];
      if (other === undefined || !other.address.startsWith(prefix)) break;
      if (other.id === id || !overlaps(signed, stream, other.stream)) continue;
      found += 1;
      yield { signed: id, opened: other.id };
    }
  }
}

/** The first position whose address is not before this one. */
const firstFrom = (placed: readonly { readonly address: string }[], address: string): number => {
  let low = 0;
  let high = placed.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((placed[middle]?.address ?? '') < address) low = middle + 1;
    else high = middle;
  }
  return low;
};

export const overlapText = ({ signed, opened }: Overlap): string =>
  `stream: what is signed for ${signed} would open ${opened}, too, while both may be played`;
