import type { PresentEvent, Stream } from '../events/event.ts';
import { eventStatuses, isOver, isPlayable } from '../events/event-kinds.ts';
import { type Geoblocking, liftsClientRule, ruleBlocks } from '../viewers/geoblocking.ts';

/** Stands for every country that no rule names. */
const anyOtherCountry = '–';

/** Whether there is a country and a status in which the first rule blocks viewers and the second one does not. */
export const opensCountries = (before: Geoblocking | undefined, after: Geoblocking | undefined): boolean =>
  [undefined, anyOtherCountry, ...(before?.countries ?? []), ...(after?.countries ?? [])].some((country) =>
    eventStatuses.some(
      (status) =>
        ruleBlocks({ rule: before, status, country }) && !ruleBlocks({ rule: after, status, country }),
    ),
  );

const beginsEarlier = (before: Stream, after: Stream): boolean =>
  before.availableFrom !== undefined &&
  (after.availableFrom === undefined || after.availableFrom < before.availableFrom);

const endsLater = (before: Stream, after: Stream): boolean =>
  before.availableUntil !== undefined &&
  (after.availableUntil === undefined || after.availableUntil > before.availableUntil);

/** The fields with which a change lets more viewers play an event, or for longer, as import files name them. */
export const loosenedRestrictions = (before: PresentEvent, after: PresentEvent): readonly string[] => {
  const own = [
    ...(before.access === 'paid' && after.access === 'free' ? ['access'] : []),
    ...(opensCountries(before.geoblocking, after.geoblocking) ||
    (!liftsClientRule(before.geoblocking) && liftsClientRule(after.geoblocking))
      ? ['geoblocking']
      : []),
  ];
  if (before.stream === undefined || after.stream === undefined) return own;
  return [
    ...own,
    ...(opensCountries(before.stream.geoblocking, after.stream.geoblocking) ? ['stream.geoblocking'] : []),
    ...(beginsEarlier(before.stream, after.stream) ? ['stream.available_from'] : []),
    ...(endsLater(before.stream, after.stream) ? ['stream.available_until'] : []),
  ];
};

/** Whether a loosened restriction takes effect while viewers watch. */
export const isLiveOpening = (before: PresentEvent, after: PresentEvent): boolean =>
  [before.status, after.status].includes('LIVE') && isPlayable(after.status);

const hasMoreTickets = (before: PresentEvent, after: PresentEvent): boolean => {
  const known = new Set(before.tickets?.map(({ contractAddress }) => contractAddress.toLowerCase()));
  return after.tickets?.some(({ contractAddress }) => !known.has(contractAddress.toLowerCase())) ?? false;
};

/**
 * The fields whose change is kept for as long as the history of the event: those of `loosenedRestrictions`, and those
 * with which a change lets holders of further tickets in, or brings an event back that was over.
 */
export const openedFields = (before: PresentEvent, after: PresentEvent): readonly string[] => [
  ...loosenedRestrictions(before, after),
  ...(hasMoreTickets(before, after) ? ['tickets'] : []),
  ...(isOver(before.status) && !isOver(after.status) ? ['status'] : []),
];
