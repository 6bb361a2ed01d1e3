import type { Stream } from '../../shared/ott/event.ts';
import type { Catalogue } from '../../shared/ott/ports/catalogue.ts';
import { type Signing, signedPathOf } from '../../shared/ott/signed-path.ts';
import { overlappingPairs, overlapText } from './overlaps.ts';

/** At most this many events are named as overlapping with one event. */
const reasonsAtMost = 5;

/** From this many streams on, reading all stored streams takes fewer reads than looking for each one's neighbours. */
export const lookedForAtMost = 300;

/** How many are looked for at once. */
const lookUpsAtOnce = 8;

type Streams = ReadonlyMap<string, Stream>;

/** The events that an import will write, in line order, by id; `undefined` for one without a stream. */
export type ChangingStreams = ReadonlyMap<string, Stream | undefined>;

/** What is stored near the streams of an import: each stream that may share a signature with one of them. */
export const storedBeside = async (
  { catalogue }: { readonly catalogue: Pick<Catalogue, 'idsSignedNear' | 'findAllStored'> },
  { changing, signing }: { readonly changing: ChangingStreams; readonly signing: Signing },
): Promise<Streams> => {
  if (signing === 'none') return new Map();
  const due = [...changing.values()].filter((stream) => stream !== undefined);
  const ids = new Set<string>();
  const work = async () => {
    for (let stream = due.pop(); stream !== undefined; stream = due.pop()) {
      const { host, path, isPrefix } = signedPathOf(stream, { signing });
      for await (const id of catalogue.idsSignedNear({ host, path, below: isPrefix })) ids.add(id);
    }
  };
  await Promise.all(Array.from({ length: lookUpsAtOnce }, work));
  return streamsOf({ catalogue }, [...ids]);
};

const streamsOf = async (
  { catalogue }: { readonly catalogue: Pick<Catalogue, 'findAllStored'> },
  ids: readonly string[],
): Promise<Streams> => {
  const streams = new Map<string, Stream>();
  for (const { event } of (await catalogue.findAllStored(ids)).values()) {
    if (event.stream !== undefined) streams.set(event.id, event.stream);
  }
  return streams;
};

/**
 * The events of an import that would put two streams under one signature, and why. The later line gives way; a stored
 * overlap that the file does not touch is not reported. A refused event stays as stored, and may then overlap with
 * another, so the check repeats until nothing changes.
 */
export const findOverlaps = async (
  { catalogue }: { readonly catalogue: Pick<Catalogue, 'findAllStored'> },
  {
    changing,
    stored,
    signing,
  }: {
    readonly changing: ChangingStreams;
    /** What is stored and stays; entries here for changed events are ignored. */
    readonly stored: Streams;
    readonly signing: Signing;
  },
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const refusals = new Map<string, readonly string[]>();
  if (signing === 'none') return refusals;
  const order = new Map([...changing.keys()].map((id, index) => [id, index]));
  const streams = new Map(stored);
  for (const [id, stream] of changing) {
    if (stream === undefined) streams.delete(id);
    else streams.set(id, stream);
  }
  for (;;) {
    const found = new Map<string, Set<string>>();
    for (const { signed, opened } of overlappingPairs(streams, { signing })) {
      const id = (order.get(signed) ?? -1) > (order.get(opened) ?? -1) ? signed : opened;
      if (!order.has(id)) continue;
      const reasons = found.get(id) ?? new Set();
      if (reasons.size < reasonsAtMost) reasons.add(overlapText({ signed, opened }));
      found.set(id, reasons);
    }
    if (found.size === 0) return refusals;
    const asStored = await streamsOf({ catalogue }, [...found.keys()]);
    for (const [id, reasons] of found) {
      refusals.set(id, [...reasons]);
      order.delete(id);
      const stream = asStored.get(id);
      if (stream === undefined) streams.delete(id);
      else streams.set(id, stream);
    }
  }
};
