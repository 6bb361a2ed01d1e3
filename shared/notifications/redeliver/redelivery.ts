/** When an endpoint's undelivered notifications are sent again. Durations are milliseconds. */
export interface Ladder {
  /** The pauses before each attempt. After the last pause, redelivery is paused. */
  readonly steps: readonly number[];
  /** A delivery whose outcome is unknown for this long after its publication counts as failed. */
  readonly outcomeWithin: number;
  /** How long after the last recorded failure a redelivery ends. By then, the records of all deliveries are complete. */
  readonly outcomesWithin: number;
}

/**
 * How long after its publication a message is usually recorded. The failures of a message that is recorded later are noted
 * again. So what has failed is found this long after a failure was noted, or another failure is noted.
 */
export const knownAfter = ({ outcomesWithin }: Pick<Ladder, 'outcomesWithin'>): number => outcomesWithin / 2;

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

/**
 * How far a sweep through an endpoint's notifications has come. A sweep goes from the newest notification to the oldest.
 */
export interface SweepState {
  readonly id: string;
  readonly at: number;
  /** Where the sweep continues. @default the newest notification */
  readonly next?: string | undefined;
  /** When notifications that the sweep has sent or skipped are to be checked again. Absent if there are none. */
  readonly leftAt?: number | undefined;
  /** Whether the sweep skipped a notification that the endpoint has refused for the whole ladder. */
  readonly gaveUp: boolean;
  /** How many failures the endpoint had when the sweep began. */
  readonly failures: number;
}

export const redeliveryStates = ['waiting', 'probing', 'replaying', 'paused'] as const;

/**
 * The state of an endpoint that has not accepted everything. Times are milliseconds since the epoch.
 * - `waiting`: a probe or the rest is sent at `nextAt`.
 * - `probing`: one notification was sent, and its outcome is not known yet.
 * - `replaying`: everything undelivered is being sent.
 * - `paused`: the ladder is used up. If the endpoint fails, the next notification that it accepts takes redelivery up
 *   again. If it does not, only notifications are left that it has refused for the whole ladder. They are sent by a replay.
 *   A failure takes redelivery up again too, but not what was given up.
 */
export interface Redelivery {
  readonly state: (typeof redeliveryStates)[number];
  /** When the oldest undelivered notification was published, as far as is known. */
  readonly since: number;
  /** How many probes were sent since the endpoint last accepted something. */
  readonly attempt: number;
  /** When the endpoint is examined next. Absent while redelivery is paused. */
  readonly nextAt?: number | undefined;
  /** When an accepted message last brought the redelivery forward. */
  readonly broughtForwardAt?: number | undefined;
  /** The message whose outcome decides the redelivery's next step. */
  readonly probeId?: string | undefined;
  /** Where the next probe continues in the list of notifications. @default the newest notification */
  readonly probeNext?: string | undefined;
  /** The work on the endpoint that is under way. */
  readonly sweep?: SweepState | undefined;
  /** When a failure was last recorded. */
  readonly failureNotedAt: number;
  /** How many failures the endpoint has had. Never falls. */
  readonly failures: number;
  /**
   * Whether nothing undelivered was found since the last failure. The redelivery goes on until the records are complete,
   * but there is nothing to tell of it.
   */
  readonly isAccepted: boolean;
}
