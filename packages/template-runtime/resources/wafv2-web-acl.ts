import * as z from 'zod';
import type { AggregateKey, CustomResponse, RateRule } from '../engines/firewall/types.ts';
import { resourceType } from './resource-type.ts';
import { tags } from './tags.ts';

const visibility = z.strictObject({
  CloudWatchMetricsEnabled: z.boolean(),
  MetricName: z.string().regex(/^[\w-]{1,128}$/),
  SampledRequestsEnabled: z.boolean(),
});

/** Texts are compared as they are. */
const textTransformations = z.array(z.strictObject({ Priority: z.number(), Type: z.literal('NONE') })).min(1);

const pathPattern = z.strictObject({
  RegexMatchStatement: z.strictObject({
    FieldToMatch: z.strictObject({ UriPath: z.strictObject({}) }),
    RegexString: z.string().min(1).max(512),
    TextTransformations: textTransformations,
  }),
});

const customKey = z.union([
  z.strictObject({ IP: z.strictObject({}) }).transform((): AggregateKey => ({ kind: 'ip' })),
  z
    .strictObject({
      Header: z.strictObject({ Name: z.string().min(1), TextTransformations: textTransformations }),
    })
    .transform(({ Header }): AggregateKey => ({ kind: 'header', name: Header.Name.toLowerCase() })),
]);

const rateStatement = z.strictObject({
  RateBasedStatement: z
    .strictObject({
      Limit: z.int().min(10).max(2_000_000_000),
      EvaluationWindowSec: z.literal([60, 120, 300, 600]).default(300),
      AggregateKeyType: z.enum(['IP', 'CUSTOM_KEYS']),
      CustomKeys: z.array(customKey).min(1).max(5).optional(),
      ScopeDownStatement: pathPattern.optional(),
    })
    .refine(
      ({ AggregateKeyType, CustomKeys }) => (AggregateKeyType === 'IP') === (CustomKeys === undefined),
      {
        error: 'CUSTOM_KEYS, and no other type, needs CustomKeys',
      },
    ),
});

/** Without effect: AWS's rules are not known here. */
const managedStatement = z.strictObject({ ManagedRuleGroupStatement: z.record(z.string(), z.unknown()) });

const block = z.strictObject({
  Block: z.strictObject({
    CustomResponse: z
      .strictObject({
        ResponseCode: z.int().min(200).max(599),
        CustomResponseBodyKey: z.string().optional(),
        ResponseHeaders: z
          .array(
            z.strictObject({
              Name: z.string().refine((name) => name.toLowerCase() !== 'content-type', {
                error: 'content-type cannot be set',
              }),
              Value: z.string(),
            }),
          )
          .min(1)
          .refine(
            (headers) => new Set(headers.map(({ Name }) => Name.toLowerCase())).size === headers.length,
            {
              error: 'names a header twice',
            },
          )
          .optional(),
      })
      .optional(),
  }),
});

const rule = z.strictObject({ Name: z.string(), Priority: z.int().min(0), VisibilityConfig: visibility });
const rateRule = rule.extend({ Statement: rateStatement, Action: block });
const managedRule = rule.extend({
  Statement: managedStatement,
  OverrideAction: z.strictObject({ None: z.strictObject({}) }),
});

const responseBody = z.strictObject({
  ContentType: z.enum(['APPLICATION_JSON', 'TEXT_HTML', 'TEXT_PLAIN']),
  Content: z.string().min(1).max(4_096),
});
const contentTypes = {
  APPLICATION_JSON: 'application/json',
  TEXT_HTML: 'text/html',
  TEXT_PLAIN: 'text/plain',
} as const satisfies Record<z.output<typeof responseBody>['ContentType'], string>;
type ResponseBodies = Readonly<Record<string, z.output<typeof responseBody>>>;

export const webAcl = resourceType({
  type: 'AWS::WAFv2::WebACL',
  properties: z
    .strictObject({
      Name: z.string().optional(),
      Description: z.string().optional(),
      Scope: z.literal('REGIONAL'),
      DefaultAction: z.strictObject({ Allow: z.strictObject({}) }),
      VisibilityConfig: visibility,
      CustomResponseBodies: z.record(z.string().regex(/^[\w-]{1,128}$/), responseBody).default({}),
      /** Without effect: no rule looks into a body. */
      AssociationConfig: z.record(z.string(), z.unknown()).optional(),
      Rules: z.array(z.union([rateRule, managedRule])).default([]),
      Tags: tags.optional(),
    })
    .refine(({ Rules }) => new Set(Rules.map(({ Priority }) => Priority)).size === Rules.length, {
      path: ['Rules'],
      error: 'two rules have the same priority',
    }),
  deploy: async (properties, { engines, stackName, logicalId, partition, region, accountId }) => {
    const name = properties.Name ?? `${stackName}-${logicalId}`;
    const arn = `arn:${partition}:wafv2:${region}:${accountId}:regional/webacl/${name}/${logicalId}`;
    engines.firewalls.addAcl({
      arn,
      metricName: properties.VisibilityConfig.MetricName,
      rules: properties.Rules.flatMap((each) =>
        'Action' in each ? [ruleOf(each, properties.CustomResponseBodies)] : [],
      ),
    });
    return { ref: `${name}|${logicalId}|REGIONAL`, attributes: { Arn: arn, Id: logicalId, Capacity: '0' } };
  },
});

const ruleOf = (
  { Priority, VisibilityConfig, Statement, Action }: z.output<typeof rateRule>,
  bodies: ResponseBodies,
): RateRule => {
  const { Limit, EvaluationWindowSec, CustomKeys, ScopeDownStatement } = Statement.RateBasedStatement;
  const response = responseOf(Action, bodies);
  return {
    metricName: VisibilityConfig.MetricName,
    priority: Priority,
    limit: Limit,
    windowSeconds: EvaluationWindowSec,
    keys: CustomKeys ?? [{ kind: 'ip' }],
    ...(ScopeDownStatement && { path: new RegExp(ScopeDownStatement.RegexMatchStatement.RegexString) }),
    ...(response && { response }),
  };
};

const responseOf = (
  { Block: { CustomResponse } }: z.output<typeof block>,
  bodies: ResponseBodies,
): CustomResponse | undefined => {
  if (CustomResponse === undefined) return undefined;
  const { ResponseCode, ResponseHeaders = [], CustomResponseBodyKey } = CustomResponse;
  const body = CustomResponseBodyKey === undefined ? undefined : bodies[CustomResponseBodyKey];
  if (CustomResponseBodyKey !== undefined && body === undefined) {
    throw new Error(`the web ACL has no custom response body ${CustomResponseBodyKey}`);
  }
  return {
    status: ResponseCode,
    headers: [
      ...(body ? [['Content-Type', contentTypes[body.ContentType]] as const] : []),
      ...ResponseHeaders.map(({ Name, Value }) => [Name, Value] as const),
    ],
    body: body?.Content ?? '',
  };
};
