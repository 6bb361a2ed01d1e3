import { randomUUID } from 'node:crypto';
import type { EngineClock } from '../../clock.ts';
import { accountId, region } from '../account.ts';
import type { LambdaEngine } from '../lambda/types.ts';
import type { Metrics } from '../metrics/types.ts';
import { ServiceFault } from '../service-fault.ts';
import { parseSchedule, type Recurrence } from './expression.ts';
import type { ScheduledRule, Scheduler } from './types.ts';

export interface SchedulerOptions {
  readonly lambda: Pick<LambdaEngine, 'enqueue' | 'has' | 'mayInvoke'>;
  readonly clock: EngineClock;
  readonly metrics?: Pick<Metrics, 'put'>;
}

/**
 * The longest time for which one timer is set. A longer wait is split into several timers, because a timer cannot be
 * set for more than 2^31 ms, and may be late if the machine sleeps meanwhile.
 */
const longestWaitMilliseconds = 60_000;

export const createScheduler = (options: SchedulerOptions): Scheduler => {
  const { lambda, clock, metrics } = options;
  const rules: Array<{ readonly rule: ScheduledRule; readonly recurrence: Recurrence }> = [];
  const cancels = new Map<string, () => void>();
  /** By the rule's ARN. */
  const states = new Map<string, boolean>();
  const isOn = (arn: string): boolean => states.get(arn) === true;

  const known = (arn: string): void => {
    if (states.has(arn)) return;
    const name = arn.slice(arn.lastIndexOf('/') + 1);
    throw new ServiceFault({
      code: 'ResourceNotFoundException',
      message: `Rule ${name} does not exist on EventBus default.`,
    });
  };

  const fire = (rule: ScheduledRule): void => {
    const { targetArn: target, arn: sourceArn } = rule;
    if (!lambda.mayInvoke({ target, principal: 'events.amazonaws.com', sourceArn })) {
      const dimensions = { RuleName: sourceArn.slice(sourceArn.lastIndexOf('/') + 1) };
      metrics?.put({
        namespace: 'AWS/Events',
        name: 'FailedInvocations',
        dimensions,
        value: 1,
        at: clock.now(),
      });
      return;
    }
    void lambda.enqueue(rule.targetArn, rule.input ?? scheduledEvent(rule, clock.now()));
  };

  // Waits by the monotonic clock, so that a rule is not late when the machine's clock is set back.
  const wait = (rule: ScheduledRule, recurrence: Recurrence, due: number): void => {
    const cancel = clock.after(Math.min(Math.max(due - clock.elapsed(), 0), longestWaitMilliseconds), () => {
      const now = clock.elapsed();
      if (now < due) {
        wait(rule, recurrence, due);
        return;
      }
      if (isOn(rule.arn)) fire(rule);
      wait(rule, recurrence, recurrence(now));
    });
    cancels.set(rule.id, cancel);
  };

  return {
    add: (rule) => {
      rules.push({ rule, recurrence: parseSchedule(rule.expression) });
      states.set(rule.arn, rule.enabled);
    },
    isEnabled: (arn) => {
      known(arn);
      return isOn(arn);
    },
    setEnabled: (arn, isEnabled) => {
      known(arn);
      states.set(arn, isEnabled);
    },
    start: () => {
      for (const { rule } of rules) check(rule, options);
      for (const { rule, recurrence } of rules) {
        wait(rule, recurrence, clock.elapsed());
      }
    },
    stop: async () => {
      for (const cancel of cancels.values()) cancel();
      cancels.clear();
    },
  };
};

const check = ({ id, arn, targetArn }: ScheduledRule, { lambda }: SchedulerOptions): void => {
  if (!lambda.has(targetArn)) throw new Error(`${id}: the function ${targetArn} does not exist`);
  if (!lambda.mayInvoke({ target: targetArn, principal: 'events.amazonaws.com', sourceArn: arn })) {
    throw new Error(`${id}: no AWS::Lambda::Permission lets ${arn} invoke ${targetArn}`);
  }
};

const scheduledEvent = ({ arn }: ScheduledRule, now: number) => ({
  version: '0',
  id: randomUUID(),
  'detail-type': 'Scheduled Event',
  source: 'aws.events',
  account: accountId,
  time: `${new Date(now).toISOString().slice(0, 19)}Z`,
  region,
  resources: [arn],
  detail: {},
});
