import type { LoggedEntry } from '../transactions/entry.ts';
import {
  type ReadField,
  type Transition,
  type TransitionName,
  transitions,
} from '../transactions/transitions.ts';

interface Assignments {
  readonly set?: readonly string[];
  readonly values?: Readonly<Record<string, unknown>>;
}

const statusIsOf = ({ from }: Transition) => ({
  condition:
    from.length === 1 ? '#status = :from0' : `#status IN (${from.map((_, index) => `:from${index}`)})`,
  values: Object.fromEntries(from.map((status, index) => [`:from${index}`, status])),
});

interface AsRead {
  readonly condition: string;
  /** Without a value, the condition is that the field is absent. */
  readonly value: number | undefined;
}

const asReadOf = ({ attempts, missingLooks, reopened }: LoggedEntry): Record<ReadField, AsRead> => ({
  attempts: { condition: 'size(attempts) = :attempts', value: attempts.length },
  missingLooks: { condition: 'missingLooks = :missingLooks', value: missingLooks },
  reopened: {
    condition: reopened === undefined ? 'attribute_not_exists(reopened)' : 'reopened = :reopened',
    value: reopened,
  },
});

/**
 * Attempts are never removed, so the first one tells an entry from every other. Tables that were restored may have
 * another entry with the same nonce than the one that was read.
 */
const isSameEntry = 'attempts[0].#hash = :firstHash';

export const entryChange = (
  name: TransitionName,
  entry: LoggedEntry,
  { set = [], values = {} }: Assignments = {},
) => {
  const transition: Transition = transitions[name];
  const { to, asRead = [], unset } = transition;
  const status = statusIsOf(transition);
  const read = asReadOf(entry);
  return {
    UpdateExpression: `SET ${[...(to === undefined ? [] : ['#status = :to']), ...set].join(', ')}`,
    ConditionExpression: [
      status.condition,
      isSameEntry,
      ...asRead.map((field) => read[field].condition),
      ...(unset === undefined ? [] : [`attribute_not_exists(${unset})`]),
    ].join(' AND '),
    ExpressionAttributeNames: { '#status': 'status', '#hash': 'hash' },
    ExpressionAttributeValues: {
      ...status.values,
      ':firstHash': entry.attempts[0]?.hash,
      ...(to !== undefined && { ':to': to }),
      ...Object.fromEntries(
        asRead.flatMap((field) =>
          read[field].value === undefined ? [] : [[`:${field}`, read[field].value]],
        ),
      ),
      ...values,
    },
  };
};
