import { budget } from './budgets-budget.ts';
import { alarm } from './cloudwatch-alarm.ts';
import { dashboard } from './cloudwatch-dashboard.ts';
import { computeResources } from './compute-resources.ts';
import { dynamoDbTable } from './dynamodb-table.ts';
import { logGroup } from './logs-log-group.ts';
import { metricFilter } from './logs-metric-filter.ts';
import { subscriptionFilter } from './logs-subscription-filter.ts';
import { messagingAndState } from './messaging-and-state.ts';
import type { ResourceType } from './resource-type.ts';
import { webAclLogging } from './wafv2-logging-configuration.ts';
import { webAcl } from './wafv2-web-acl.ts';
import { webAclAssociation } from './wafv2-web-acl-association.ts';

const all: readonly ResourceType[] = [
  alarm,
  budget,
  dashboard,
  dynamoDbTable,
  logGroup,
  metricFilter,
  subscriptionFilter,
  webAcl,
  webAclAssociation,
  webAclLogging,
  ...computeResources,
  ...messagingAndState,
];

export const resourceTypes: ReadonlyMap<string, ResourceType> = new Map(all.map((each) => [each.type, each]));
