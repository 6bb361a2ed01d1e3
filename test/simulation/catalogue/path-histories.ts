/**
 * Histories after which a signature for one event would open the stream of another, although whoever puts an event refuses
 * such paths. One world in five has one of them.
 */
import type { Random } from '../../support/platform/seeded-random.ts';
import { lagAtMost } from '../past.ts';
import { between, oneOf, type Streams } from '../streams.ts';
import { type EventRecord, folderOf } from './known-events.ts';
import { type Action, countries, ids, type Question, type Timed, urlOf } from './workload.ts';

const second = 1_000;
/** For this long, writers remember the paths that others have moved. */
const remembered = 60 * second;
/** The largest difference between the clocks of two functions. */
const clocksApart = 60 * second;

/** An event that a later release has stored. This release does not play its stream, and knows only where it is. */
export interface LaterEvent {
  readonly id: string;
  readonly folder: string;
  /** Its stream as it is stored. */
  readonly stream: EventRecord['stream'];
}

/** Times are in milliseconds from the beginning of the world. */
export type PathHistory =
  /** The stage begins without signatures, and editors put events. */
  | { readonly kind: 'signing'; readonly from: number }
  | {
      readonly kind: 'later release';
      readonly later: LaterEvent;
      /** From when on all other new streams can be played: if set, when this release takes the later one to have ended. */
      readonly availableFrom: string | undefined;
    }
  /** Events are lost and brought back while editors put others. */
  | {
      readonly kind: 'restore';
      readonly takenAt: number;
      readonly lostAt: number;
      readonly restoredAt: number;
      readonly isLost: (id: string) => boolean;
    }
  /** The index by which writers find paths stands still. */
  | { readonly kind: 'late index'; readonly from: number; readonly to: number };

/** How an event came to the place of its stream. True times. */
export interface Move {
  readonly at: number;
  /** When the work began that has ended with it. */
  readonly since: number;
  readonly isSigned: boolean;
  readonly isRestored: boolean;
}

/** Whether the history explains that the later of two moves did not see the path of the earlier one. */
export const explains = (
  history: PathHistory | undefined,
  moves: readonly [Move, Move],
  { startsAt, isApart }: { readonly startsAt: number; readonly isApart: boolean },
): boolean => {
  const [earlier, later] = moves[0].at <= moves[1].at ? moves : [moves[1], moves[0]];
  /** Not before, because each index has everything that is older. */
  const isNear = earlier.at > later.since - lagAtMost;
  switch (history?.kind) {
    case undefined:
    case 'later release':
      return false;
    case 'signing':
      return !later.isSigned || (!earlier.isSigned && isNear);
    case 'restore':
      return isNear && (earlier.isRestored || later.isRestored);
    case 'late index': {
      // A path is remembered from when its writer begins to store it, which may take several tries.
      const isForgotten = later.at - earlier.since > remembered - (isApart ? clocksApart : 0);
      const isMissing = earlier.at >= startsAt + history.from && later.since <= startsAt + history.to;
      return isForgotten && isMissing;
    }
  }
};

/** What editors want of the same place. */
type Wanted = readonly (readonly [at: number, folder: string])[];

const drawn = (
  random: Random,
  startsAt: number,
): { readonly history: PathHistory; readonly wanted: Wanted } => {
  const at = between(random, 5, 30) * second;
  const near = oneOf(random, ['match', 'match/inner']);
  switch (oneOf(random, ['signing', 'later release', 'restore', 'late index'] as const)) {
    case 'signing': {
      const from = at + between(random, 5, 40) * second;
      const wanted: Wanted = [
        // One in three is in the root folder, of which no signature can be made.
        [at, oneOf(random, [near, 'new', ''])],
        [from + between(random, -300, 300), oneOf(random, [near, 'new', 'new/inner'])],
      ];
      return { history: { kind: 'signing', from }, wanted };
    }
    case 'later release': {
      const folder = oneOf(random, ['elsewhere', 'new/inner', 'match/inner']);
      const url = urlOf(folder);
      const endedAt = new Date(startsAt - second).toISOString();
      const isReadable = random() < 0.5;
      const stream = isReadable
        ? { type: 'hls', url, available_until: endedAt, available_again: true }
        : { type: 'of a later release', url };
      const later = { id: 'later', folder: folderOf(url), stream: stream as EventRecord['stream'] };
      const availableFrom = isReadable ? endedAt : undefined;
      const outer = folder.split('/')[0] ?? folder;
      return {
        history: { kind: 'later release', later, availableFrom },
        wanted: [[at, oneOf(random, [folder, outer])]],
      };
    }
    case 'restore': {
      const lostAt = at + between(random, 0, 20) * second;
      const restoredAt = lostAt + between(random, 1, 20) * second;
      const others = ids.filter(() => random() < 0.5);
      const isLost = (id: string) => id === 'match' || others.some((one) => one === id);
      return {
        history: { kind: 'restore', takenAt: at, lostAt, restoredAt, isLost },
        wanted: [
          [
            random() < 0.3 ? between(random, lostAt, restoredAt) : restoredAt + between(random, -50, 100),
            near,
          ],
          [restoredAt + between(random, 0, 300), near],
        ],
      };
    }
    case 'late index': {
      const forgottenAt = at + remembered + between(random, 1, 3) * second;
      const again = forgottenAt + between(random, 1, 8) * second;
      return {
        history: { kind: 'late index', from: at, to: again + between(random, 5, 60) * second },
        wanted: [
          [at + between(random, 0, second), 'new/inner'],
          // Whoever moves a path drops those that are older than a minute.
          [forgottenAt, 'apart'],
          [again, 'new'],
        ],
      };
    }
  }
};

/** What happens in a world besides its workload. */
export const createPathHistory = (streams: Streams, startsAt: number) => {
  const random = streams.of('history of paths');
  if (random() >= 0.2) return { history: undefined, actions: [], questions: [], lasts: 0 };
  const { history, wanted } = drawn(random, startsAt);
  const actions = wanted.map(([at, folder], index): Timed<Action> => {
    const id = 1_001 + index;
    return { id, at, editor: 'desk', kind: 'create', event: `new-${id}`, folder };
  });
  const latest = Math.max(history.kind === 'signing' ? history.from : 0, ...actions.map(({ at }) => at));
  const questions = Array.from(
    { length: 8 },
    (_, index): Question => ({
      id: 3_001 + index,
      at: latest + between(random, 0, 40) * second,
      client: 'web',
      kind: 'VIP',
      country: oneOf(random, countries),
      call: 'stream',
      event: oneOf(random, ['match', `new-1001`, `new-${1_000 + actions.length}`]),
      status: undefined,
    }),
  );
  return { history, actions, questions, lasts: latest + 45 * second };
};
