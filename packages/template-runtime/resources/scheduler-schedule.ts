import * as z from 'zod';
import { jsonText } from './json-text.ts';
import { physicalName } from './physical-name.ts';
import { resourceType } from './resource-type.ts';

export const schedulerSchedule = resourceType({
  type: 'AWS::Scheduler::Schedule',
  properties: z.strictObject({
    Description: z.string().optional(),
    /** A window only spreads load: locally every schedule fires at its time. */
    FlexibleTimeWindow: z.strictObject({
      Mode: z.enum(['OFF', 'FLEXIBLE']),
      MaximumWindowInMinutes: z.number().optional(),
    }),
    Name: z.string().optional(),
    ScheduleExpression: z.string(),
    ScheduleExpressionTimezone: z.enum(['UTC', 'Etc/UTC']).optional(),
    State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
    Target: z.strictObject({
      Arn: z.string(),
      Input: jsonText.optional(),
      /** Of the delivery, which never fails here; failures of the function are Lambda's to repeat. */
      RetryPolicy: z
        .strictObject({
          MaximumEventAgeInSeconds: z.number().optional(),
          MaximumRetryAttempts: z.number().optional(),
        })
        .optional(),
      RoleArn: z.string(),
    }),
  }),
  deploy: async ({ Name, ScheduleExpression, State, Target }, context) => {
    const name = Name ?? physicalName(context, 64);
    const arn = `arn:aws:scheduler:${context.region}:${context.accountId}:schedule/default/${name}`;
    if (!context.engines.identities.trusts(Target.RoleArn, 'scheduler.amazonaws.com', arn)) {
      throw new Error(
        'The execution role you provide must allow AWS EventBridge Scheduler to assume the role.',
      );
    }
    context.engines.schedule.add({
      id: name,
      arn,
      expression: ScheduleExpression,
      enabled: State === 'ENABLED',
      targetArn: Target.Arn,
      invokedAs: { roleArn: Target.RoleArn },
      ...(Target.Input !== undefined && { input: Target.Input }),
    });
    return { ref: name, attributes: { Arn: arn } };
  },
});
