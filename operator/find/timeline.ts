/** Something that happened, or that must have happened and is not recorded. */
export interface Moment {
  /** ISO 8601, UTC; `undefined` when no time is stored. */
  readonly at: string | undefined;
  readonly what: string;
  /** Whether it must or may have happened but is recorded nowhere. */
  readonly isUnknown?: true;
}

/** A moment whose time is from another clock, and the earliest time that it can have. */
export type TimedMoment = Moment & { readonly notBefore?: string };

/** All that is known of one thing. */
export interface Timeline {
  readonly kind: string;
  readonly id: string;
  /** Its current state. */
  readonly fields: Readonly<Record<string, string | number | boolean | null | undefined>>;
  /** In order of time; moments without a time stand where they must have happened. */
  readonly moments: readonly Moment[];
  /** Other things that `find` can be asked for. */
  readonly related: readonly string[];
  /** Commands that show more of the thing, or change it. */
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
 * Sorts moments by time. A moment without a time stays behind the moments that were listed before it. An effect never
 * comes before its cause, although block times are whole seconds from another clock.
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
