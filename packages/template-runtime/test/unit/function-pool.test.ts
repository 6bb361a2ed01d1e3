import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EnvironmentOptions } from '../../engines/lambda/execution-environment.ts';
import { FunctionPool } from '../../engines/lambda/function-pool.ts';

const most = 5;
const idleMilliseconds = 60_000;

const machine = vi.hoisted(() => ({
  environments: 0,
  /** How long a call takes. */
  milliseconds: Number.POSITIVE_INFINITY,
  /** Whether an environment ends with its call. */
  isLost: false,
}));

vi.mock('../../engines/lambda/execution-environment.ts', () => ({
  ExecutionEnvironment: class {
    hasEnded = false;
    readonly ready = Promise.resolve(undefined);
    readonly #onEnd: () => void;
    constructor({ onEnd }: Pick<EnvironmentOptions, 'onEnd'>) {
      machine.environments += 1;
      this.#onEnd = onEnd;
    }
    run = () =>
      new Promise((resolve) => {
        if (Number.isFinite(machine.milliseconds)) setTimeout(resolve, machine.milliseconds);
      }).then(() => {
        if (!machine.isLost) return;
        this.hasEnded = true;
        void this.terminate();
      });
    terminate = async () => {
      machine.environments -= 1;
      this.#onEnd();
    };
  },
}));

let pool: FunctionPool;

const call = async (times: number): Promise<void> => {
  for (let count = 0; count < times; count += 1) void pool.run({ requestId: String(count), event: '{}' });
  await vi.advanceTimersByTimeAsync(0);
};

beforeEach(() => {
  vi.useFakeTimers();
  Object.assign(machine, { environments: 0, milliseconds: Number.POSITIVE_INFINITY, isLost: false });
  pool = new FunctionPool({ maximumConcurrency: most, environment: {} as Omit<EnvironmentOptions, 'onEnd'> });
});

afterEach(async () => {
  await pool.stop();
  vi.useRealTimers();
});

describe('the environments of a function', () => {
  it('grow to the number of concurrent calls', async () => {
    await call(1);
    expect(machine.environments).toBe(1);

    await call(1);
    expect(machine.environments).toBe(2);
  });

  it('never exceed the maximum, however many calls are queued', async () => {
    await call(100);

    expect(machine.environments).toBe(most);
  });

  it('are reused, the most recently used first', async () => {
    machine.milliseconds = 10;
    await call(2);
    await vi.advanceTimersByTimeAsync(10);
    await vi.advanceTimersByTimeAsync(idleMilliseconds - 1_000);
    await call(1);
    await vi.advanceTimersByTimeAsync(2_000);

    expect(machine.environments).toBe(2);
    pool.reap(idleMilliseconds);
    expect(machine.environments).toBe(1);
  });

  it('end after an idle time', async () => {
    machine.milliseconds = 10;
    await call(3);
    await vi.advanceTimersByTimeAsync(10 + idleMilliseconds + 1);
    pool.reap(idleMilliseconds);
    expect(machine.environments).toBe(0);

    await call(1);
    expect(machine.environments).toBe(1);
  });

  it('are replaced if one ended during its call', async () => {
    Object.assign(machine, { milliseconds: 10, isLost: true });
    await call(1);
    await vi.advanceTimersByTimeAsync(10);
    expect(machine.environments).toBe(0);

    await call(1);
    expect(machine.environments).toBe(1);
  });
});
