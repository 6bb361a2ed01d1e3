import type { EntryStatus } from '../status.ts';

/** The parts of an entry that a change may depend on, and that must still be as they were read. */
export type ReadField = 'attempts' | 'missingLooks';

export interface Transition {
  /** Statuses from which it starts; in any other it changes nothing. */
  readonly from: readonly EntryStatus[];
  /** Left out, the status stays. */
  readonly to?: EntryStatus;
  /**
   * What must not have changed since the entry was read. Attempts are never removed, so they are compared by number.
   */
  readonly asRead?: readonly ReadField[];
  /** What is noted once and stays. */
  readonly unset?: 'triedAt';
  /** When the waiter, or an operator, does it. */
  readonly when: string;
}

/**
 * Every change of an entry after it was recorded as `pending`. The log's write conditions are generated from this
 * table, and so is the diagram in docs/transactions.md.
 */
export const transitions = {
  confirm: { from: ['pending'], to: 'confirmed', when: 'final, and what it makes is there' },
  fail: { from: ['pending'], to: 'failed', when: 'final, and it made nothing' },
  supersede: {
    from: ['pending'],
    to: 'superseded',
    asRead: ['attempts', 'missingLooks'],
    when: 'another used its nonce, a new one takes its work over',
  },
  drop: {
    from: ['pending'],
    to: 'superseded',
    asRead: ['attempts'],
    when: 'another used its nonce, it makes nothing',
  },
  appendAttempt: {
    from: ['pending', 'confirmed', 'failed'],
    asRead: ['attempts'],
    when: 'higher fees, or a cancellation',
  },
  noteTried: {
    from: ['pending', 'confirmed', 'failed', 'superseded'],
    unset: 'triedAt',
    when: 'it is at the head of the queue, and is not mined',
  },
  noteMissing: {
    from: ['pending', 'confirmed', 'failed', 'superseded'],
    asRead: ['attempts', 'missingLooks'],
    when: 'its nonce is used and no endpoint knows a receipt',
  },
} as const satisfies Record<string, Transition>;

export type TransitionName = keyof typeof transitions;
