import type { EntryStatus } from '../status.ts';

export type ReadField = 'attempts' | 'missingLooks';

export interface Transition {
  /** The statuses in which the transition is allowed. In any other status nothing changes. */
  readonly from: readonly EntryStatus[];
  /** @default the status stays the same */
  readonly to?: EntryStatus;
  /**
   * Fields that must not have changed since the entry was read. For attempts, only their number is compared, because
   * attempts are never removed.
   */
  readonly asRead?: readonly ReadField[];
  /** A field that must not be set yet. The transition sets it, and it never changes afterwards. */
  readonly unset?: 'triedAt';
  readonly when: string;
}

/**
 * Every change that a recorded entry can undergo. The write conditions and the diagram in docs/transactions.md are
 * generated from this list.
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
