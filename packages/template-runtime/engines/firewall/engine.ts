import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { region } from '../account.ts';
import type { Metrics } from '../metrics/types.ts';
import { RequestRate } from './request-rate.ts';
import type { AggregateKey, Firewalls, WebAcl, WebRequest, WebRule } from './types.ts';

export const createFirewalls = ({
  clock,
  metrics,
}: {
  readonly clock: Clock;
  readonly metrics?: Pick<Metrics, 'put'>;
}): Firewalls => {
  const acls = new Map<string, CountingAcl>();
  const inFrontOf = new Map<string, string>();
  const find = (id: string): CountingAcl | undefined => [...acls.values()].find(({ acl }) => acl.id === id);
  return {
    addAcl: (acl) => {
      acls.set(acl.arn, countingAcl(acl));
    },
    find,
    update: (id, change) => {
      const found = find(id);
      if (found === undefined) throw new Error(`the web ACL ${id} does not exist`);
      acls.set(found.acl.arn, countingAcl({ ...found.acl, ...change }));
    },
    associate: (resourceArn, aclArn) => {
      if (!acls.has(aclArn)) throw new Error(`the web ACL ${aclArn} does not exist`);
      if (inFrontOf.has(resourceArn)) throw new Error(`two web ACLs are in front of ${resourceArn}`);
      inFrontOf.set(resourceArn, aclArn);
    },
    judge: (resourceArn, request) => {
      const found = acls.get(inFrontOf.get(resourceArn) ?? '');
      const now = clock();
      const rule = found?.rules.find((each) => each.blocks(request, now))?.rule;
      if (found === undefined || rule === undefined) return undefined;
      for (const Rule of [rule.metricName, 'ALL']) {
        const dimensions = { WebACL: found.acl.metricName, Rule, Region: region };
        metrics?.put({ namespace: 'AWS/WAFV2', name: 'BlockedRequests', dimensions, value: 1, at: now });
      }
      return { response: rule.response };
    },
  };
};

interface CountingAcl {
  readonly acl: WebAcl;
  readonly lockToken: string;
  readonly rules: ReadonlyArray<{
    readonly rule: WebRule;
    /** Counts a request, and says whether the rule blocks it. */
    blocks(request: WebRequest, now: number): boolean;
  }>;
}

/** WAF evaluates rules in the order of their priorities. The rules after one that blocks do not see the request. */
const countingAcl = (acl: WebAcl): CountingAcl => ({
  acl,
  lockToken: randomUUID(),
  rules: acl.rules
    .toSorted((one, other) => one.priority - other.priority)
    .map((rule) => {
      const { matches, rate } = rule;
      if (rate === undefined) return { rule, blocks: matches };
      const counted = new RequestRate(rate.windowSeconds);
      return {
        rule,
        blocks: (request, now) => {
          if (!matches(request)) return false;
          const instance = instanceOf(rate.keys, request);
          return instance !== undefined && counted.count(instance, now) > rate.limit;
        },
      };
    }),
});

const instanceOf = (keys: readonly AggregateKey[], request: WebRequest): string | undefined => {
  const values = keys.map((key) => (key.kind === 'ip' ? request.sourceIp : request.header(key.name)));
  return values.includes(undefined) ? undefined : JSON.stringify(values);
};
