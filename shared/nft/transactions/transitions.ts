import type { EntryStatus } from '../../platform/watched.ts';

export type ReadField = 'attempts' | 'missingLooks' | 'reopened';

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
 * Every change that a recorded entry can undergo. Each requires that the entry is the one that was read. The write
 * conditions and the diagram in docs/transactions.md are generated from this list.
 */
export const transitions = {
  confirm: { from: ['pending'], to: 'confirmed', when: 'its nonce is final, and its effect is on the chain' },
  fail: { from: ['pending'], to: 'failed', when: 'its nonce is final, and it had no effect' },
  supersede: {
    from: ['pending'],
    to: 'superseded',
    asRead: ['attempts', 'missingLooks'],
    when: 'another transaction used its nonce, so a new entry repeats its work',
  },
  drop: {
    from: ['pending'],
    to: 'superseded',
    asRead: ['attempts'],
    when: 'another transaction used the nonce of this noop entry',
  },
  reopen: {
    from: ['superseded'],
    to: 'pending',
    asRead: ['reopened'],
    when: 'tables have lost the entry that repeats its work, and `restore` runs',
  },
  appendAttempt: {
    from: ['pending', 'confirmed', 'failed'],
    asRead: ['attempts'],
    when: 'the operator or the waiter replaces its transaction',
  },
  noteTried: {
    from: ['pending', 'confirmed', 'failed', 'superseded'],
    unset: 'triedAt',
    when: 'it has the lowest unmined nonce and was broadcast',
  },
  noteMissing: {
    from: ['pending', 'confirmed', 'failed', 'superseded'],
    asRead: ['attempts', 'missingLooks'],
    when: 'its nonce is final, but no RPC endpoint has a receipt',
  },
} as const satisfies Record<string, Transition>;

export type TransitionName = keyof typeof transitions;
