import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { AssetManifestArtifact, type CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';
import { createIdentities } from 'template-runtime/engines/iam/engine.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StageConfig } from '../../../config/stage.ts';
import { stageNamed } from '../../../config/stages.ts';
import { addStage, appContext } from '../../../lib/app.ts';
import { awsAccount } from '../../../operator/stage/preflight/account.ts';
import type { Finding } from '../../../operator/stage/preflight/finding.ts';
import { findMintLimits } from '../../../operator/stage/preflight/mint-costs.ts';
import { preflight } from '../../../operator/stage/preflight/preflight.ts';
import { servedAddresses } from '../../../operator/stage/preflight/served-addresses.ts';
import { type GuidePolicy, guidePolicy, lessOneAction } from '../../support/platform/guide-policy.ts';
import {
  type AwsAnswer,
  answering,
  operationOf,
  startScriptedAws,
} from '../../support/platform/scripted-aws.ts';
import { aTarget } from '../../support/platform/target.ts';

const region = 'us-east-1';
const account = '000000000000';
const values = { ACCOUNT: account, REGION: region, STAGE: 'prod' };
const policies = ['deploying', 'comparing'].map((purpose) => ({
  purpose,
  policy: guidePolicy(`The policy for ${purpose}`, values),
}));

/** The tags of the secret with the addresses of the RPC endpoints. */
const context = {
  'aws:ResourceTag/service': ['marquee'],
  'aws:ResourceTag/stage': ['prod'],
  'aws:ResourceTag/secret': ['chain'],
};
const asked = (allowed: GuidePolicy, action: string, resource: string) => {
  const identities = createIdentities();
  const { accessKeyId } = identities.createUser({ name: 'deployer', policy: allowed });
  return identities.authorize({ accessKeyId, action, resources: [resource], context });
};

/**
 * The roles that `cdk deploy` and `cdk diff` assume with the caller's credentials, and that with which `cdk diff` compares
 * templates. The CDK CLI takes them from the
 * assembly's manifest ("Cloud assembly schema": `assumeRoleArn` of a stack and of its file assets, `lookupRole`). It
 * does everything else under these roles, including the check of the bootstrap version. `sts:GetCallerIdentity` needs
 * no permission.
 */
const assumedRoles = (): { readonly deploying: readonly string[]; readonly comparing: readonly string[] } => {
  const outdir = mkdtempSync(join(tmpdir(), 'marquee-roles-'));
  try {
    const app = new App({
      outdir,
      context: { ...appContext, 'aws:cdk:bundling-stacks': [] },
      builtinCloudFormationValidation: false,
    });
    const { stackName } = addStage(app, stageNamed('prod'));
    const assembly = app.synth();
    const stack: CloudFormationStackArtifact = assembly.getStackByName(stackName);
    const assets = assembly.artifacts
      .filter((artifact) => artifact instanceof AssetManifestArtifact)
      .map(({ contents }) => contents);
    expect(assets.flatMap(({ dockerImages = {} }) => Object.keys(dockerImages))).toEqual([]);
    const publishing = assets
      .flatMap(({ files = {} }) => Object.values(files))
      .flatMap(({ destinations }) => Object.values(destinations))
      .map(({ assumeRoleArn }) => assumeRoleArn);
    const named = (roles: readonly (string | undefined)[]) =>
      [...new Set(roles)].map((role = '') =>
        role
          .replaceAll(/\$\{AWS::Partition\}/g, 'aws')
          .replaceAll(/\$\{AWS::AccountId\}/g, account)
          .replaceAll(/\$\{AWS::Region\}/g, region),
      );
    return {
      deploying: named([stack.assumeRoleArn, stack.lookupRole?.arn, ...publishing]),
      comparing: named([stack.lookupRole?.arn]),
    };
  } finally {
    rmSync(outdir, { recursive: true });
  }
};

const roles = assumedRoles();

describe('the IAM policy for comparing a stage', () => {
  it('contains only permissions that the policy for deploying contains too', () => {
    const [deploying, comparing] = policies.map(({ policy }) =>
      policy.Statement.flatMap(({ Sid: _, Action, Resource }) =>
        Action.flatMap((action) => Resource.map((resource) => `${action} ${resource}`)),
      ),
    );

    expect(comparing?.filter((each) => !deploying?.includes(each))).toEqual([]);
  });
});

describe.each(policies)('the IAM policy for $purpose', ({ purpose, policy }) => {
  const assumed = purpose === 'comparing' ? roles.comparing : roles.deploying;

  it('allows assuming exactly the roles that the CDK assumes', () => {
    const [{ Resource } = { Resource: [] }] = policy.Statement.filter(({ Action }) =>
      Action.includes('sts:AssumeRole'),
    );

    expect(new Set(Resource)).toEqual(new Set(assumed));
    for (const role of assumed) expect(asked(policy, 'sts:AssumeRole', role)).toEqual({ allowed: true });
    const executing = `arn:aws:iam::${account}:role/cdk-hnb659fds-cfn-exec-role-${account}-${region}`;
    const others = [executing, ...roles.deploying.filter((role) => !assumed.includes(role))];
    for (const role of others)
      expect(asked(policy, 'sts:AssumeRole', role)).toMatchObject({ allowed: false });
  });

  describe('for the command preflight', () => {
    let aws: Awaited<ReturnType<typeof startScriptedAws>>;
    beforeAll(async () => {
      aws = await startScriptedAws();
    });
    afterAll(() => aws.stop());

    const stack = `arn:aws:cloudformation:${region}:${account}:stack/Marquee-prod/1`;
    const xml = (operation: string, content: string): AwsAnswer =>
      answering(
        200,
        `<${operation}Response><${operation}Result>${content}</${operation}Result></${operation}Response>`,
        { 'content-type': 'text/xml' },
      );
    const api = { Type: 'AWS::ApiGateway::RestApi', Properties: { DisableExecuteApiEndpoint: false } };
    const template = { Resources: { Api: api } };
    const quota = answering(400, { __type: 'NoSuchResourceException', message: 'never applied' });
    /**
     * For each call of preflight, the action and resource that it needs (Service Authorization Reference), and its
     * answer.
     */
    const calls: Readonly<Record<string, readonly [needed: string, resource: string, answer: AwsAnswer]>> = {
      DescribeStacks: [
        'cloudformation:DescribeStacks',
        stack,
        xml(
          'DescribeStacks',
          '<Stacks><member><StackName>Marquee-prod</StackName><CreationTime>2026-11-20T00:00:00Z</CreationTime><StackStatus>CREATE_COMPLETE</StackStatus></member></Stacks>',
        ),
      ],
      GetTemplate: [
        'cloudformation:GetTemplate',
        stack,
        (outgoing, call) =>
          xml('GetTemplate', `<TemplateBody>${JSON.stringify(template)}</TemplateBody>`)(outgoing, call),
      ],
      GetSecretValue: [
        'secretsmanager:GetSecretValue',
        `arn:aws:secretsmanager:${region}:${account}:secret:chain`,
        answering(200, { SecretString: JSON.stringify({ urls: ['http://127.0.0.1:2'] }) }),
      ],
      Scan: [
        'dynamodb:Scan',
        `arn:aws:dynamodb:${region}:${account}:table/Marquee-prod-Applications`,
        answering(200, { Items: [] }),
      ],
      GetServiceQuota: ['servicequotas:GetServiceQuota', '*', quota],
      GetAWSDefaultServiceQuota: ['servicequotas:GetAWSDefaultServiceQuota', '*', quota],
      '/account': [
        'apigateway:GET',
        `arn:aws:apigateway:${region}::/account`,
        answering(200, { throttleSettings: { rateLimit: 10_000, burstLimit: 5_000 } }),
      ],
      'GET /restapis': [
        'apigateway:GET',
        `arn:aws:apigateway:${region}::/restapis`,
        answering(200, { item: [] }),
      ],
      'POST /restapis': [
        'apigateway:POST',
        `arn:aws:apigateway:${region}::/restapis`,
        answering(201, { id: 'imported' }),
      ],
      'PUT /restapis/imported': [
        'apigateway:PUT',
        `arn:aws:apigateway:${region}::/restapis/imported`,
        answering(200, { id: 'imported' }),
      ],
      'DELETE /restapis/imported': [
        'apigateway:DELETE',
        `arn:aws:apigateway:${region}::/restapis/imported`,
        answering(202, ''),
      ],
      '/2016-08-19/account-settings': [
        'lambda:GetAccountSettings',
        '*',
        answering(200, {
          AccountLimit: { ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: 1_000 },
        }),
      ],
    };

    /** Refuses what the policy does not allow, as AWS does. */
    const judged =
      (allowed: GuidePolicy): AwsAnswer =>
      (outgoing, call) => {
        const path = call.path.replace(/[?/]*(\?.*)?$/, '');
        const name = operationOf(call) || (path.startsWith('/restapis') ? `${call.method} ${path}` : path);
        if (name === 'GetCallerIdentity') {
          return xml(name, `<Account>${account}</Account>`)(outgoing, call);
        }
        const [needed, resource, answer] = calls[name] ?? [`unknown:${name}`, '*', quota];
        const decision = asked(allowed, needed, resource);
        if (decision.allowed) return answer(outgoing, call);
        const { message } = decision;
        const isQuery = name === 'DescribeStacks' || name === 'GetTemplate';
        return isQuery
          ? answering(
              403,
              `<ErrorResponse><Error><Code>AccessDenied</Code><Message>${message}</Message></Error></ErrorResponse>`,
              { 'content-type': 'text/xml' },
            )(outgoing, call)
          : answering(403, { message }, { 'x-amzn-errortype': 'AccessDeniedException' })(outgoing, call);
      };
    const examine = (
      allowed: GuidePolicy,
      {
        stage,
        isClosed = false,
      }: { readonly stage?: Partial<StageConfig>; readonly isClosed?: boolean } = {},
    ) => {
      aws.answer(judged(allowed));
      api.Properties.DisableExecuteApiEndpoint = isClosed;
      const settings = { ...aws.settings, region };
      return preflight(
        {
          account: awsAccount(settings),
          documents: purpose === 'deploying' ? documents : undefined,
          addresses: servedAddresses(async () => aTarget({ aws: settings })),
          applications: findMintLimits(async () => aTarget({ aws: settings })),
        },
        { stage: { ...stageNamed('prod'), ...stage } },
      );
    };
    const documents = async () =>
      ['base', 'b2b'].map((api) => ({ name: `marquee-prod-${api}`, body: { openapi: '3.0.1' } }));
    const closed = { disableExecuteApiEndpoint: true, publicBaseUrls: {} };
    const aboutAddresses = (findings: readonly Finding[]) =>
      findings.filter(({ check }) => check.startsWith('disableExecuteApiEndpoint'));

    it('allows every call that preflight makes', async () => {
      const findings = await examine(policy);

      expect(findings.filter(({ found }) => found.includes('may not ask'))).toEqual([]);
      const asksForOwnPurpose = purpose === 'deploying' ? 0 : 4;
      expect(aws.calls().length).toBeGreaterThan(Object.keys(calls).length - asksForOwnPurpose);
    });

    it("allows every call once the deployed stack has disabled API Gateway's own addresses", async () => {
      const findings = await examine(policy, { stage: closed, isClosed: true });

      expect(aboutAddresses(findings)).toEqual([]);
    });

    it('leaves it unknown who uses these addresses, and so refuses to disable them', async () => {
      expect(aboutAddresses(await examine(policy, { stage: closed }))).toEqual([
        expect.objectContaining({
          ok: false,
          found: expect.stringMatching(
            /^not known: .*is not authorized to perform: (secretsmanager:GetSecretValue|dynamodb:Scan)/,
          ),
        }),
      ]);
    });

    it('leaves it unknown what applications may mint in a day, and says why', async () => {
      const findings = await examine(policy, { stage: { monthlyBudget: 2_000 } });

      expect(findings.filter(({ check }) => check === 'monthlyBudget: mints of a day')).toEqual([
        expect.objectContaining({
          ok: 'unknown',
          found: expect.stringMatching(/^not known: .*is not authorized to perform: dynamodb:Scan/),
        }),
      ]);
    });

    it('allows disabling these addresses, together with the policy for the command line', async () => {
      const both = {
        ...policy,
        Statement: [...policy.Statement, ...guidePolicy('The policy for the command line', values).Statement],
      };

      expect(aboutAddresses(await examine(both, { stage: closed }))).toEqual([
        expect.objectContaining({ ok: true, found: '0 at the API’s own address' }),
      ]);
    });

    const less = lessOneAction(policy).filter(({ sid }) => sid.startsWith('Preflight'));
    it.each(less)(
      'contains no superfluous permission: preflight fails without $action',
      async ({ action, policy: allowed }) => {
        const outcome = await examine(allowed).then(
          (findings) => findings.map(({ found }) => found).join('\n'),
          (error: Error) => error.message,
        );

        expect(outcome).toMatch(
          action.startsWith('servicequotas:')
            ? /these credentials may not ask Service Quotas/
            : new RegExp(`is not authorized to perform: ${action}`),
        );
      },
    );
  });
});
