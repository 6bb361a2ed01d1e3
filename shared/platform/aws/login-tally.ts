import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import type { JudgedToken } from '../auth/access-token.ts';
import { type Clock, systemClock } from '../time/clock.ts';
import { loginMetrics } from '../watched.ts';

/**
 * A function instance writes at most one line in this time: a line for each call would cost more than the call's log.
 */
const betweenLinesMilliseconds = 10_000;

/**
 * Counts tokens in CloudWatch's embedded metric format, with the dimension `service` = `logins`. The first token is
 * written at once, the next ones together. A function instance that ends takes those of the last seconds with it:
 * accepted and refused ones alike, so the share stays right.
 */
export const loginTally = ({
  namespace,
  clock = systemClock,
}: {
  readonly namespace: string;
  readonly clock?: Clock;
}): ((judged: JudgedToken) => void) => {
  const metrics = new Metrics({ namespace, serviceName: 'logins' });
  let judgedTokens = 0;
  let refused = 0;
  let writtenAt = Number.NEGATIVE_INFINITY;
  return (judged) => {
    judgedTokens += 1;
    if (judged === 'refused') refused += 1;
    const now = clock();
    // A clock that was set back is no reason to wait.
    if (writtenAt <= now && now - writtenAt < betweenLinesMilliseconds) return;
    writtenAt = now;
    metrics.addMetric(loginMetrics.judged, MetricUnit.Count, judgedTokens);
    metrics.addMetric(loginMetrics.refused, MetricUnit.Count, refused);
    metrics.publishStoredMetrics();
    judgedTokens = 0;
    refused = 0;
  };
};
