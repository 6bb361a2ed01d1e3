import * as z from 'zod';
import { arn } from '../../engines/account.ts';
import type { Scheduler } from '../../engines/schedule/types.ts';
import type { Call } from '../call.ts';
import { jsonOperation, jsonService } from '../json-protocol.ts';

const ruleReference = z.object({ Name: z.string() });

/** EventBridge's rules on the default bus. */
export const eventsService = (schedule: Pick<Scheduler, 'isEnabled' | 'setEnabled'>) => {
  const ruleArn = (action: string, name: string, call: Call): string => {
    const found = arn('events', `rule/${name}`);
    call.allow(action, found);
    return found;
  };
  const changing = (action: string, isEnabled: boolean) =>
    jsonOperation(ruleReference, ({ Name }, call) => {
      schedule.setEnabled(ruleArn(action, Name, call), isEnabled);
    });
  return jsonService({
    DisableRule: changing('events:DisableRule', false),
    EnableRule: changing('events:EnableRule', true),
    DescribeRule: jsonOperation(ruleReference, ({ Name }, call) => {
      const Arn = ruleArn('events:DescribeRule', Name, call);
      return { Name, Arn, State: schedule.isEnabled(Arn) ? 'ENABLED' : 'DISABLED' };
    }),
  });
};
