import * as z from 'zod';
import { aclDefinition, rulesOf } from '../engines/firewall/definition.ts';
import { resourceType } from './resource-type.ts';
import { tags } from './tags.ts';

export const webAcl = resourceType({
  type: 'AWS::WAFv2::WebACL',
  // WAF's own calls show and replace the definition as it was written.
  properties: z.looseObject({ Tags: tags.default([]) }).transform(({ Tags, ...written }, context) => {
    const parsed = aclDefinition.safeParse(written);
    if (parsed.success) return { Tags, written, definition: parsed.data };
    for (const issue of parsed.error.issues) context.addIssue({ ...issue, code: 'custom' });
    return z.NEVER;
  }),
  deploy: async (
    { Tags, written, definition },
    { engines, stackName, logicalId, partition, region, accountId },
  ) => {
    const name = definition.Name ?? `${stackName}-${logicalId}`;
    const arn = `arn:${partition}:wafv2:${region}:${accountId}:regional/webacl/${name}/${logicalId}`;
    engines.firewalls.addAcl({
      arn,
      id: logicalId,
      name,
      metricName: definition.VisibilityConfig.MetricName,
      written,
      tags: Object.fromEntries(Tags.map(({ Key, Value }) => [Key, Value])),
      rules: rulesOf(definition),
    });
    return { ref: `${name}|${logicalId}|REGIONAL`, attributes: { Arn: arn, Id: logicalId, Capacity: '0' } };
  },
});
