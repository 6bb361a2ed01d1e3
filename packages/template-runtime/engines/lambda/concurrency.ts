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

  const refusalOf = ({ name }: LambdaFunction): Refusal | undefined => {
    const reservedConcurrency = reserved.get(name);
    if (reservedConcurrency !== undefined) {
      const isFull = (running.get(name) ?? 0) >= reservedConcurrency;
      return isFull ? 'ReservedFunctionConcurrentInvocationLimitExceeded' : undefined;
    }
    const taken = [...reserved.values()].reduce((sum, each) => sum + each, 0);
    const isFull = runningUnreserved >= faults().accountConcurrency - taken;
    return isFull ? 'ConcurrentInvocationLimitExceeded' : undefined;
  };

  return {
    reserve: (name: string, concurrency: number | undefined): void => {
      if (concurrency === undefined) reserved.delete(name);
      else reserved.set(name, concurrency);
    },
    reserved: (name: string): number | undefined => reserved.get(name),
    within: async <Result>(fn: LambdaFunction, call: () => Promise<Result>): Promise<Result | Refusal> => {
      const refusal = refusalOf(fn);
      if (refusal !== undefined) return refusal;
      const isReserved = reserved.has(fn.name);
      const change = (by: number): void => {
        if (!isReserved) runningUnreserved += by;
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
