import { availableParallelism } from 'node:os';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EnvironmentOptions } from '../../engines/lambda/execution-environment.ts';
import { FunctionPool } from '../../engines/lambda/function-pool.ts';

const machine = vi.hoisted(() => ({ environments: 0, utilization: 0.5, idleShare: 0 }));

vi.mock('../../engines/lambda/idle-share.ts', () => ({ idleShareFromNow: () => () => machine.idleShare }));

/** Each serves its first call for ever. */
vi.mock('../../engines/lambda/execution-environment.ts', () => ({
  ExecutionEnvironment: class {
    readonly hasEnded = false;
    readonly ready = Promise.resolve(undefined);
    constructor() {
      machine.environments += 1;
    }
    utilization = () => machine.utilization;
    run = () => new Promise(() => {});
    terminate = async () => {};
  },
}));

const first = availableParallelism();
const look = () => vi.advanceTimersByTimeAsync(300);

let pool: FunctionPool;

const call = async (times: number): Promise<void> => {
  for (let count = 0; count < times; count += 1) void pool.run({ requestId: String(count), event: '{}' });
  await vi.advanceTimersByTimeAsync(0);
};

beforeEach(() => {
  vi.useFakeTimers();
  Object.assign(machine, { environments: 0, utilization: 0.5, idleShare: 0 });
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
    for (let count = 0; count < 10; count += 1) await look();

    expect(machine.environments).toBe(first);
  });

  it('become no more for a moment in which all wait for one, such as a chain that mines a block', async () => {
    await call(100);
    for (const idleShare of [0.4, 0.1, 0.4, 0, 0.4, 0.12]) {
      machine.idleShare = idleShare;
      await look();
    }

    expect(machine.environments).toBe(first);
  });

  it('become more, one after the other, on a machine that goes on having time', async () => {
    await call(100);
    machine.idleShare = 0.4;
    await look();
    await look();
    expect(machine.environments).toBe(first + 1);

    await look();
    expect(machine.environments).toBe(first + 2);
  });

  it('need two looks again after a time in which no call waited', async () => {
    await call(first + 1);
    machine.idleShare = 0.4;
    await look();
    await look();
    expect(machine.environments).toBe(first + 1);

    await call(1);
    await look();
    expect(machine.environments).toBe(first + 1);

    await look();
    expect(machine.environments).toBe(first + 2);
  });

  it('are doubled at the first look that finds each of them waiting', async () => {
    await call(100);
    machine.utilization = 0.01;
    await look();

    expect(machine.environments).toBe(2 * first);
  });
});
