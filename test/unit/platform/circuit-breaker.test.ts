import { describe, expect, it } from 'vitest';
import { type CircuitBreaker, circuitBreaker } from '../../../shared/platform/outside/circuit-breaker.ts';
import { remedy } from '../../support/platform/remedy.ts';

const timeout = () => new DOMException('Too late', 'TimeoutError');

const setUp = ({ probeMilliseconds = 250 } = {}) => {
  const time = { now: 0 };
  const logged: unknown[] = [];
  const gauged: boolean[] = [];
  const asked: string[] = [];
  const log = (_: string, fields: Record<string, unknown> = {}) => logged.push(fields.code);
  const breaker = circuitBreaker({
    service: 'oracle',
    clock: () => time.now,
    logger: { warn: log, info: log },
    gauge: (isOpen) => gauged.push(isOpen),
    probeMilliseconds,
  });
  const ask = (name: string, exchange: () => Promise<string>) =>
    outcomeOf(breaker, async () => {
      asked.push(name);
      return exchange();
    });
  return { time, logged, gauged, asked, ask };
};

const outcomeOf = async (breaker: CircuitBreaker, exchange: () => Promise<string>): Promise<string> => {
  try {
    return await breaker.run(exchange);
  } catch (error) {
    return (error as Error).name;
  }
};

const answers = async () => 'yes';
const hangs = async () => {
  throw timeout();
};
const refuses = async () => {
  throw new Error('no');
};

describe('a circuit breaker', () => {
  it('opens after one time-out, and then rejects calls without calling the service', async () => {
    const { ask, asked, logged } = setUp();

    expect(await ask('first', hangs)).toBe('TimeoutError');
    expect(await ask('second', answers)).toBe('CircuitOpenError');
    expect(await ask('third', answers)).toBe('CircuitOpenError');

    expect(asked).toEqual(['first']);
    expect(logged).toEqual(['CIRCUIT_OPENED']);
  });

  it('allows one call when the clock is set back during the pause', async () => {
    const { ask, time } = setUp();
    time.now = 3_600_000;
    await ask('first', hangs);

    time.now = 0;

    expect(await ask('second', answers)).toBe('yes');
  });

  it('allows one call after the pause, and closes when that call succeeds', async () => {
    const { ask, asked, time, logged } = setUp();
    await ask('first', hangs);

    time.now = 1_999;
    expect(await ask('early', answers)).toBe('CircuitOpenError');
    time.now = 2_000;
    const held = Promise.withResolvers<string>();
    const probe = ask('probe', () => held.promise);
    expect(await ask('beside', answers)).toBe('CircuitOpenError');
    remedy('the-circuit-of-an-outside-service-is-open');
    held.resolve('yes');

    expect(await probe).toBe('yes');
    expect(await ask('after', answers)).toBe('yes');
    expect(asked).toEqual(['first', 'probe', 'after']);
    expect(logged).toEqual(['CIRCUIT_OPENED', 'CIRCUIT_CLOSED']);
  });

  it('stays open when the probing call hangs, logs the outage once and measures it each time', async () => {
    const { ask, time, logged, gauged } = setUp();
    await ask('first', hangs);
    time.now = 2_000;

    expect(await ask('probe', hangs)).toBe('TimeoutError');
    time.now = 3_999;

    expect(await ask('early', answers)).toBe('CircuitOpenError');
    expect(logged).toEqual(['CIRCUIT_OPENED']);
    expect(gauged).toEqual([true, true]);
  });

  it('measures nothing while the service answers, and measures the end of an outage', async () => {
    const { ask, time, gauged } = setUp();
    await ask('sound', answers);
    expect(gauged).toEqual([]);

    await ask('first', hangs);
    time.now = 2_000;
    await ask('probe', answers);

    expect(gauged).toEqual([true, false]);
  });

  it('does not let the caller wait for the probing call, and closes when its response arrives later', async () => {
    const { ask, time } = setUp({ probeMilliseconds: 1 });
    await ask('first', hangs);
    time.now = 2_000;
    const held = Promise.withResolvers<string>();

    expect(await ask('probe', () => held.promise)).toBe('CircuitOpenError');
    held.resolve('yes');
    await held.promise;
    await new Promise(setImmediate);

    expect(await ask('after', answers)).toBe('yes');
  });

  it('probes again if the environment was frozen during a probe', async () => {
    const { ask, time } = setUp({ probeMilliseconds: 1 });
    await ask('first', hangs);
    time.now = 2_000;
    await ask('frozen', () => new Promise(() => {}));
    time.now = 20_000;

    expect(await ask('after', answers)).toBe('yes');
  });

  it('stays closed when the service refuses immediately', async () => {
    const { ask, asked } = setUp();

    expect([await ask('first', refuses), await ask('second', answers)]).toEqual(['Error', 'yes']);
    expect(asked).toEqual(['first', 'second']);
  });
});
