/** What happened to a thing, or what is known to be missing. */
export interface Moment {
  /** ISO 8601, UTC; `undefined` when no time is stored. */
  readonly at: string | undefined;
  readonly what: string;
  /** Something that must or may have happened and is recorded nowhere. */
  readonly isUnknown?: true;
}

/** A time from another clock, and the time it cannot be before. */
export type TimedMoment = Moment & { readonly notBefore?: string };

/** All that is known of one thing. */
export interface Timeline {
  readonly kind: string;
  readonly id: string;
  /** Its current state. */
  readonly fields: Readonly<Record<string, string | number | boolean | null | undefined>>;
  /** In order of time; moments without a time stand where they must have happened. */
  readonly moments: readonly Moment[];
  /** What else to look for. */
  readonly related: readonly string[];
  /** Commands that show more of it or change it. */
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
 * Orders moments by time; one without a time stays behind everything it was told after. Nothing comes before its cause:
 * block times have whole seconds and clocks of their own.
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
