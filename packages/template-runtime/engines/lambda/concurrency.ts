import type { LambdaFaults, Refusal } from './faults.ts';
import type { LambdaFunction } from './types.ts';

/**
 * Limits the concurrent calls of a function to its reserved concurrency. Functions without a reservation share the
 * account's unreserved concurrency.
 */
export const concurrencyLimits = (faults: () => LambdaFaults) => {
  const reserved = new Map<string, number>();
  const running = new Map<string, number>();
  let runningUnreserved = 0;

  const refusalOf = ({ name, reservedConcurrency }: LambdaFunction): Refusal | undefined => {
    if (reservedConcurrency !== undefined) {
      const isFull = (running.get(name) ?? 0) >= reservedConcurrency;
      return isFull ? 'ReservedFunctionConcurrentInvocationLimitExceeded' : undefined;
    }
    const taken = [...reserved.values()].reduce((sum, each) => sum + each, 0);
    const isFull = runningUnreserved >= faults().accountConcurrency - taken;
    return isFull ? 'ConcurrentInvocationLimitExceeded' : undefined;
  };

  return {
    reserve: ({ name, reservedConcurrency }: LambdaFunction): void => {
      if (reservedConcurrency !== undefined) reserved.set(name, reservedConcurrency);
    },
    within: async <Result>(fn: LambdaFunction, call: () => Promise<Result>): Promise<Result | Refusal> => {
      const refusal = refusalOf(fn);
      if (refusal !== undefined) return refusal;
      const change = (by: number): void => {
        if (fn.reservedConcurrency === undefined) runningUnreserved += by;
        else running.set(fn.name, (running.get(fn.name) ?? 0) + by);
      };
      change(1);
      try {
        return await call();
      } finally {
        change(-1);
      }
    },
  };
};
