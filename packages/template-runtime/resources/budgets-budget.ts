import * as z from 'zod';
import { resourceType } from './resource-type.ts';
import { tags } from './tags.ts';

/** "AWS Budgets API reference", NotificationWithSubscribers: at most 10 email subscribers and one topic. */
const subscribers = z
  .array(
    z.discriminatedUnion('SubscriptionType', [
      z.strictObject({ SubscriptionType: z.literal('EMAIL'), Address: z.email() }),
      z.strictObject({ SubscriptionType: z.literal('SNS'), Address: z.string().startsWith('arn:') }),
    ]),
  )
  .min(1)
  .refine((all) => all.filter(({ SubscriptionType }) => SubscriptionType === 'EMAIL').length <= 10)
  .refine((all) => all.filter(({ SubscriptionType }) => SubscriptionType === 'SNS').length <= 1);

const notification = z.strictObject({
  NotificationType: z.enum(['ACTUAL', 'FORECASTED']),
  ComparisonOperator: z.enum(['GREATER_THAN', 'LESS_THAN', 'EQUAL_TO']),
  Threshold: z.number().positive(),
  ThresholdType: z.enum(['PERCENTAGE', 'ABSOLUTE_VALUE']).optional(),
});

/** Checked, but the local system costs nothing. */
export const budget = resourceType({
  type: 'AWS::Budgets::Budget',
  properties: z.strictObject({
    Budget: z.strictObject({
      BudgetName: z.string().regex(/^[^:\\]{1,100}$/),
      BudgetType: z.literal('COST'),
      TimeUnit: z.enum(['DAILY', 'MONTHLY', 'QUARTERLY', 'ANNUALLY']),
      BudgetLimit: z.strictObject({ Amount: z.number().positive(), Unit: z.literal('USD') }),
    }),
    NotificationsWithSubscribers: z
      .array(z.strictObject({ Notification: notification, Subscribers: subscribers }))
      .max(10)
      .optional(),
    ResourceTags: tags.optional(),
  }),
  deploy: async ({ Budget: { BudgetName } }) => ({ ref: BudgetName }),
});
