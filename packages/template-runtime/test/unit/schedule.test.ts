import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { machineClock } from '../../clock.ts';
import { createScheduler } from '../../engines/schedule/engine.ts';
import type { ScheduledRule, Scheduler } from '../../engines/schedule/types.ts';

const rule: ScheduledRule = {
  id: 'rule/target',
  arn: 'arn:aws:events:us-east-1:000000000000:rule/rule',
  expression: 'rate(1 minute)',
  enabled: true,
  targetArn: 'arn:aws:lambda:us-east-1:000000000000:function:fn',
};

let scheduler: Scheduler;
let invoked: unknown[];
let measured: unknown[];
let isPermitted: boolean;

const begin = (changes: Partial<ScheduledRule> = {}, permitted = true): void => {
  invoked = [];
  measured = [];
  isPermitted = permitted;
  scheduler = createScheduler({
    lambda: {
      has: (target) => target === rule.targetArn,
      mayInvoke: () => isPermitted,
      enqueue: async (_target, event) => {
        invoked.push(event);
        return true;
      },
    },
    clock: machineClock,
    metrics: { put: (datum) => measured.push(datum) },
  });
  scheduler.add({ ...rule, ...changes });
  scheduler.start();
};

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T12:00:30Z') });
});

afterEach(async () => {
  await scheduler.stop();
  vi.useRealTimers();
});

describe('the scheduler', () => {
  it('stops invoking after the permission was removed, and counts failed invocations of the rule', async () => {
    begin();
    await vi.advanceTimersByTimeAsync(0);
    isPermitted = false;

    await vi.advanceTimersByTimeAsync(60_000);

    expect(invoked).toHaveLength(1);
    expect(measured).toMatchObject([
      { namespace: 'AWS/Events', name: 'FailedInvocations', dimensions: { RuleName: 'rule' }, value: 1 },
    ]);
  });

  it('invokes at once and then at the rate, with the event of EventBridge', async () => {
    begin();

    await vi.advanceTimersByTimeAsync(120_000);

    expect(invoked).toHaveLength(3);
    expect(invoked[1]).toMatchObject({
      version: '0',
      'detail-type': 'Scheduled Event',
      source: 'aws.events',
      account: '000000000000',
      time: '2026-11-20T12:01:30Z',
      region: 'us-east-1',
      resources: [rule.arn],
      detail: {},
    });
  });

  it('keeps its rate when the clock is set back', async () => {
    begin();
    vi.setSystemTime(Date.now() - 3_600_000);

    await vi.advanceTimersByTimeAsync(120_000);

    expect(invoked).toHaveLength(3);
  });

  it('passes the input of the rule to the function', async () => {
    begin({ input: { sweep: true } });

    await vi.advanceTimersByTimeAsync(1_000);

    expect(invoked).toEqual([{ sweep: true }]);
  });

  it('ignores a disabled rule', async () => {
    begin({ enabled: false });

    await vi.advanceTimersByTimeAsync(120_000);

    expect(invoked).toEqual([]);
  });

  it('does not start when the function is missing or cannot be invoked', () => {
    expect(() => begin({ targetArn: `${rule.targetArn}x` })).toThrow('does not exist');
    expect(() => begin({}, false)).toThrow('no AWS::Lambda::Permission');
  });
});
