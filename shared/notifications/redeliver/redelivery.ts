/** When an endpoint's undelivered notifications are sent again. Durations are milliseconds. */
export interface Ladder {
  /** The pauses before each attempt. */
  readonly steps: readonly number[];
  /** A delivery whose outcome is unknown for this long after its publication counts as failed. */
  readonly outcomeWithin: number;
}

/**
 * The ladder of a stage. After the configured steps come steps of `every`, as long as all steps together take less than
 * `atMost`.
 */
export const ladderOf = ({
  steps,
  every,
  atMost,
  ...rest
}: Omit<Ladder, 'steps'> & {
  readonly steps: readonly number[];
  readonly every: number;
  readonly atMost: number;
}): Ladder => {
  const all = [...steps];
  let total = all.reduce((sum, step) => sum + step, 0);
  while (total + every <= atMost) {
    all.push(every);
    total += every;
  }
  return { ...rest, steps: all };
};

/** The pause after so many attempts. After none, it is how long a failure waits for the first one. */
export const pauseOf = ({ steps }: Pick<Ladder, 'steps'>, attempts: number): number => steps[attempts] ?? 0;

export const redeliveryStates = ['waiting', 'probing', 'replaying', 'paused'] as const;

/**
 * What is stored of an endpoint that has not accepted everything, beside its rows: docs/undelivered.md. Times are
 * milliseconds since the epoch.
 */
export interface Redelivery {
  /** When the oldest undelivered notification was published, as far as is known. */
  readonly since: number;
  /** How many probes were sent since the endpoint last accepted something. */
  readonly attempt: number;
  /** When something is sent next, unless redelivery is paused. */
  readonly nextAt?: number | undefined;
  /** Whether nothing is sent any more. */
  readonly isPaused: boolean;
  /** The message whose outcome the endpoint's ladder waits for. */
  readonly probeId?: string | undefined;
  /** When a failure was last recorded. */
  readonly failureNotedAt: number;
  /** When a row was made or changed last. The index of rows may not have noticed it for some seconds. */
  readonly rowsChangedAt: number;
  /** How many failures the endpoint has had. Never falls. */
  readonly failures: number;
}

/**
 * - `waiting`: something is sent at `nextAt`.
 * - `probing`: a probe was sent, and its outcome is not known yet.
 * - `replaying`: everything undelivered is being sent.
 * - `paused`: nothing is sent. If the endpoint fails, its ladder is used up, and the next notification that it accepts
 *   takes
 *   redelivery up again. If it does not, only rows are left that were given up.
 */
export type RedeliveryState = (typeof redeliveryStates)[number];

export const stateOf = (
  { nextAt = 0, isPaused, probeId }: Pick<Redelivery, 'nextAt' | 'isPaused' | 'probeId'>,
  { isFailing, now }: { readonly isFailing: boolean; readonly now: number },
): RedeliveryState => {
  if (isPaused) return 'paused';
  if (isFailing) return probeId === undefined ? 'waiting' : 'probing';
  return nextAt > now ? 'waiting' : 'replaying';
};
