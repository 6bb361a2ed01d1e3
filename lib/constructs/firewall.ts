import { Aws } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnLoggingConfiguration, CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import { removalOf } from './removal.ts';
import type { ServiceApi } from './service-api.ts';
import { ServiceKey } from './service-key.ts';

export interface FirewallProps {
  readonly stage: StageConfig;
  /** Requests allowed for one address in five minutes, in all and for each kind of path. */
  readonly limits: NonNullable<StageConfig['firewall']>;
  readonly apis: readonly ServiceApi[];
  /** Whether callers come through a distribution, so that every address belongs to the distribution. */
  readonly isBehindDistribution: boolean;
}

/** Kinds of paths, each with its own limit. Paths begin with the API's stage. */
const paths = {
  'list-events': '/api/v3/ott/events/?$',
  'get-event': '/api/v3/ott/events/[^/]+/?$',
  'get-stream': '/api/v3/ott/events/[^/]+/stream/?$',
  mint: '/api/v1/nft/contracts/[^/]+/mint(/batch)?/?$',
  'user-data': '/user/data/?$',
  'read-user-data': '/user-data/read(/batch)?/?$',
} as const;

/**
 * Rules of the common set that would refuse legitimate input: larger bodies (a function refuses those over its own
 * limit with a clear 413), SVG, HTML or `../` in users' texts, images on plain addresses, and servers without a user
 * agent. They count instead, so that an attack still shows.
 */
const counted = [
  'SizeRestrictions_BODY',
  'CrossSiteScripting_BODY',
  'EC2MetaDataSSRF_BODY',
  'GenericLFI_BODY',
  'GenericRFI_BODY',
  'NoUserAgent_HEADER',
];

/** One web ACL in front of these APIs. */
export class Firewall extends Construct {
  constructor(scope: Construct, id: string, { stage, limits, apis, isBehindDistribution }: FirewallProps) {
    super(scope, id);
    const acl = new CfnWebACL(this, 'Acl', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: visibility('all'),
      associationConfig: { requestBody: { API_GATEWAY: { defaultSizeInspectionLimit: 'KB_64' } } },
      rules: [
        managed(1, 'AWSManagedRulesKnownBadInputsRuleSet'),
        managed(2, 'AWSManagedRulesCommonRuleSet', counted),
        ...(isBehindDistribution
          ? []
          : [managed(0, 'AWSManagedRulesAmazonIpReputationList'), ...ofAddresses(limits)]),
      ],
    });
    for (const { api, stage: deployed } of apis) {
      new CfnWebACLAssociation(this, `${api.node.scope?.node.id}Association`, {
        resourceArn: deployed.stageArn,
        webAclArn: acl.attrArn,
      });
    }
    this.log(stage, acl);
  }

  /** Only refused requests, without the headers that hold secrets. */
  private log(stage: StageConfig, acl: CfnWebACL): void {
    const logGroupName = `aws-waf-logs-marquee-${stage.name}${this.node.id === 'Firewall' ? '' : `-${this.node.id}`}`;
    const logGroup = new LogGroup(this, 'Logs', {
      // WAF delivers only to groups with this prefix.
      logGroupName,
      retention: stage.logRetentionDays,
      encryptionKey: ServiceKey.of(this, stage),
      removalPolicy: removalOf(stage),
    });
    new CfnLoggingConfiguration(this, 'Logging', {
      resourceArn: acl.attrArn,
      logDestinationConfigs: [
        `arn:${Aws.PARTITION}:logs:${Aws.REGION}:${Aws.ACCOUNT_ID}:log-group:${logGroupName}`,
      ],
      redactedFields: ['x-api-key', 'authorization', 'cookie', 'x-origin-verify'].map((name) => ({
        singleHeader: { Name: name },
      })),
      loggingFilter: {
        DefaultBehavior: 'DROP',
        Filters: [
          {
            Behavior: 'KEEP',
            Requirement: 'MEETS_ANY',
            Conditions: [{ ActionCondition: { Action: 'BLOCK' } }],
          },
        ],
      },
    }).node.addDependency(logGroup);
  }
}

/** The limits of one address, in all and for each kind of path. */
function ofAddresses({
  requestsPerAddress,
  requestsPerAddressAndPath,
}: FirewallProps['limits']): CfnWebACL.RuleProperty[] {
  const block = (name: string, priority: number, limit: number, path?: string): CfnWebACL.RuleProperty => ({
    name,
    priority,
    action: { block: {} },
    statement: {
      rateBasedStatement: {
        limit,
        aggregateKeyType: 'IP',
        ...(path !== undefined && {
          scopeDownStatement: {
            regexMatchStatement: {
              fieldToMatch: { uriPath: {} },
              regexString: path,
              textTransformations: [{ priority: 0, type: 'NONE' }],
            },
          },
        }),
      },
    },
    visibilityConfig: visibility(name),
  });
  return [
    block('requests-per-address', 3, requestsPerAddress),
    ...Object.entries(paths).map(([name, path], index) =>
      block(`requests-per-address-${name}`, 4 + index, requestsPerAddressAndPath, path),
    ),
  ];
}

function managed(
  priority: number,
  name: string,
  countedRules: readonly string[] = [],
): CfnWebACL.RuleProperty {
  return {
    name,
    priority,
    overrideAction: { none: {} },
    statement: {
      managedRuleGroupStatement: {
        vendorName: 'AWS',
        name,
        ruleActionOverrides: countedRules.map((rule) => ({ name: rule, actionToUse: { count: {} } })),
      },
    },
    visibilityConfig: visibility(name),
  };
}

function visibility(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: true };
}
