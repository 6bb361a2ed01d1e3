import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../../clock.ts';
import type { Call } from '../wire.ts';
import { type PartialBatch, partialBatch } from './batches.ts';
import { type CancellationCode, cancelled, conflicted, outOfReach, throttled } from './error-answers.ts';
import { indexLag } from './index-lag.ts';
import { keySchemas } from './key-schemas.ts';
import { partitionLimiter } from './partition-limits.ts';
import {
  isTransaction,
  mayConflict,
  parseQuery,
  tablesOf,
  touchedBy,
  transactionLength,
} from './requests.ts';
import {
  type CallCounts,
  type DatabaseAnswer,
  type DatabaseCall,
  type DatabaseFaults,
  type DatabaseGate,
  noDatabaseFaults,
} from './types.ts';
import { unitCounter } from './units.ts';

export interface DatabaseGateOptions {
  /** Calls the database directly, not through the gate. */
  readonly call: Call;
  /** @default Math.random */
  readonly random?: () => number;
  readonly clock: Clock;
}

type Counts = Record<string, Record<string, Record<DatabaseCall['outcome'], number>>>;

const isBatch = (operation: string): operation is 'BatchGetItem' | 'BatchWriteItem' =>
  operation === 'BatchGetItem' || operation === 'BatchWriteItem';

const outcomeOf = ({ status }: DatabaseAnswer): DatabaseCall['outcome'] =>
  status === 200 ? 'answered' : 'refused';

export const createDatabaseGate = ({
  call,
  random = Math.random,
  clock,
}: DatabaseGateOptions): DatabaseGate => {
  const schemaOf = keySchemas(call);
  const lag = indexLag({ call, schemaOf, clock });
  const limiter = partitionLimiter({ schemaOf, clock });
  const listeners = new Set<(call: DatabaseCall) => void>();
  const counts: Counts = {};
  const units = unitCounter();
  let faults: DatabaseFaults = noDatabaseFaults;
  let hasFaults = false;

  const count = (ended: DatabaseCall): void => {
    const operations = counts[ended.caller] ?? {};
    const outcomes = operations[ended.operation] ?? { answered: 0, refused: 0, throttled: 0, conflicted: 0 };
    outcomes[ended.outcome] += 1;
    operations[ended.operation] = outcomes;
    counts[ended.caller] = operations;
    for (const listener of listeners) listener(ended);
  };

  const refuse = (operation: string, input: unknown, codes: readonly CancellationCode[]): DatabaseAnswer => {
    if (!isTransaction(operation)) return codes.includes('TransactionConflict') ? conflicted() : throttled();
    const length = transactionLength(input);
    const code = codes[Math.floor(random() * codes.length)] ?? 'ThrottlingError';
    return cancelled(code, Math.floor(random() * length), length);
  };

  const refusal = async (
    operation: string,
    input: unknown,
  ): Promise<{ readonly answer: DatabaseAnswer; readonly outcome: DatabaseCall['outcome'] } | undefined> => {
    const { throttleShare, conflictShare, tablesOutOfReach, partitionLimits } = faults;
    if (
      tablesOutOfReach.length > 0 &&
      tablesOf(operation, input).some((table) => tablesOutOfReach.includes(table))
    ) {
      return { answer: outOfReach(), outcome: 'refused' };
    }
    const throttle = () =>
      ({
        answer: refuse(operation, input, ['ThrottlingError', 'ProvisionedThroughputExceeded']),
        outcome: 'throttled',
      }) as const;
    const drawn = random();
    if (!isBatch(operation) && drawn < throttleShare) return throttle();
    if (mayConflict(operation) && drawn >= throttleShare && drawn < throttleShare + conflictShare) {
      return { answer: refuse(operation, input, ['TransactionConflict']), outcome: 'conflicted' };
    }
    if (partitionLimits && !(await limiter.admits(operation, input, partitionLimits))) return throttle();
    return undefined;
  };

  const letThrough = async (
    { operation, caller, input }: Omit<DatabaseCall, 'outcome'>,
    forward: (input: unknown) => Promise<DatabaseAnswer>,
  ): Promise<DatabaseAnswer> => {
    const { indexLagMilliseconds, partitionLimits, countsUnits } = faults;
    const isMeasured = partitionLimits !== null || countsUnits;
    if (indexLagMilliseconds > 0) {
      const writes = touchedBy(operation, input).filter(({ isWrite }) => isWrite);
      await lag.beforeWrite(writes, indexLagMilliseconds);
    }
    const answer = await forward(
      isMeasured ? { ...(input as object), ReturnConsumedCapacity: 'INDEXES' } : input,
    );
    if (answer.status !== 200) return answer;
    const text = () => Buffer.from(answer.body).toString('utf8');
    if (isMeasured) {
      const body = text();
      const uses = await limiter.usesOf(operation, input, body);
      if (partitionLimits) limiter.pay(uses, partitionLimits);
      if (countsUnits) units.count({ operation, caller, body, uses });
    }
    if (indexLagMilliseconds > 0 && (operation === 'Query' || operation === 'Scan')) {
      const { TableName, IndexName } = parseQuery(input);
      if (IndexName !== undefined) {
        return { ...answer, body: await lag.asOfBefore({ table: TableName, index: IndexName }, text()) };
      }
    }
    return answer;
  };

  const serve = async (
    { operation, caller, input }: Omit<DatabaseCall, 'outcome'>,
    forward: (input: unknown) => Promise<DatabaseAnswer>,
  ): Promise<DatabaseAnswer> => {
    const refused = await refusal(operation, input);
    if (refused) {
      count({ operation, caller, input, outcome: refused.outcome });
      return refused.answer;
    }
    const batch: PartialBatch =
      isBatch(operation) && faults.throttleShare > 0
        ? partialBatch(operation, input, () => random() < faults.throttleShare)
        : { input, withUnprocessed: (answer) => answer };
    if (batch.input === undefined) {
      count({ operation, caller, input, outcome: 'throttled' });
      return throttled();
    }
    const answer = await letThrough({ operation, caller, input: batch.input }, forward);
    count({ operation, caller, input, outcome: outcomeOf(answer) });
    return batch.withUnprocessed(answer);
  };

  return {
    get faults() {
      return faults;
    },
    setFaults: (changes) => {
      faults = { ...faults, ...changes };
      hasFaults = !isDeepStrictEqual(faults, noDatabaseFaults);
    },
    counts: (): CallCounts => structuredClone(counts),
    units: () => structuredClone(units.counts),
    partitionWrites: () => structuredClone(units.writes),
    observe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    pass: async (request, forward) => {
      if (!hasFaults) {
        const answer = await forward(request.input);
        count({ ...request, outcome: outcomeOf(answer) });
        return answer;
      }
      const half = faults.delayMilliseconds / 2;
      if (half > 0) await delay(half);
      const answer = await serve(request, forward);
      if (half > 0) await delay(half);
      return answer;
    },
  };
};
