import { isDeepStrictEqual } from 'node:util';
import type { Address } from '../../chain/hex.ts';
import type { FieldIssue } from '../../platform/errors.ts';
import { effectiveStream } from '../events/effective.ts';
import type { Event, Stream } from '../events/event.ts';
import type { EventChange } from '../ports/catalogue.ts';
import { cookiePathMistakes, type Signing, signedPathMistakes } from '../streams/signed-path.ts';
import { hasOtherTickets, ticketMistakes } from './ticket-mistakes.ts';

/**
 * Whether viewers would fetch a changed stream from another place, or at another time. Only such a stream can newly
 * overlap with others. So a change of geoblocking is never refused because of the stream that the event has already.
 */
export const isMoved = (before: Stream | undefined, after: Stream | undefined): boolean =>
  !isDeepStrictEqual(placeIn(before), placeIn(after));

const placeIn = (stream: Stream | undefined) =>
  stream && [stream.type, stream.url, stream.signedPath, stream.availableFrom, stream.availableUntil];

/** How a change moves the event's stream. `undefined` if it stays where it is, or there is none afterwards. */
export const movedBy = ({ before, after }: EventChange) => {
  const [was, is] = [before && effectiveStream(before.event), after && effectiveStream(after)];
  return after !== undefined && is !== undefined && isMoved(was, is)
    ? { id: after.id, before: was, after: is }
    : undefined;
};

/**
 * The reasons why this stage cannot take a changed event, each with the name of its field. A stream or tickets that stay
 * as they are stored are no reason. Does not check whether the stream's path overlaps with other events.
 */
export const eventMistakes = (
  { before, after }: { readonly before: Event | undefined; readonly after: Event },
  options: { readonly signing: Signing; readonly notErc721: ReadonlySet<Address> },
): readonly string[] => {
  const stream = effectiveStream(after);
  return [
    ...(stream !== undefined && isMoved(before && effectiveStream(before), stream)
      ? [...signedPathMistakes(stream, options), ...cookiePathMistakes(stream, options)]
      : []),
    ...(hasOtherTickets(before, after) ? ticketMistakes(after, options) : []),
  ];
};

/** Mistakes, each of which begins with the name of its field, as HTTP responses have them: the first of each field. */
export const issuesOf = (mistakes: readonly string[]): FieldIssue[] =>
  mistakes
    .map((mistake) => {
      const end = mistake.indexOf(': ');
      return { path: mistake.slice(0, end), message: mistake.slice(end + 2) };
    })
    .filter(({ path }, index, issues) => issues.findIndex((other) => other.path === path) === index);
