import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import type { StageConfig } from '../../../config/stage.ts';

/** The OpenAPI document from which API Gateway makes an API. */
export interface ApiDocument {
  /** The API's name. */
  readonly name: string;
  readonly body: object;
}

const template = z.object({
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      Properties: z.looseObject({
        Name: z.string().optional(),
        Body: z.record(z.string(), z.unknown()).optional(),
      }),
    }),
  ),
});

const joined = z.strictObject({ 'Fn::Join': z.tuple([z.string(), z.array(z.unknown())]) });
const referred = z.strictObject({ Ref: z.string() });

/**
 * Writes the document as API Gateway gets it. Functions have made-up ARNs, because they do not exist before the first
 * deployment. The roles that invoke them are left out: whoever names a role must be allowed to pass it on.
 */
const resolved = (value: unknown, pseudo: Readonly<Record<string, string>>, arn: string): unknown => {
  if (Array.isArray(value)) return value.map((each) => resolved(each, pseudo, arn));
  if (typeof value !== 'object' || value === null) return value;
  const join = joined.safeParse(value);
  if (join.success) {
    const [separator, parts] = join.data['Fn::Join'];
    return parts.map((part) => resolved(part, pseudo, arn)).join(separator);
  }
  const reference = referred.safeParse(value);
  if (reference.success && pseudo[reference.data.Ref] !== undefined) return pseudo[reference.data.Ref];
  if ('Fn::GetAtt' in value) return arn;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'credentials')
      .map(([name, inner]) => [name, resolved(inner, pseudo, arn)]),
  );
};

/** The documents of a stage's APIs, as the deployment of this checkout would import them into the account. */
export const apiDocuments = async (
  stage: StageConfig,
  { accountId, region }: { readonly accountId: string; readonly region: string },
): Promise<readonly ApiDocument[]> => {
  // Loading the CDK takes seconds, which no other command needs.
  const [{ App }, { addStage, appContext }] = await Promise.all([
    import('aws-cdk-lib'),
    import('../../../lib/app.ts'),
  ]);
  const outdir = await mkdtemp(join(tmpdir(), 'marquee-preflight-'));
  try {
    const app = new App({
      outdir,
      // The functions need not be bundled, and `cdk deploy` validates the template itself.
      context: { ...appContext, 'aws:cdk:bundling-stacks': [] },
      builtinCloudFormationValidation: false,
    });
    const { stackName } = addStage(app, stage);
    const made = template.parse(app.synth().getStackByName(stackName).template);
    const pseudo = {
      'AWS::AccountId': accountId,
      'AWS::Partition': 'aws',
      'AWS::Region': region,
      'AWS::URLSuffix': 'amazonaws.com',
    };
    const arn = `arn:aws:lambda:${region}:${accountId}:function:preflight`;
    return Object.values(made.Resources).flatMap(({ Type, Properties: { Name = '', Body } }) =>
      Type === 'AWS::ApiGateway::RestApi' && Body !== undefined
        ? [{ name: Name, body: resolved(Body, pseudo, arn) as object }]
        : [],
    );
  } finally {
    await rm(outdir, { recursive: true });
  }
};
