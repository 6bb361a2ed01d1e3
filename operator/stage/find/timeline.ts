/** One line of a timeline: something that happened, or that must have happened and is not recorded. */
export interface Moment {
  /** ISO 8601, UTC. `undefined` if no time is stored. */
  readonly at: string | undefined;
  readonly what: string;
  /** `true` if there is no record of what happened or may have happened. */
  readonly isUnknown?: true;
}

/** A moment. If its time is from the chain's clock and is earlier than `notBefore`, it is sorted by `notBefore`. */
export type TimedMoment = Moment & { readonly notBefore?: string };

/** What `find` shows for one thing that it found, such as a contract, a user or a notification. */
export interface Timeline {
  readonly kind: string;
  readonly id: string;
  /** The current state of the thing that was found. */
  readonly fields: Readonly<Record<string, string | number | boolean | null | undefined>>;
  /** In order of time. A moment without a time is at the position where it must have happened. */
  readonly moments: readonly Moment[];
  /** Names of related things, each of which `find` accepts. */
  readonly related: readonly string[];
  /** Operator commands that show more about the thing that was found, or change it. */
  readonly commands: readonly string[];
}

export const moment = (at: number | string | undefined, what: string): Moment => ({
  at: at === undefined ? undefined : new Date(at).toISOString(),
  what,
});

export const unknown = (what: string, at?: number | string): Moment => ({
  ...moment(at, what),
  isUnknown: true,
});

/**
 * Sorts moments by time. The input must list causes before their effects. A moment without a time keeps its place
 * behind the moment that precedes it in the input. A block's time is in whole seconds and from the chain's clock, so it
 * may be earlier than the time at which the block's transactions were sent. `notBefore` then gives the time to sort by.
 */
export const inTime = (moments: readonly TimedMoment[]): Moment[] => {
  let last = '';
  return moments
    .map(({ notBefore = '', ...each }, index) => {
      const own = each.at ?? last;
      const key = own < notBefore ? notBefore : own;
      if (key > last) last = key;
      return { each, index, key };
    })
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.index - b.index))
    .map(({ each }) => each);
};
