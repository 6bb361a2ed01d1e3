export const changeKinds = ['created', 'changed', 'deleted'] as const;

/** A change of an event that was made. */
export interface PastChange {
  /** ISO 8601. */
  readonly at: string;
  /** Who made it, such as `editor newsroom` or `operator arn:aws:iam::123456789012:user/jane`. */
  readonly by: string;
  /** Goes on if the event is deleted and created again. */
  readonly version: number;
  readonly kind: (typeof changeKinds)[number];
  /** The names of the fields that differ, as import files have them. Empty for an event that is created or deleted. */
  readonly fields: readonly string[];
  /**
   * The fields with which the change let more viewers play the event, or for longer. A change with such fields is kept
   * for good. So are deletions, and creations of an event that was deleted before.
   */
  readonly opens: readonly string[];
}

/** A change of an event, as its writer tells it. */
export interface LoggedChange extends PastChange {
  readonly id: string;
  /** Whether the change was made. If not, it is not known whether it was made. */
  readonly isMade: boolean;
}

export interface EventHistory {
  /**
   * The last changes of an event, and all that are kept for good, latest first, also of one that is deleted. Strongly
   * consistent for the last changes.
   */
  of(id: string): Promise<readonly PastChange[]>;
}
