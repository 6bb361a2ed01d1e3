import { isDeepStrictEqual } from 'node:util';
import type { Address } from '../../nft/hex.ts';
import type { Event, Stream } from '../event.ts';
import { type Signing, signedPathMistakes } from '../signed-path.ts';
import { ticketMistakes } from './ticket-mistakes.ts';

const notPlace = { geoblocking: undefined, availableUntilInFile: undefined };

/**
 * Whether viewers would fetch a changed stream from another place, or at another time. Only such a stream can newly
 * overlap with others. So a change of geoblocking is never refused because of the stream that the event has already.
 */
export const isMoved = (before: Stream | undefined, after: Stream | undefined): boolean =>
  !isDeepStrictEqual({ ...before, ...notPlace }, { ...after, ...notPlace });

/**
 * The reasons why this stage cannot take a changed event, each with the name of its field. A stream or tickets that stay
 * as they are stored are no reason. Does not check whether the stream's path overlaps with other events.
 */
export const eventMistakes = (
  { before, after }: { readonly before: Event | undefined; readonly after: Event },
  options: { readonly signing: Signing; readonly notErc721: ReadonlySet<Address> },
): readonly string[] => [
  ...(after.stream !== undefined && isMoved(before?.stream, after.stream)
    ? signedPathMistakes(after.stream, options)
    : []),
  ...(isDeepStrictEqual(after.tickets, before?.tickets) ? [] : ticketMistakes(after, options)),
];
