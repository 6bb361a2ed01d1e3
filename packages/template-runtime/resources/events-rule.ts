import * as z from 'zod';
import { jsonText } from './json-text.ts';
import { physicalName } from './physical-name.ts';
import { resourceType } from './resource-type.ts';
import { tags } from './tags.ts';

const target = z.strictObject({
  Arn: z.string(),
  Id: z.string(),
  Input: jsonText.optional(),
  /** Has no effect: the delivery never fails here, and Lambda itself retries a failed function. */
  RetryPolicy: z
    .strictObject({
      MaximumEventAgeInSeconds: z.number().optional(),
      MaximumRetryAttempts: z.number().optional(),
    })
    .optional(),
});

export const eventsRule = resourceType({
  type: 'AWS::Events::Rule',
  properties: z.strictObject({
    Description: z.string().optional(),
    Name: z.string().optional(),
    ScheduleExpression: z.string(),
    State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
    Tags: tags.optional(),
    Targets: z.array(target).max(5).default([]),
  }),
  deploy: async (rule, context) => {
    const name = rule.Name ?? physicalName(context, 64);
    const arn = `arn:aws:events:${context.region}:${context.accountId}:rule/${name}`;
    for (const { Arn, Id, Input } of rule.Targets) {
      context.engines.schedule.add({
        id: `${name}/${Id}`,
        arn,
        expression: rule.ScheduleExpression,
        enabled: rule.State === 'ENABLED',
        targetArn: Arn,
        ...(Input !== undefined && { input: Input }),
      });
    }
    return { ref: name, attributes: { Arn: arn } };
  },
});
