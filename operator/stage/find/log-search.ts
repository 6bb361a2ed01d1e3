import type { Clock } from '../../../shared/platform/time/clock.ts';
import type { Target } from '../../platform/target/target.ts';

/** Returns the command that searches the logs for a text, and its cost. */
export type LogSearch = (text: string) => { readonly command: string; readonly cost: string };

/** US dollars for each gigabyte that Logs Insights scans in us-east-1 ("Amazon CloudWatch Pricing"). */
const dollarsPerGigabyte = '0.005';

const daySeconds = 24 * 60 * 60;

/**
 * On AWS, the log groups are named by a prefix of their names ("CloudWatch Logs Insights query syntax: SOURCE"):
 * CloudFormation makes the names, and they begin with that of the stack.
 */
export const logSearchOf =
  ({ stage, isLocal }: Pick<Target, 'stage' | 'isLocal'>, clock: Clock): LogSearch =>
  (text) => {
    if (isLocal) return { command: `grep -r '${text}' .local/logs`, cost: 'nothing' };
    const now = Math.ceil(clock() / 1_000);
    return {
      command: `aws logs start-query --start-time ${now - daySeconds} --end-time ${now} --query-string "SOURCE logGroups(namePrefix: ['Marquee-${stage}-']) | filter @message like '${text}'"`,
      cost: `$${dollarsPerGigabyte} for each GB of logs of the last day, the time range that is searched`,
    };
  };
