/** How many changes of an event are kept. */
export const historyAtMost = 50;

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
}

export interface EventHistory {
  /** The last changes of an event, latest first, also of one that is deleted. Strongly consistent. */
  of(id: string): Promise<readonly PastChange[]>;
}
