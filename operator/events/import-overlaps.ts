import type { Stream } from '../../shared/ott/event.ts';
import type { Catalogue } from '../../shared/ott/ports/catalogue.ts';
import { type Signing, signedPathOf } from '../../shared/ott/signed-path.ts';
import { overlappingPairs, overlapText } from './overlaps.ts';

/** The maximum number of overlapping events that are named in the refusal of one event. */
const reasonsAtMost = 5;

/**
 * The maximum number of changed events that are looked up one by one. If more events have changed, reading the streams
 * of all stored events takes fewer requests.
 */
export const lookedForAtMost = 300;

const lookUpsAtOnce = 8;

type Streams = ReadonlyMap<string, Stream>;

/**
 * The streams of the events that an import will write, by event id, in line order; `undefined` for an event without a
 * stream.
 */
export type ChangingStreams = ReadonlyMap<string, Stream | undefined>;

/**
 * Reads the stored streams that may overlap with a stream of the import. Two streams overlap if a signature for one
 * also gives access to the other.
 */
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
 * Finds the events that must be refused, because a signature for their stream would also give access to another event's
 * stream, or the other way round. Returns the reasons by event id. Of two such events in the file, the one on the later
 * line is refused. Overlaps between stored events that the file does not change are ignored. A refused event keeps its
 * stored stream, which may overlap with the new stream of another event. So the check repeats until it finds no further
 * overlap.
 */
export const findOverlaps = async (
  { catalogue }: { readonly catalogue: Pick<Catalogue, 'findAllStored'> },
  {
    changing,
    stored,
    signing,
  }: {
    readonly changing: ChangingStreams;
    /** The stored streams that the import does not delete. Streams of events in `changing` are ignored. */
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
