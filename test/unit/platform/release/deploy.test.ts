import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareStage } from '../../../../tools/release/compare.ts';
import { type DeployStageOrder, deployStage } from '../../../../tools/release/deploy.ts';
import { deployedStack } from '../../../../tools/release/stack.ts';
import { answering, byOperation, startScriptedAws } from '../../../support/platform/scripted-aws.ts';

const arnOf = (name: string) => `arn:aws:cloudwatch:eu-central-1:000000000000:alarm:${name}`;
const alarms = ['Marquee-prod-BaseApi-1', 'Marquee-prod-Canary-1'];

const xml = (operation: string, content: string, status = 200) =>
  answering(
    status,
    `<${operation}Response><${operation}Result>${content}</${operation}Result></${operation}Response>`,
    {
      'content-type': 'text/xml',
    },
  );
const notDeployed = answering(
  400,
  '<ErrorResponse><Error><Code>ValidationError</Code><Message>Stack with id Marquee-prod does not exist</Message></Error></ErrorResponse>',
  { 'content-type': 'text/xml' },
);
const outputs = (value: string) =>
  xml(
    'DescribeStacks',
    `<Stacks><member><StackName>Marquee-prod</StackName><CreationTime>2026-11-20T00:00:00Z</CreationTime><StackStatus>UPDATE_COMPLETE</StackStatus>${value}</member></Stacks>`,
  );
const deployed = outputs(
  `<Outputs><member><OutputKey>RollbackTriggerArns</OutputKey><OutputValue>${alarms.map(arnOf).join(',')}</OutputValue></member></Outputs>`,
);
/** CloudWatch, in which only these alarms are red. */
const red = (...names: readonly string[]) =>
  answering(
    200,
    { MetricAlarms: names.map((AlarmName) => ({ AlarmName })) },
    { 'content-type': 'application/json' },
  );

let aws: Awaited<ReturnType<typeof startScriptedAws>>;
beforeAll(async () => {
  aws = await startScriptedAws();
});
afterAll(() => aws.stop());

/** Deploys from a checkout whose programs are only noted. */
const deploy = async (order: Partial<DeployStageOrder> = {}, failing?: string) => {
  const ran: string[] = [];
  const note = async (...words: readonly string[]) => {
    const line = words.join(' ');
    ran.push(line);
    if (failing !== undefined && line.includes(failing)) throw new Error(`${failing} failed`);
  };
  const outcome = await deployStage(
    {
      checkout: { run: note, operator: (...words) => note('operator', ...words) },
      stack: deployedStack(aws.settings),
      say: () => {},
    },
    { stage: 'prod', isWatched: true, revertsDrift: false, asks: true, ...order },
  ).then(
    () => 'deployed',
    (error: Error) => error.message,
  );
  return { ran, outcome };
};

describe('a deployment', () => {
  it('is rolled back by alarms of the deployed stack for fifteen minutes', async () => {
    aws.answer(byOperation({ DescribeStacks: deployed, DescribeAlarms: red() }));

    const { ran } = await deploy();

    expect(ran).toEqual([
      'operator --stage prod preflight',
      `cdk deploy -c stage=prod ${alarms.map((name) => `--rollback-trigger-alarm-arns ${arnOf(name)} `).join('')}--monitoring-time-minutes 15`,
    ]);
  });

  it.each([
    ['is its first', notDeployed],
    ['follows one whose stack had no such alarms', outputs('')],
  ])('is made without rollback alarms if it %s', async (_, answer) => {
    aws.answer(byOperation({ DescribeStacks: answer }));

    const { ran } = await deploy();

    expect(ran.at(-1)).toBe('cdk deploy -c stage=prod --rollback-trigger-alarm-arns none');
  });

  it('is refused while a rollback alarm is in ALARM, and the error names --without-triggers', async () => {
    aws.answer(byOperation({ DescribeStacks: deployed, DescribeAlarms: red('Marquee-prod-Canary-1') }));

    const { ran, outcome } = await deploy();

    expect(outcome).toMatch(/^Marquee-prod-Canary-1 is red, .*add --without-triggers\.$/);
    expect(ran).toEqual(['operator --stage prod preflight']);
  });

  it('is made despite an alarm with --without-triggers, without rollback alarms', async () => {
    aws.answer(byOperation({ DescribeStacks: deployed, DescribeAlarms: red('Marquee-prod-Canary-1') }));

    const { ran, outcome } = await deploy({ isWatched: false });

    expect(outcome).toBe('deployed');
    expect(ran.at(-1)).toBe('cdk deploy -c stage=prod --rollback-trigger-alarm-arns none');
  });

  it('asks no questions in a pipeline, and reverts drift on request', async () => {
    aws.answer(byOperation({ DescribeStacks: notDeployed }));

    const { ran } = await deploy({ asks: false, revertsDrift: true });

    expect(ran.at(-1)).toContain('--require-approval never --revert-drift ');
  });

  it('is not made if preflight fails', async () => {
    aws.answer(byOperation({ DescribeStacks: deployed, DescribeAlarms: red() }));

    const { ran, outcome } = await deploy({}, 'preflight');

    expect(outcome).toBe('preflight failed');
    expect(ran).toEqual(['operator --stage prod preflight']);
  });

  it('does not start if it is unknown whether the stack exists', async () => {
    aws.answer(answering(403, '<ErrorResponse><Error><Code>AccessDenied</Code></Error></ErrorResponse>'));

    const { ran, outcome } = await deploy();

    expect(outcome).not.toBe('deployed');
    expect(ran).toEqual(['operator --stage prod preflight']);
  });
});

describe('a comparison of a stage', () => {
  it('assumes no role that can change anything, and writes the differences to a file', async () => {
    const ran: string[] = [];
    const note = async (...words: readonly string[]) => {
      ran.push(words.join(' '));
    };

    await compareStage(
      { checkout: { run: note, runKeeping: note, operator: (...words) => note('operator', ...words) } },
      { stage: 'prod', file: 'diff.txt' },
    );

    expect(ran).toEqual([
      'operator --stage prod preflight --no-import',
      'diff.txt cdk diff -c stage=prod --method template --fail-on never --no-color',
    ]);
  });
});
