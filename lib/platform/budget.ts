import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Construct } from 'constructs';
import { allAddresses } from '../../config/alarm-emails.ts';
import { stageOf } from './constructs/stage.ts';

/** A day that costs a tenth of the month's budget is not an ordinary one. */
const shareOfADay = 0.1;

/**
 * Sends an email when the account's costs of a day or of a month are high, or will be. AWS counts costs a few times a
 * day. A budget cannot count one stack's costs alone, unless somebody has activated its tag for the account.
 */
export function addBudgets(scope: Construct): void {
  const { monthlyBudget, alarmEmails } = stageOf(scope);
  if (typeof monthlyBudget !== 'number') return;
  const subscribers = allAddresses(alarmEmails).map((address) => ({ subscriptionType: 'EMAIL', address }));
  const told = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number) => ({
    notification: { notificationType, threshold, comparisonOperator: 'GREATER_THAN' },
    subscribers,
  });
  const add = (
    timeUnit: 'DAILY' | 'MONTHLY',
    amount: number,
    notifications: CfnBudget.NotificationWithSubscribersProperty[],
  ) =>
    new CfnBudget(scope, timeUnit === 'DAILY' ? 'Daily' : 'Monthly', {
      // Without a name: every change of the notifications replaces the budget, and CloudFormation makes the new one
      // before it deletes the old one, so both cannot have the same name.
      budget: { budgetType: 'COST', timeUnit, budgetLimit: { amount, unit: 'USD' } },
      notificationsWithSubscribers: notifications,
    });
  add('DAILY', monthlyBudget * shareOfADay, [told('ACTUAL', 100)]);
  add('MONTHLY', monthlyBudget, [told('ACTUAL', 80), told('FORECASTED', 100)]);
}
