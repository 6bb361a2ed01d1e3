import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EnvironmentOptions } from '../../engines/lambda/execution-environment.ts';
import { FunctionPool } from '../../engines/lambda/function-pool.ts';

const first = 3;

const machine = vi.hoisted(() => ({
  environments: 0,
  utilization: 0.5,
  idleShare: 0,
  /** What a call takes. */
  milliseconds: Number.POSITIVE_INFINITY,
  /** Whether an environment ends with its call. */
  isLost: false,
}));

vi.mock('node:os', async (original) => ({
  ...(await original<typeof import('node:os')>()),
  availableParallelism: () => 3,
}));

vi.mock('../../engines/lambda/idle-share.ts', () => ({ idleShareFromNow: () => () => machine.idleShare }));

vi.mock('../../engines/lambda/execution-environment.ts', () => ({
  ExecutionEnvironment: class {
    hasEnded = false;
    readonly ready = Promise.resolve(undefined);
    readonly #onEnd: () => void;
    constructor({ onEnd }: Pick<EnvironmentOptions, 'onEnd'>) {
      machine.environments += 1;
      this.#onEnd = onEnd;
    }
    utilization = () => machine.utilization;
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

const look = async (times = 1): Promise<void> => {
  for (let count = 0; count < times; count += 1) await vi.advanceTimersByTimeAsync(300);
};

let pool: FunctionPool;

const call = async (times: number): Promise<void> => {
  for (let count = 0; count < times; count += 1) void pool.run({ requestId: String(count), event: '{}' });
  await vi.advanceTimersByTimeAsync(0);
};

beforeEach(() => {
  vi.useFakeTimers();
  Object.assign(machine, {
    environments: 0,
    utilization: 0.5,
    idleShare: 0,
    milliseconds: Number.POSITIVE_INFINITY,
    isLost: false,
  });
  pool = new FunctionPool({
    maximumConcurrency: 1_000,
    environment: {} as Omit<EnvironmentOptions, 'onEnd'>,
  });
});

afterEach(async () => {
  await pool.stop();
  vi.useRealTimers();
});

describe('the environments of a function whose calls wait in line', () => {
  it('are as many as cores on a machine that has nothing to spare', async () => {
    await call(100);
    await look(10);

    expect(machine.environments).toBe(first);
  });

  it('become no more for a moment in which all wait for one, such as a chain that writes its state', async () => {
    await call(100);
    machine.utilization = 0.01;
    for (const idleShare of [0.4, 0.4, 0.1, 0.4, 0.4, 0, 0.4, 0.1]) {
      machine.idleShare = idleShare;
      await look();
    }

    expect(machine.environments).toBe(first);
  });

  it('become more, one after the other, on a machine that goes on having time', async () => {
    await call(100);
    machine.idleShare = 0.4;
    await look(3);
    expect(machine.environments).toBe(first + 1);

    await look();
    expect(machine.environments).toBe(first + 2);
  });

  it('need three looks again after a time in which no call waited', async () => {
    await call(first + 1);
    machine.idleShare = 0.4;
    await look(3);
    expect(machine.environments).toBe(first + 1);

    await call(1);
    await look(2);
    expect(machine.environments).toBe(first + 1);

    await look();
    expect(machine.environments).toBe(first + 2);
  });

  it('are doubled while each of them waits', async () => {
    await call(100);
    Object.assign(machine, { utilization: 0.01, idleShare: 0.4 });
    await look(3);
    expect(machine.environments).toBe(2 * first);

    await look();
    expect(machine.environments).toBe(4 * first);
  });

  it('become no more while each of them waits for the machine, which others keep busy', async () => {
    await call(100);
    machine.utilization = 0.01;
    await look(10);

    expect(machine.environments).toBe(first);
  });
});

describe('the environments of a function whose calls come now and then', () => {
  /** Half a minute of calls that come in pairs. */
  const pairs = async (everyMilliseconds: number): Promise<void> => {
    for (let passed = 0; passed < 30_000; passed += everyMilliseconds) {
      await call(2);
      await vi.advanceTimersByTimeAsync(everyMilliseconds);
    }
    pool.reap(300_000);
  };

  it('are one when that has time for all of them', async () => {
    machine.milliseconds = 10;
    await pairs(100);
    expect(machine.environments).toBe(1);

    await pairs(100);
    expect(machine.environments).toBe(1);
  });

  it('are two while that would work more than half of its time', async () => {
    machine.milliseconds = 30;
    await pairs(100);

    expect(machine.environments).toBe(2);
  });

  it('are one more at each look that finds each call waiting, up to as many as cores', async () => {
    machine.milliseconds = 10;
    await pairs(100);
    machine.milliseconds = Number.POSITIVE_INFINITY;
    await call(100);
    expect(machine.environments).toBe(1);

    await look();
    expect(machine.environments).toBe(2);

    await look();
    await look();
    expect(machine.environments).toBe(first);
  });

  it('begin with one at once where the last one was lost', async () => {
    machine.milliseconds = 10;
    await call(1);
    machine.isLost = true;
    await vi.advanceTimersByTimeAsync(30_000);
    pool.reap(300_000);
    expect(machine.environments).toBe(0);

    await call(1);
    expect(machine.environments).toBe(1);
  });

  it('are none when nobody called for so long, and begin as at first after a time without calls', async () => {
    machine.milliseconds = 10;
    await pairs(100);
    await vi.advanceTimersByTimeAsync(300_001);
    pool.reap(300_000);
    expect(machine.environments).toBe(0);

    await call(100);
    expect(machine.environments).toBe(first);
  });
});
