import type { Clock } from '../../clock.ts';
import { region } from '../account.ts';
import type { Metrics } from '../metrics/types.ts';
import { RequestRate } from './request-rate.ts';
import type { AggregateKey, Firewalls, RateRule, WebAcl, WebRequest } from './types.ts';

export const createFirewalls = ({
  clock,
  metrics,
}: {
  readonly clock: Clock;
  readonly metrics?: Pick<Metrics, 'put'>;
}): Firewalls => {
  const acls = new Map<string, CountingAcl>();
  const inFrontOf = new Map<string, CountingAcl>();
  return {
    addAcl: (acl) => {
      acls.set(acl.arn, countingAcl(acl));
    },
    associate: (resourceArn, aclArn) => {
      const acl = acls.get(aclArn);
      if (acl === undefined) throw new Error(`the web ACL ${aclArn} does not exist`);
      if (inFrontOf.has(resourceArn)) throw new Error(`two web ACLs are in front of ${resourceArn}`);
      inFrontOf.set(resourceArn, acl);
    },
    judge: (resourceArn, request) => {
      const acl = inFrontOf.get(resourceArn);
      const now = clock();
      const rule = acl?.rules.find((each) => each.exceeds(request, now))?.rule;
      if (acl === undefined || rule === undefined) return undefined;
      for (const Rule of [rule.metricName, 'ALL']) {
        const dimensions = { WebACL: acl.metricName, Rule, Region: region };
        metrics?.put({ namespace: 'AWS/WAFV2', name: 'BlockedRequests', dimensions, value: 1, at: now });
      }
      return { response: rule.response };
    },
  };
};

interface CountingAcl {
  readonly metricName: string;
  readonly rules: ReadonlyArray<{
    readonly rule: RateRule;
    /** Counts a request, and says whether the rule blocks it. */
    exceeds(request: WebRequest, now: number): boolean;
  }>;
}

/** WAF evaluates rules in the order of their priorities. The rules after one that blocks do not see the request. */
const countingAcl = ({ metricName, rules }: WebAcl): CountingAcl => ({
  metricName,
  rules: [...rules]
    .sort((a, b) => a.priority - b.priority)
    .map((rule) => {
      const rate = new RequestRate(rule.windowSeconds);
      return {
        rule,
        exceeds: (request, now) => {
          if (rule.path !== undefined && !rule.path.test(request.uriPath)) return false;
          const instance = instanceOf(rule.keys, request);
          return instance !== undefined && rate.count(instance, now) > rule.limit;
        },
      };
    }),
});

const instanceOf = (keys: readonly AggregateKey[], request: WebRequest): string | undefined => {
  const values = keys.map((key) => (key.kind === 'ip' ? request.sourceIp : request.header(key.name)));
  return values.includes(undefined) ? undefined : JSON.stringify(values);
};
