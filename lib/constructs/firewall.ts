import { Aws } from 'aws-cdk-lib';
import { CfnLoggingConfiguration, CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import { serviceLogs } from './encryption.ts';
import type { ServiceApi } from './service-api.ts';
import { stageOf } from './stage.ts';

/** Kinds of paths, each with its own limit. The paths in WAF's rules begin with the name of the API's stage. */
const paths = [
  ['list-events', '/api/v3/ott/events/?$'],
  ['get-event', '/api/v3/ott/events/[^/]+/?$'],
  ['get-stream', '/api/v3/ott/events/[^/]+/stream/?$'],
  ['mint', '/api/v1/nft/contracts/[^/]+/mint(/batch)?/?$'],
  ['user-data', '/user/data/?$'],
  ['read-user-data', '/user-data/read(/batch)?/?$'],
] as const;

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

/**
 * Adds one web ACL in front of several APIs. Behind a CloudFront distribution, WAF sees only the distribution's
 * addresses, so the web ACL then has no rules for single addresses.
 */
export function addFirewall(
  scope: Construct,
  apis: readonly ServiceApi[],
  limits: NonNullable<StageConfig['firewall']>,
  isBehindDistribution = false,
): void {
  const ofAddresses = [
    managed(0, 'AWSManagedRulesAmazonIpReputationList'),
    perAddress(3, 'requests-per-address', limits.requestsPerAddress),
    ...paths.map(([name, path], index) =>
      perAddress(4 + index, `requests-per-address-${name}`, limits.requestsPerAddressAndPath, path),
    ),
  ];
  const acl = new CfnWebACL(scope, 'Acl', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: visibility('all'),
    associationConfig: { requestBody: { API_GATEWAY: { defaultSizeInspectionLimit: 'KB_64' } } },
    rules: [
      managed(1, 'AWSManagedRulesKnownBadInputsRuleSet'),
      managed(2, 'AWSManagedRulesCommonRuleSet', counted),
      ...(isBehindDistribution ? [] : ofAddresses),
    ],
  });
  for (const { api, node } of apis) {
    new CfnWebACLAssociation(scope, `${node.id}Association`, {
      resourceArn: api.deploymentStage.stageArn,
      webAclArn: acl.attrArn,
    });
  }
  // WAF can write only to log groups whose names begin with this prefix.
  const prefix = `aws-waf-logs-marquee-${stageOf(scope).name}`;
  const name = isBehindDistribution ? `${prefix}-${scope.node.id}` : prefix;
  const logs = serviceLogs(scope, 'Logs', name);
  const block = { ActionCondition: { Action: 'BLOCK' } };
  // Logs only requests that WAF has blocked, and redacts the headers that contain secrets.
  new CfnLoggingConfiguration(scope, 'Logging', {
    resourceArn: acl.attrArn,
    logDestinationConfigs: [`arn:${Aws.PARTITION}:logs:${Aws.REGION}:${Aws.ACCOUNT_ID}:log-group:${name}`],
    redactedFields: ['x-api-key', 'authorization', 'cookie', 'x-origin-verify'].map((header) => ({
      singleHeader: { Name: header },
    })),
    loggingFilter: {
      DefaultBehavior: 'DROP',
      Filters: [{ Behavior: 'KEEP', Requirement: 'MEETS_ANY', Conditions: [block] }],
    },
  }).node.addDependency(logs);
}

/** Blocks an address that makes more than `limit` requests in five minutes, in total or to one kind of path. */
function perAddress(priority: number, name: string, limit: number, path?: string): CfnWebACL.RuleProperty {
  const textTransformations = [{ priority: 0, type: 'NONE' }];
  const regexMatchStatement = { fieldToMatch: { uriPath: {} }, regexString: path ?? '', textTransformations };
  const scope = path !== undefined && { scopeDownStatement: { regexMatchStatement } };
  return {
    name,
    priority,
    action: { block: {} },
    statement: { rateBasedStatement: { limit, aggregateKeyType: 'IP', ...scope } },
    visibilityConfig: visibility(name),
  };
}

function managed(priority: number, name: string, countedRules: readonly string[] = []) {
  const ruleActionOverrides = countedRules.map((rule) => ({ name: rule, actionToUse: { count: {} } }));
  return {
    name,
    priority,
    overrideAction: { none: {} },
    statement: { managedRuleGroupStatement: { vendorName: 'AWS', name, ruleActionOverrides } },
    visibilityConfig: visibility(name),
  };
}

function visibility(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: true };
}
