import type { Stream } from '../events/event.ts';
import { overlaps, type Signing, signedPathMistakes, signedPathOf } from '../streams/signed-path.ts';
import { streamAddress } from '../streams/stream-address.ts';

/** Two event ids: a signature for the stream of `signed` would also give access to the stream of `opened`. */
export interface Overlap {
  readonly signed: string;
  readonly opened: string;
}

/**
 * The maximum number of overlaps that are reported for one signed stream. If thousands of streams share a folder, that
 * is a single mistake, so not every pair is worth reporting.
 */
const overlapsOfOneAtMost = 20;

/**
 * The overlaps between streams. `streams` is keyed by event id. A stream that cannot be signed may still overlap with
 * another stream, because a signature for that other stream may give access to both.
 */
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

/** The index of the first entry whose address equals `address` or sorts after it. */
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
  `stream: a signature for ${signed} would also give access to ${opened}, at a time when both can be played`;
