import type { Stream } from '../events/event.ts';
import { overlaps, type Signing, signedPathMistakes, signedPathOf } from '../streams/signed-path.ts';
import { streamAddress } from '../streams/stream-address.ts';
import type { Overlap } from './overlapping-pairs.ts';

/** The maximum number of overlapping events that are named in the refusal of one event. */
const overlapsAtMost = 5;

interface OccupiedPath {
  readonly id: string;
  readonly stream: Stream;
  /** The stream's own address, without its protocol. */
  readonly address: string;
  /** The prefix of all addresses that a signature for the stream opens. `undefined` if the stream cannot be signed. */
  readonly opened: string | undefined;
}

/** The streams that an import accepts or leaves as they are, which no other stream may overlap. */
export const occupiedPaths = (
  streams: Iterable<readonly [id: string, stream: Stream]>,
  { signing }: { readonly signing: Exclude<Signing, 'none'> },
) => {
  const pathOf = (id: string, stream: Stream): OccupiedPath => {
    const { host, path } = streamAddress(stream);
    const isSigned = signedPathMistakes(stream, { signing }).length === 0;
    const signed = signedPathOf(stream, { signing });
    return {
      id,
      stream,
      address: `${host}${path}`,
      opened: isSigned ? `${signed.host}${signed.path}` : undefined,
    };
  };
  /** Sorted by address. */
  const byAddress: OccupiedPath[] = [];
  const byOpened = new Map<string, Set<OccupiedPath>>();

  /** The index of the first path whose address equals `address` or sorts after it. */
  const firstFrom = (address: string): number => {
    let [low, high] = [0, byAddress.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((byAddress[middle]?.address ?? '') < address) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const insert = (occupied: OccupiedPath): void => {
    if (occupied.opened === undefined) return;
    const together = byOpened.get(occupied.opened) ?? new Set();
    byOpened.set(occupied.opened, together.add(occupied));
  };
  for (const [id, stream] of streams) {
    const occupied = pathOf(id, stream);
    byAddress.push(occupied);
    insert(occupied);
  }
  byAddress.sort((a, b) => (a.address < b.address ? -1 : a.address > b.address ? 1 : 0));

  return {
    add: (id: string, stream: Stream): void => {
      const occupied = pathOf(id, stream);
      byAddress.splice(firstFrom(occupied.address), 0, occupied);
      insert(occupied);
    },
    remove: (id: string, stream: Stream): void => {
      const { address } = pathOf(id, stream);
      for (let index = firstFrom(address); byAddress[index]?.address === address; index += 1) {
        const occupied = byAddress[index];
        if (occupied?.id !== id) continue;
        byAddress.splice(index, 1);
        if (occupied.opened !== undefined) byOpened.get(occupied.opened)?.delete(occupied);
        return;
      }
    },
    /** The first of the streams in place with which a stream overlaps. */
    overlapsOf: (id: string, stream: Stream): readonly Overlap[] => {
      const own = pathOf(id, stream);
      const found: Overlap[] = [];
      const signed = signedPathOf(stream, { signing });
      for (let index = firstFrom(own.opened ?? ''); own.opened !== undefined; index += 1) {
        const other = byAddress[index];
        if (!other?.address.startsWith(own.opened) || found.length >= overlapsAtMost) break;
        if (overlaps(signed, stream, other.stream)) found.push({ signed: id, opened: other.id });
      }
      for (let length = 0; length <= own.address.length; length += 1) {
        for (const other of byOpened.get(own.address.slice(0, length)) ?? []) {
          if (found.length >= overlapsAtMost) return found;
          if (overlaps(signedPathOf(other.stream, { signing }), other.stream, stream))
            found.push({ signed: other.id, opened: id });
        }
      }
      return found;
    },
  };
};
