import * as z from 'zod';
import { matchStatement, textTransformations } from './statements.ts';
import type { AggregateKey, CustomResponse, WebRule } from './types.ts';

const visibility = z.strictObject({
  CloudWatchMetricsEnabled: z.boolean(),
  MetricName: z.string().regex(/^[\w-]{1,128}$/),
  SampledRequestsEnabled: z.boolean(),
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
      ScopeDownStatement: matchStatement.optional(),
    })
    .refine(
      ({ AggregateKeyType, CustomKeys }) => (AggregateKeyType === 'IP') === (CustomKeys === undefined),
      {
        error: 'CUSTOM_KEYS, and no other type, needs CustomKeys',
      },
    ),
});

/** This statement has no effect here: the rules of AWS's groups are not imitated. */
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
const matchRule = rule.extend({ Statement: matchStatement, Action: block });
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

/** The schema of a web ACL's rules, which is the same in a template and in WAF's calls. */
export const aclDefinition = z
  .strictObject({
    Name: z.string().optional(),
    Description: z.string().optional(),
    Scope: z.literal('REGIONAL'),
    DefaultAction: z.strictObject({ Allow: z.strictObject({}) }),
    VisibilityConfig: visibility,
    CustomResponseBodies: z.record(z.string().regex(/^[\w-]{1,128}$/), responseBody).default({}),
    /** This setting has no effect here, because no supported rule inspects a body. */
    AssociationConfig: z.record(z.string(), z.unknown()).optional(),
    Rules: z.array(z.union([rateRule, matchRule, managedRule])).default([]),
  })
  .refine(({ Rules }) => new Set(Rules.map(({ Priority }) => Priority)).size === Rules.length, {
    path: ['Rules'],
    error: 'two rules have the same priority',
  });
export type AclDefinition = z.output<typeof aclDefinition>;

/** The rules of a web ACL that are known here. */
export const rulesOf = ({ Rules, CustomResponseBodies }: AclDefinition): WebRule[] =>
  Rules.flatMap((each) => ('Action' in each ? [ruleOf(each, CustomResponseBodies)] : []));

const ruleOf = (
  { Priority, VisibilityConfig, Statement, Action }: z.output<typeof rateRule> | z.output<typeof matchRule>,
  bodies: ResponseBodies,
): WebRule => {
  const response = responseOf(Action, bodies);
  const rule = { metricName: VisibilityConfig.MetricName, priority: Priority, ...(response && { response }) };
  if (typeof Statement === 'function') return { ...rule, matches: Statement };
  const { Limit, EvaluationWindowSec, CustomKeys, ScopeDownStatement } = Statement.RateBasedStatement;
  return {
    ...rule,
    matches: ScopeDownStatement ?? (() => true),
    rate: { limit: Limit, windowSeconds: EvaluationWindowSec, keys: CustomKeys ?? [{ kind: 'ip' }] },
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
