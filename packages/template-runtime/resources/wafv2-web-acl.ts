import * as z from 'zod';
import { resourceType } from './resource-type.ts';
import { tags } from './tags.ts';

const visibility = z.strictObject({
  CloudWatchMetricsEnabled: z.boolean(),
  MetricName: z.string(),
  SampledRequestsEnabled: z.boolean(),
});
const oneOf = (...names: readonly string[]) =>
  z
    .record(z.string(), z.record(z.string(), z.unknown()))
    .refine(
      (value) => Object.keys(value).length === 1 && Object.keys(value).every((key) => names.includes(key)),
      {
        error: `must have exactly one of ${names.join(', ')}`,
      },
    );

/** Checked, but without effect: there is no firewall in front of the local gateway. */
export const webAcl = resourceType({
  type: 'AWS::WAFv2::WebACL',
  properties: z.strictObject({
    Name: z.string().optional(),
    Description: z.string().optional(),
    Scope: z.literal('REGIONAL'),
    DefaultAction: oneOf('Allow', 'Block'),
    VisibilityConfig: visibility,
    CustomResponseBodies: z.record(z.string(), z.unknown()).optional(),
    AssociationConfig: z.record(z.string(), z.unknown()).optional(),
    Rules: z
      .array(
        z.strictObject({
          Name: z.string(),
          Priority: z.number(),
          Statement: z.record(z.string(), z.unknown()),
          Action: oneOf('Allow', 'Block', 'Count', 'Captcha', 'Challenge').optional(),
          OverrideAction: oneOf('None', 'Count').optional(),
          RuleLabels: z.array(z.strictObject({ Name: z.string() })).optional(),
          VisibilityConfig: visibility,
        }),
      )
      .optional(),
    Tags: tags.optional(),
  }),
  deploy: async ({ Name }, { stackName, logicalId, partition, region, accountId }) => {
    const name = Name ?? `${stackName}-${logicalId}`;
    return {
      ref: `${name}|${logicalId}|REGIONAL`,
      attributes: {
        Arn: `arn:${partition}:wafv2:${region}:${accountId}:regional/webacl/${name}/${logicalId}`,
        Id: logicalId,
        Capacity: '0',
      },
    };
  },
});
