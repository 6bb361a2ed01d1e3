import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { accountId, region } from '../account.ts';
import type { Identities } from '../iam/engine.ts';
import type { LambdaEngine } from '../lambda/engine.ts';
import { parseSchedule, type Recurrence } from './expression.ts';

/** One target of a rule or schedule. */
export interface ScheduledRule {
  readonly id: string;
  readonly arn: string;
  /** `rate(1 minute)`, `cron(0 12 * * ? *)` or `at(2026-11-20T10:00:00)`, in UTC. */
  readonly expression: string;
  readonly enabled: boolean;
  /** ARN of a function. */
  readonly targetArn: string;
  /** What the target is given; EventBridge's own event when absent. */
  readonly input?: unknown;
  /** Who invokes: the service, by a resource policy, or a role. */
  readonly invokedAs: { readonly principal: string } | { readonly roleArn: string };
}

/** What stands in for EventBridge rules and EventBridge Scheduler. */
export interface Scheduler {
  /** Throws on an expression that it cannot read. */
  add(rule: ScheduledRule): void;
  /**
   * Begins to count; to be called when everything is deployed. What recurs at a rate is due at once, as on AWS after
   * its creation. Throws when a target is missing or may not be invoked.
   */
  start(): void;
  stop(): Promise<void>;
}

export interface SchedulerOptions {
  readonly lambda: Pick<LambdaEngine, 'enqueue' | 'has' | 'mayInvoke'>;
  readonly identities: Pick<Identities, 'authorizeRole'>;
  readonly clock: Clock;
}

/** A timer holds 2^31 ms at most, and a machine may have slept: no wait is longer than this. */
const longestWaitMilliseconds = 60_000;

export const createScheduler = (options: SchedulerOptions): Scheduler => {
  const { lambda, clock } = options;
  const rules: Array<{ readonly rule: ScheduledRule; readonly recurrence: Recurrence }> = [];
  const timers = new Map<string, NodeJS.Timeout>();

  const fire = (rule: ScheduledRule): void => {
    lambda.enqueue(rule.targetArn, rule.input ?? scheduledEvent(rule, clock()));
  };

  const wait = (rule: ScheduledRule, recurrence: Recurrence, due: number | undefined): void => {
    if (due === undefined) return;
    const timer = setTimeout(
      () => {
        const now = clock();
        if (now < due) {
          wait(rule, recurrence, due);
          return;
        }
        fire(rule);
        wait(rule, recurrence, recurrence(now));
      },
      Math.min(Math.max(due - clock(), 0), longestWaitMilliseconds),
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
        const now = clock();
        wait(rule, recurrence, rule.expression.startsWith('rate(') ? now : recurrence(now));
      }
    },
    stop: async () => {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
};

const check = (
  { id, arn, targetArn, invokedAs }: ScheduledRule,
  { lambda, identities }: SchedulerOptions,
): void => {
  if (!lambda.has(targetArn)) throw new Error(`${id}: there is no function ${targetArn}`);
  if ('roleArn' in invokedAs) {
    const decision = identities.authorizeRole({
      roleArn: invokedAs.roleArn,
      sessionName: id,
      action: 'lambda:InvokeFunction',
      resources: [targetArn],
    });
    if (!decision.allowed) throw new Error(`${id}: ${decision.message}`);
  } else if (!lambda.mayInvoke({ target: targetArn, principal: invokedAs.principal, sourceArn: arn })) {
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
