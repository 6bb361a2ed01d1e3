import { Aws } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnLoggingConfiguration, CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import type { StageConfig } from '../../../config/stage.ts';
import { ServiceAlarm } from './alarm.ts';
import { serviceLogs } from './encryption.ts';
import { corsHeaders } from './gateway-answers.ts';
import { idOf } from './marquee-function.ts';
import type { ServiceApi } from './service-api.ts';
import { stageOf } from './stage.ts';

/** Kinds of paths that need no API key, each with its own limit. The paths begin with the name of the API's stage. */
const paths = [
  ['list-events', '/api/v3/ott/events/?$'],
  ['get-event', '/api/v3/ott/events/[^/]+/?$'],
  ['get-stream', '/api/v3/ott/events/[^/]+/stream/?$'],
  ['user-data', '/user/data/?$'],
] as const;

/** Kinds of paths that need an API key. Each key has its own limit, because customers can share an address. */
const pathsWithKey = [
  ['mint', '/api/v1/nft/contracts/[^/]+/mint(/batch)?/?$'],
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

const tooMany = 'too-many-requests';

/**
 * The response to a request above a limit. It replaces the gateway's own response, so it has the same body and headers.
 * The rate is that of the last five minutes. After half a minute without requests, a client that was slightly above its
 * limit is below it.
 */
const tooManyRequests: CfnWebACL.CustomResponseProperty = {
  responseCode: 429,
  customResponseBodyKey: tooMany,
  responseHeaders: Object.entries({ ...corsHeaders, 'Cache-Control': 'no-store', 'Retry-After': '30' }).map(
    ([name, value]) => ({ name, value }),
  ),
};

/**
 * Adds one web ACL in front of several APIs. Behind a CloudFront distribution, WAF sees only the distribution's
 * addresses, so the web ACL then has no rules for single addresses.
 */
export function addFirewall(
  scope: Construct,
  apis: readonly ServiceApi[],
  atMost: NonNullable<StageConfig['firewall']>,
  isBehindDistribution = false,
): void {
  const limits = [
    rateRule(3, { name: 'requests-per-address', limit: atMost.requestsPerAddress }),
    ...paths.map(([name, path], index) =>
      rateRule(4 + index, {
        name: `requests-per-address-${name}`,
        limit: atMost.requestsPerAddressAndPath,
        path,
      }),
    ),
    // Keys that nobody checked are counted here, so each key is counted together with its address. The rule for the
    // whole address still limits an address that makes up new keys.
    ...pathsWithKey.map(([name, path], index) =>
      rateRule(4 + paths.length + index, {
        name: `requests-per-key-${name}`,
        limit: atMost.requestsPerKeyAndPath,
        path,
        isPerKey: true,
      }),
    ),
  ];
  const metricName = `marquee-${stageOf(scope).name}-${scope.node.id}`;
  const acl = new CfnWebACL(scope, 'Acl', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: visibility(metricName),
    customResponseBodies: {
      [tooMany]: {
        contentType: 'APPLICATION_JSON',
        content: JSON.stringify({ status: 429, message: 'TOO_MANY_REQUESTS' }),
      },
    },
    associationConfig: { requestBody: { API_GATEWAY: { defaultSizeInspectionLimit: 'KB_64' } } },
    rules: [
      managed(1, 'AWSManagedRulesKnownBadInputsRuleSet'),
      managed(2, 'AWSManagedRulesCommonRuleSet', counted),
      ...(isBehindDistribution ? [] : [managed(0, 'AWSManagedRulesAmazonIpReputationList'), ...limits]),
    ],
  });
  if (!isBehindDistribution) {
    for (const { name } of limits) {
      new ServiceAlarm(scope, idOf(name), {
        metric: blockedBy(metricName, name),
        // In five minutes.
        threshold: 1_000,
        whatGoesWrong: `The firewall's rule ${name} answers 429 to callers above its limit: an attack, or customers or viewers who cannot call.`,
        runbook: 'the-firewall-refuses-requests',
      });
    }
  }
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

interface RateLimit {
  readonly name: string;
  /** The number of requests in five minutes. */
  readonly limit: number;
  /** @default all paths */
  readonly path?: string;
  /** Whether the requests of each API key of an address are counted separately. @default false */
  readonly isPerKey?: boolean;
}

/** Blocks requests above a limit, of one address or of one API key at one address. */
function rateRule(priority: number, { name, limit, path, isPerKey = false }: RateLimit) {
  const textTransformations = [{ priority: 0, type: 'NONE' }];
  const regexMatchStatement = { fieldToMatch: { uriPath: {} }, regexString: path ?? '', textTransformations };
  const counted = isPerKey
    ? {
        aggregateKeyType: 'CUSTOM_KEYS',
        customKeys: [{ ip: {} }, { header: { name: 'x-api-key', textTransformations } }],
      }
    : { aggregateKeyType: 'IP' };
  return {
    name,
    priority,
    action: { block: { customResponse: tooManyRequests } },
    statement: {
      rateBasedStatement: {
        limit,
        ...counted,
        ...(path !== undefined && { scopeDownStatement: { regexMatchStatement } }),
      },
    },
    visibilityConfig: visibility(name),
  };
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
