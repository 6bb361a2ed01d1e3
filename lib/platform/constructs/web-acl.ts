import { Aws } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnLoggingConfiguration, CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { originVerifyHeader } from '../../../shared/platform/origin-verify.ts';
import { watchTogether } from './alarm.ts';
import type { ServiceApi } from './service-api.ts';
import { serviceLogs } from './service-logs.ts';
import { stageOf } from './stage.ts';

/**
 * These rules of AWS's common rule set only count, because they would refuse legitimate requests: large bodies (a
 * function responds with a clear 413), users' texts with SVG, HTML or `../`, image URLs with an IP address, and servers
 * that send no `User-Agent`. An attack still shows in the metrics of these rules.
 */
const counted = [
  'SizeRestrictions_BODY',
  'CrossSiteScripting_BODY',
  'EC2MetaDataSSRF_BODY',
  'GenericLFI_BODY',
  'GenericRFI_BODY',
  'NoUserAgent_HEADER',
];

export interface WebAclProps {
  readonly apis: readonly ServiceApi[];
  /** The name of the log group. WAF can write only to groups whose names begin with `aws-waf-logs-`. */
  readonly logGroupName: string;
  /** Apart from AWS's rules on the contents of requests, which have the priorities 1 and 2. */
  readonly rules: readonly CfnWebACL.RuleProperty[];
  /** The rules of Marquee's own. More than a thousand requests that they block in five minutes set off an alarm. */
  readonly ownRules: readonly CfnWebACL.RuleProperty[];
  /** Says what goes wrong when one of the own rules blocks many requests. `names` are the rules. */
  readonly whatGoesWrong: (names: string) => string;
  readonly customResponseBodies?: CfnWebACL['customResponseBodies'];
}

/** Adds a web ACL in front of several APIs. */
export function addWebAcl(scope: Construct, props: WebAclProps): CfnWebACL {
  const metricName = `marquee-${stageOf(scope).name}-${scope.node.id}`;
  const acl = new CfnWebACL(scope, 'Acl', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: visibility(metricName),
    ...(props.customResponseBodies && { customResponseBodies: props.customResponseBodies }),
    associationConfig: { requestBody: { API_GATEWAY: { defaultSizeInspectionLimit: 'KB_64' } } },
    rules: [
      managedRule(1, 'AWSManagedRulesKnownBadInputsRuleSet'),
      managedRule(2, 'AWSManagedRulesCommonRuleSet', counted),
      ...props.rules,
      ...props.ownRules,
    ],
  });
  watchTogether(scope, 'Refused', {
    label: 'refused requests',
    metrics: props.ownRules.map(({ name }) => ({ of: name, metric: blockedBy(metricName, name) })),
    // In five minutes.
    threshold: 1_000,
    whatGoesWrong: props.whatGoesWrong,
    runbook: 'the-firewall-refuses-requests',
    severity: 'ticket',
  });
  for (const { api, node } of props.apis) {
    new CfnWebACLAssociation(scope, `${node.id}Association`, {
      resourceArn: api.deploymentStage.stageArn,
      webAclArn: acl.attrArn,
    });
  }
  const { logGroupName } = props;
  const logs = serviceLogs(scope, 'Logs', logGroupName);
  const block = { ActionCondition: { Action: 'BLOCK' } };
  // Logs only requests that WAF has blocked, and redacts the headers that contain secrets.
  new CfnLoggingConfiguration(scope, 'Logging', {
    resourceArn: acl.attrArn,
    logDestinationConfigs: [
      `arn:${Aws.PARTITION}:logs:${Aws.REGION}:${Aws.ACCOUNT_ID}:log-group:${logGroupName}`,
    ],
    redactedFields: ['x-api-key', 'authorization', 'cookie', originVerifyHeader].map((header) => ({
      singleHeader: { Name: header },
    })),
    loggingFilter: {
      DefaultBehavior: 'DROP',
      Filters: [{ Behavior: 'KEEP', Requirement: 'MEETS_ANY', Conditions: [block] }],
    },
  }).node.addDependency(logs);
  return acl;
}

/** The requests that a rule has blocked. */
function blockedBy(webAcl: string, rule: string): Metric {
  return new Metric({
    namespace: 'AWS/WAFV2',
    metricName: 'BlockedRequests',
    dimensionsMap: { WebACL: webAcl, Rule: rule, Region: Aws.REGION },
    statistic: 'Sum',
  });
}

export function managedRule(priority: number, name: string, countedRules: readonly string[] = []) {
  const ruleActionOverrides = countedRules.map((rule) => ({ name: rule, actionToUse: { count: {} } }));
  return {
    name,
    priority,
    overrideAction: { none: {} },
    statement: { managedRuleGroupStatement: { vendorName: 'AWS', name, ruleActionOverrides } },
    visibilityConfig: visibility(name),
  };
}

export function visibility(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: true };
}
