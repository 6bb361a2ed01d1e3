import type { Stream } from '../../shared/ott/event.ts';
import type { Catalogue } from '../../shared/ott/ports/catalogue.ts';
import { type Signing, signedPathMistakes } from '../../shared/ott/signed-path.ts';
import { overlappingPairs, overlapText } from './overlaps.ts';

/** What is wrong with a stored event, so that its stream is not handed out. */
export interface EventProblem {
  readonly eventId: string;
  readonly problem: string;
}

/** Checks the streams of all stored events as the stage would sign them. */
export const checkEvents = async (
  { catalogue }: { readonly catalogue: Pick<Catalogue, 'all'> },
  { signing }: { readonly signing: Signing },
): Promise<{ readonly count: number; readonly problems: readonly EventProblem[] }> => {
  const streams = new Map<string, Stream>();
  const problems: EventProblem[] = [];
  let count = 0;
  for await (const { event } of catalogue.all()) {
    count += 1;
    if (event.stream === undefined) continue;
    streams.set(event.id, event.stream);
    for (const problem of signedPathMistakes(event.stream, { signing })) {
      problems.push({ eventId: event.id, problem });
    }
  }
  for (const pair of overlappingPairs(streams, { signing })) {
    problems.push({ eventId: pair.signed, problem: overlapText(pair) });
  }
  return { count, problems };
};
