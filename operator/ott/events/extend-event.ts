import { NoSuchEventError } from '../../../shared/ott/catalogue/errors.ts';
import { type Extended, extendedEvent } from '../../../shared/ott/catalogue/extended-event.ts';
import type { PutEventsDependencies } from '../../../shared/ott/catalogue/put-events.ts';
import { putOne } from '../../../shared/ott/catalogue/put-one.ts';
import { playableStatuses } from '../../../shared/ott/events/event-kinds.ts';
import type { Signing } from '../../../shared/ott/streams/signed-path.ts';
import { counted } from '../../platform/terminal/counted.ts';
import { OperatorError } from '../../platform/terminal/operator-error.ts';

/**
 * Moves the ends of an event (see `extendedEvent`). Importing the same file again does not set them back.
 *
 * @throws OperatorError when the event does not exist, is over, has no end, would still have ended, would be opened by
 * another event's signature (or the other way round), or changed in the meantime. Nothing is written then.
 */
export const extendEvent = async (
  { catalogue, clock }: Pick<PutEventsDependencies, 'catalogue' | 'clock'>,
  { id, minutes, signing }: { readonly id: string; readonly minutes: number; readonly signing: Signing },
) => {
  // The tickets stay as they are. A longer window can overlap with that of another event in the same folder.
  const dependencies = { catalogue, clock, signing, holdings: { notErc721: async () => [] } };
  const { told } = await putOne(dependencies, {
    id,
    decide: (before, now) => {
      if (before === undefined) throw new NoSuchEventError({ id });
      const extended = extendedEvent(before.event, { minutes, now });
      if (extended.outcome !== 'extended') {
        throw new OperatorError({ message: refusalText(extended, { id, minutes }) });
      }
      const { outcome: _, event: after, ...ends } = extended;
      return { told: ends, change: { before, after } };
    },
  });
  return told;
};

const refusalText = (
  refusal: Exclude<Extended, { readonly outcome: 'extended' }>,
  { id, minutes }: { readonly id: string; readonly minutes: number },
): string => {
  switch (refusal.outcome) {
    case 'over':
      return `Event ${id} is ${refusal.status}, so nobody can play it: set it to ${playableStatuses.join(' or ')} first.`;
    case 'no-end':
      return `Event ${id} has no end that can be extended: its stream has no available_until${refusal.status === 'VOD' ? '' : ', the event no ends_at'}, and its schedule no end.`;
    case 'still-passed':
      return `Event ${id} ended at ${refusal.end}. With ${counted(minutes, 'more minute')} its end would still have passed: extend it by at least ${refusal.least}.`;
  }
};
