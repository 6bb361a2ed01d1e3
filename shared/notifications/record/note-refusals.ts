import { isSubscribed } from '../endpoints/endpoint.ts';
import type { Endpoints } from '../ports/endpoints.ts';
import { type Delivery, shortReason } from './record.ts';

export interface NoteRefusalsDependencies {
  readonly endpoints: Pick<Endpoints, 'list' | 'noteFailure'>;
}

/**
 * Notes why endpoints did not accept the message that asks them to confirm. Nothing is sent to them again because of
 * this. An endpoint may be seconds old, so it is not looked up in a list that was read before.
 *
 * @throws if an outcome could not be noted.
 */
export const noteRefusals = async (
  { endpoints }: NoteRefusalsDependencies,
  confirmations: readonly Delivery[],
): Promise<void> => {
  const refused = confirmations.filter(({ isDelivered }) => !isDelivered);
  if (refused.length === 0) return;
  const known = (await endpoints.list()).filter(isSubscribed);
  for (const delivery of refused) {
    for (const { applicationId, id } of known.filter((each) => each.destination === delivery.destination)) {
      await endpoints.noteFailure({ applicationId, id, at: delivery.at, reason: shortReason(delivery) });
    }
  }
};
