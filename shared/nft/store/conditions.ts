/** The conditions of the writes that record transactions and their outcomes. */
import { burnFields } from '../tokens/gone.ts';

export const isUnused = 'attribute_not_exists(pk)';
export const exists = 'attribute_exists(pk)';
/**
 * Fails if a change with a higher nonce is stored. That change was recorded earlier, but comes later on the chain.
 * Needs the name `#change`.
 */
export const isNoLaterChange = '(attribute_not_exists(#change) OR #change.nonce < :nonce)';
/**
 * The condition of a token that is not gone (see `isGone`). Needs the name `#status` and the value `:failed`. A second
 * burn of a token would revert, and its failure would hide the success of the first one.
 */
export const isNotGone = burnFields
  .map((field) => `(attribute_not_exists(${field}) OR ${field}.#status = :failed)`)
  .join(' AND ');
/**
 * A mint that was superseded has a later nonce. A burn with an earlier nonce would come before it on the chain. A
 * reserved token has a negative nonce.
 */
export const isMintedBefore = 'nonce >= :zero AND nonce < :nonce';

const isPendingOfNonce = '#status = :pending AND nonce = :before';
const isPendingChangeOfNonce = '#change.#status = :pending AND #change.nonce = :before';

/**
 * What follows an entry: a contract, a token, or the record of a change in one of them. `current` holds until something
 * newer has replaced it, or it is lost or has its outcome. Then `outdated` holds. Both need the name `#status` and the
 * values `:pending` and `:before`, the entry's nonce.
 */
export interface Following {
  readonly current: string;
  readonly outdated: string;
  /** What `current` needs besides. */
  readonly values?: Readonly<Record<string, unknown>>;
}

/** A contract or token. It is outdated too if its table has lost it, or a later mint took its id. */
export const followingItem: Following = {
  current: isPendingOfNonce,
  outdated: 'attribute_not_exists(pk) OR nonce <> :before OR #status <> :pending',
};

/** A token that is not gone. */
export const followingPresentItem: Following = {
  ...followingItem,
  current: `${isPendingOfNonce} AND ${isNotGone}`,
  values: { ':failed': 'failed' },
};

/**
 * The record of a change. It may have its outcome already: a waiter had failed it because its entry was lost. Needs the
 * name `#change`.
 */
export const followingChange: Following = {
  current: isPendingChangeOfNonce,
  outdated: `NOT (${isPendingChangeOfNonce})`,
};
