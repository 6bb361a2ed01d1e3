import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { App, CfnResource, DefaultStackSynthesizer, Stack } from 'aws-cdk-lib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { checkoutAt } from '../../../tools/release/checkout.ts';
import { deployStage } from '../../../tools/release/deploy.ts';
import { deployedStack } from '../../../tools/release/stack.ts';
import {
  type AwsAnswer,
  answering,
  operationOf,
  startScriptedAws,
} from '../../support/platform/scripted-aws.ts';

const account = '000000000000';
const arnOf = (name: string) => `arn:aws:cloudwatch:eu-central-1:${account}:alarm:${name}`;
const alarms = ['Marquee-prod-BaseApi-1', 'Marquee-prod-Canary-1'].map(arnOf);
const stackId = `arn:aws:cloudformation:eu-central-1:${account}:stack/Marquee-prod/1`;
const changeSet = `arn:aws:cloudformation:eu-central-1:${account}:changeSet/cdk/1`;

const xml = (body: string): AwsAnswer => answering(200, body, { 'content-type': 'text/xml' });
const result = (operation: string, content: string): AwsAnswer =>
  xml(`<${operation}Response><${operation}Result>${content}</${operation}Result></${operation}Response>`);

/** The answers of CloudFormation, STS and SSM to `cdk deploy` of an existing stack. */
const answers: Readonly<Record<string, string>> = {
  GetCallerIdentity: `<Account>${account}</Account><Arn>arn:aws:iam::${account}:user/someone</Arn>`,
  AssumeRole:
    '<Credentials><AccessKeyId>A</AccessKeyId><SecretAccessKey>b</SecretAccessKey><SessionToken>c</SessionToken><Expiration>2100-01-01T00:00:00Z</Expiration></Credentials>',
  DescribeStacks: `<Stacks><member><StackId>${stackId}</StackId><StackName>Marquee-prod</StackName><CreationTime>2026-11-20T00:00:00Z</CreationTime><StackStatus>UPDATE_COMPLETE</StackStatus><Outputs><member><OutputKey>RollbackTriggerArns</OutputKey><OutputValue>${alarms.join(',')}</OutputValue></member></Outputs></member></Stacks>`,
  GetTemplate: '<TemplateBody>{"Resources":{}}</TemplateBody>',
  CreateChangeSet: `<Id>${changeSet}</Id><StackId>${stackId}</StackId>`,
  DescribeChangeSet: `<ChangeSetId>${changeSet}</ChangeSetId><StackId>${stackId}</StackId><StackName>Marquee-prod</StackName><Status>CREATE_COMPLETE</Status><ExecutionStatus>AVAILABLE</ExecutionStatus><Changes><member><Type>Resource</Type><ResourceChange><Action>Add</Action><LogicalResourceId>Topic</LogicalResourceId><ResourceType>AWS::SNS::Topic</ResourceType></ResourceChange></member></Changes>`,
  DescribeStackEvents: '<StackEvents/>',
  DescribeEvents: '<OperationEvents/>',
};

const changeSetCall = () => aws.calls().find((call) => operationOf(call) === 'CreateChangeSet');

/** S3, to which the template was published before, and the version of the bootstrap. */
const answer: AwsAnswer = (outgoing, call) => {
  const operation = operationOf(call);
  const { searchParams } = new URL(call.path, 'http://aws');
  if (operation === 'GetParameter') {
    return answering(200, { Parameter: { Value: '30' } })(outgoing, call);
  }
  if (operation === 'DescribeAlarms') return answering(200, { MetricAlarms: [] })(outgoing, call);
  if (operation === '' && searchParams.has('location')) {
    return xml('<LocationConstraint>eu-central-1</LocationConstraint>')(outgoing, call);
  }
  if (operation === '') {
    const key = searchParams.get('prefix');
    const found = `<ListBucketResult><KeyCount>1</KeyCount><Contents><Key>${key}</Key></Contents></ListBucketResult>`;
    return xml(found)(outgoing, call);
  }
  if (operation === 'DescribeChangeSet' && changeSetCall() === undefined) {
    const missing =
      '<ErrorResponse><Error><Code>ChangeSetNotFoundException</Code><Message>ChangeSet does not exist</Message></Error></ErrorResponse>';
    return answering(404, missing, { 'content-type': 'text/xml' })(outgoing, call);
  }
  return result(operation, answers[operation] ?? '')(outgoing, call);
};

let aws: Awaited<ReturnType<typeof startScriptedAws>>;
const folder = mkdtempSync(join(tmpdir(), 'marquee-cdk-'));

beforeAll(async () => {
  aws = await startScriptedAws();
  const app = new App({ outdir: join(folder, 'assembly'), builtinCloudFormationValidation: false });
  const synthesizer = new DefaultStackSynthesizer({ generateBootstrapVersionRule: false });
  new CfnResource(new Stack(app, 'Marquee-prod', { synthesizer }), 'Topic', { type: 'AWS::SNS::Topic' });
  app.synth();
  writeFileSync(join(folder, 'cdk.json'), JSON.stringify({ app: 'assembly', versionReporting: false }));
  symlinkSync(fileURLToPath(new URL('../../../node_modules', import.meta.url)), join(folder, 'node_modules'));
  vi.stubEnv('AWS_ENDPOINT_URL', aws.settings.endpoint);
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKID');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await aws.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Deploys with the real CDK. Resolves to the rollback settings that CloudFormation receives. */
const rollbackOf = async (isWatched: boolean): Promise<Readonly<Record<string, string>>> => {
  aws.answer(answer);
  const { run } = checkoutAt(folder);
  await deployStage(
    { checkout: { run, operator: async () => {} }, stack: deployedStack(aws.settings), say: () => {} },
    { stage: 'prod', isWatched, revertsDrift: false, asks: false },
  );
  return Object.fromEntries(
    [...new URLSearchParams(changeSetCall()?.body)]
      .filter(([name]) => name.startsWith('RollbackConfiguration.'))
      .map(([name, value]) => [name.replace('RollbackConfiguration.', ''), value]),
  );
};

describe('the CDK', () => {
  it('passes the rollback alarms and their monitoring time to CloudFormation', async () => {
    expect(await rollbackOf(true)).toEqual({
      MonitoringTimeInMinutes: '15',
      ...Object.fromEntries(
        alarms.flatMap((arn, index) => [
          [`RollbackTriggers.member.${index + 1}.Arn`, arn],
          [`RollbackTriggers.member.${index + 1}.Type`, 'AWS::CloudWatch::Alarm'],
        ]),
      ),
    });
  });

  it('removes the rollback alarms in CloudFormation when none are given', async () => {
    expect(await rollbackOf(false)).toEqual({ RollbackTriggers: '' });
  });
});
