import type { NoteOutcomesDependencies } from '../../../shared/notifications/record/note-outcomes.ts';
import type { RecordNotificationsDependencies } from '../../../shared/notifications/record/record-notifications.ts';
import { type Ladder, ladderOf } from '../../../shared/notifications/redeliver/redelivery.ts';

const minute = 60_000;
const hour = 60 * minute;

/** The ladder of a stage without settings of its own. */
export const aLadder = (overrides: Partial<Ladder> = {}): Ladder => ({
  ...ladderOf({
    steps: [5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour],
    every: 12 * hour,
    atMost: 14 * 24 * hour,
    outcomeWithin: 70 * minute,
  }),
  ...overrides,
});

const unexpected = async (): Promise<never> => {
  throw new Error('No endpoint is known here');
};

/** What the recorder depends on where it knows no endpoint. */
export const withoutEndpoints: NoteOutcomesDependencies &
  Pick<RecordNotificationsDependencies, 'endpoints' | 'findEndpoint'> = {
  endpoints: {
    list: async () => [],
    noteSuccess: unexpected,
    noteFailure: unexpected,
    countFailure: unexpected,
    beginOutage: unexpected,
    endOutage: unexpected,
  },
  redeliveries: { probeRefused: unexpected },
  undelivered: { suspect: unexpected },
  enqueue: unexpected,
  ladder: aLadder(),
  clock: () => 0,
  findEndpoint: async () => undefined,
};
