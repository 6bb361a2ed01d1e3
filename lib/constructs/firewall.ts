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
  /** Requests that one address may make in five minutes. */
  readonly requestsPerAddress: number;
  readonly apis: readonly ServiceApi[];
}

/**
 * Rules of the common set that would refuse what callers may send: larger bodies (a function refuses those over its
 * own limit with a 413 that says so), SVG, HTML or `../` in what people write of themselves, images on plain addresses,
 * and servers that name no agent. They are counted, so that an attack still shows.
 */
const counted = [
  'SizeRestrictions_BODY',
  'CrossSiteScripting_BODY',
  'EC2MetaDataSSRF_BODY',
  'GenericLFI_BODY',
  'GenericRFI_BODY',
  'NoUserAgent_HEADER',
];

/** One web ACL in front of every API. */
export class Firewall extends Construct {
  constructor(scope: Construct, id: string, { stage, requestsPerAddress, apis }: FirewallProps) {
    super(scope, id);
    const acl = new CfnWebACL(this, 'Acl', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: visibility('all'),
      associationConfig: { requestBody: { API_GATEWAY: { defaultSizeInspectionLimit: 'KB_64' } } },
      rules: [
        managed(0, 'AWSManagedRulesAmazonIpReputationList'),
        managed(1, 'AWSManagedRulesKnownBadInputsRuleSet'),
        managed(2, 'AWSManagedRulesCommonRuleSet', counted),
        {
          name: 'requests-per-address',
          priority: 3,
          action: { block: {} },
          statement: { rateBasedStatement: { limit: requestsPerAddress, aggregateKeyType: 'IP' } },
          visibilityConfig: visibility('requests-per-address'),
        },
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

  /** Refused requests only, without the headers that hold secrets. */
  private log(stage: StageConfig, acl: CfnWebACL): void {
    const logGroup = new LogGroup(this, 'Logs', {
      // WAF delivers to groups of this prefix only.
      logGroupName: `aws-waf-logs-marquee-${stage.name}`,
      retention: stage.logRetentionDays,
      encryptionKey: ServiceKey.of(this, stage),
      removalPolicy: removalOf(stage),
    });
    new CfnLoggingConfiguration(this, 'Logging', {
      resourceArn: acl.attrArn,
      logDestinationConfigs: [
        `arn:${Aws.PARTITION}:logs:${Aws.REGION}:${Aws.ACCOUNT_ID}:log-group:aws-waf-logs-marquee-${stage.name}`,
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
