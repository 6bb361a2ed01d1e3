import { randomUUID } from 'node:crypto';
import { type Clock, monotonicClock } from '../../clock.ts';
import { accountId, region } from '../account.ts';
import type { LambdaEngine } from '../lambda/types.ts';
import { parseSchedule, type Recurrence } from './expression.ts';
import type { ScheduledRule, Scheduler } from './types.ts';

export interface SchedulerOptions {
  readonly lambda: Pick<LambdaEngine, 'enqueue' | 'has' | 'mayInvoke'>;
  readonly clock: Clock;
}

/**
 * The longest time for which one timer is set. A longer wait is split into several timers, because a timer cannot be
 * set for more than 2^31 ms, and may be late if the machine sleeps meanwhile.
 */
const longestWaitMilliseconds = 60_000;

export const createScheduler = (options: SchedulerOptions): Scheduler => {
  const { lambda, clock } = options;
  const rules: Array<{ readonly rule: ScheduledRule; readonly recurrence: Recurrence }> = [];
  const timers = new Map<string, NodeJS.Timeout>();

  const fire = (rule: ScheduledRule): void => {
    void lambda.enqueue(rule.targetArn, rule.input ?? scheduledEvent(rule, clock()));
  };

  // Waits by the monotonic clock, so that a rule is not late when the machine's clock is set back.
  const wait = (rule: ScheduledRule, recurrence: Recurrence, due: number): void => {
    const timer = setTimeout(
      () => {
        const now = monotonicClock();
        if (now < due) {
          wait(rule, recurrence, due);
          return;
        }
        fire(rule);
        wait(rule, recurrence, recurrence(now));
      },
      Math.min(Math.max(due - monotonicClock(), 0), longestWaitMilliseconds),
    );
    timers.set(rule.id, timer);
  };

  return {
    add: (rule) => {
      rules.push({ rule, recurrence: parseSchedule(rule.expression) });
    },
    start: () => {
      for (const { rule } of rules) check(rule, options);
      for (const { rule, recurrence } of rules.filter(({ rule: { enabled } }) => enabled)) {
        wait(rule, recurrence, monotonicClock());
      }
    },
    stop: async () => {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
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
