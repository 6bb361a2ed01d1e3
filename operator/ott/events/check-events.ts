import type { Address } from '../../../shared/chain/hex.ts';
import { overlappingPairs, overlapText } from '../../../shared/ott/catalogue/overlapping-pairs.ts';
import { scheduleContradictions } from '../../../shared/ott/catalogue/schedule-contradictions.ts';
import { judgeTickets, ticketMistakes } from '../../../shared/ott/catalogue/ticket-mistakes.ts';
import { effectiveStream } from '../../../shared/ott/events/effective.ts';
import type { Event, Stream } from '../../../shared/ott/events/event.ts';
import type { Catalogue } from '../../../shared/ott/ports/catalogue.ts';
import type { TicketHoldings } from '../../../shared/ott/ports/ticket-holdings.ts';
import {
  cookiePathMistakes,
  type Signing,
  signedPathMistakes,
} from '../../../shared/ott/streams/signed-path.ts';
import { countedFromOne } from '../../../shared/platform/parsing/mistake-sentences.ts';
import { type Clock, systemClock } from '../../../shared/platform/time/clock.ts';

/** A mistake in a stored event. Viewers do not get the event's stream until the mistake is corrected. */
export interface EventProblem {
  readonly eventId: string;
  readonly problem: string;
}

/** Checks the tickets and streams of all stored events, by the same rules as an import. */
export const checkEvents = async (
  {
    catalogue,
    holdings,
    clock = systemClock,
  }: {
    readonly catalogue: Pick<Catalogue, 'all'>;
    readonly holdings: Pick<TicketHoldings, 'notErc721'>;
    /** @default the machine's clock */
    readonly clock?: Clock;
  },
  { signing }: { readonly signing: Signing },
): Promise<{
  readonly count: number;
  readonly problems: readonly EventProblem[];
  /** Schedules that the times of their events contradict. Such events can be played all the same. */
  readonly contradictions: readonly EventProblem[];
  /** The events with tickets. */
  readonly ticketed: readonly Event[];
}> => {
  const now = clock();
  const streams = new Map<string, Stream>();
  const problems: EventProblem[] = [];
  const contradictions: EventProblem[] = [];
  const judged = new Map<Address, boolean>();
  const ticketed: Event[] = [];
  let count = 0;
  for await (const { event } of catalogue.all()) {
    count += 1;
    if (event.tickets !== undefined) ticketed.push(event);
    for (const problem of scheduleContradictions(event, now))
      contradictions.push({ eventId: event.id, problem });
    const notErc721 = await judgeTickets({ holdings }, { events: [event], judged });
    for (const problem of ticketMistakes(event, { signing, notErc721 })) {
      problems.push({ eventId: event.id, problem: countedFromOne(problem) });
    }
    const stream = effectiveStream(event);
    if (stream === undefined) continue;
    streams.set(event.id, stream);
    for (const mistakesOf of [signedPathMistakes, cookiePathMistakes]) {
      for (const problem of mistakesOf(stream, { signing }))
        problems.push({ eventId: event.id, problem: countedFromOne(problem) });
    }
  }
  for (const pair of overlappingPairs(streams, { signing })) {
    problems.push({ eventId: pair.signed, problem: overlapText(pair) });
  }
  return { count, problems, contradictions, ticketed };
};
