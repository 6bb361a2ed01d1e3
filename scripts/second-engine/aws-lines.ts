import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CloudFormationClient, DescribeStackResourcesCommand } from '@aws-sdk/client-cloudformation';
import { CloudWatchLogsClient, DescribeSubscriptionFiltersCommand } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { type GuidePolicy, guidePolicy } from '../../test/support/guide-policy.ts';
import { type CommandBlock, commandBlocks } from '../../test/support/markdown-commands.ts';
import { olderRecovery } from '../../test/support/older-recovery.ts';
import { remedy } from '../../test/support/remedy.ts';
import { runbookSections } from '../../test/support/runbook.ts';
import { resourcesOf, templateOf } from '../../test/support/stack.ts';
import type { System } from '../../test/support/system.ts';
import { outside } from './outside.ts';
import { cacheDirectory, type Verdict } from './verdict.ts';

const version = '1.45.11';
const python = join(cacheDirectory, `awscli-${version}`, 'bin');
const root = fileURLToPath(new URL('../..', import.meta.url));

/** Why a block that runs only on AWS is not pasted here. `undefined` for a block that is. */
export const exemption = ({ commands }: Pick<CommandBlock, 'commands'>): string | undefined => {
  if (/^npx cdk /m.test(commands)) return 'it needs the CDK and an account';
  if (commands.split('\n').every((line) => line === '' || line.startsWith('npm run -s operator -- '))) {
    return 'the tests of the policies run every operator command';
  }
  return undefined;
};

export const awsBlocks = () =>
  ['docs/operator-guide.md', 'docs/runbook.md', 'docs/scale.md'].flatMap((document) =>
    commandBlocks(document)
      .filter(({ remark }) => remark === 'AWS only')
      .map((block) => ({ ...block, document })),
  );

const tools = async (): Promise<string | undefined> => {
  const made = await outside('python3', ['-m', 'venv', dirname(python)]);
  const installed = made.ok
    ? await outside(join(python, 'pip'), ['install', '--quiet', `awscli==${version}`])
    : made;
  return installed.ok ? undefined : `Python, or awscli, which pip downloads: ${installed.output}`;
};

interface Step {
  readonly name: string;
  /** Makes the fault, as somebody who may do everything. */
  readonly fault?: string;
  readonly commands: string;
  /** The heading of the policy under which they run. @default that for setting up and repair */
  readonly policy?: string;
  /** Fails if the commands had no effect. */
  readonly expected?: string;
}

/** The line of the runbook that begins with this command, with its placeholders replaced. */
const runbookLine = (
  anchor: string,
  command: readonly string[],
  values: Readonly<Record<string, string>>,
) => {
  const page = readFileSync(join(root, 'docs/runbook.md'), 'utf8');
  const words = command.join(' ');
  const line = runbookSections(page)
    .find((section) => section.anchor === anchor)
    ?.code.find((code) => code.startsWith(words));
  if (line === undefined) throw new Error(`the runbook's section ${anchor} has no "${words}"`);
  return Object.entries(values).reduce((text, [name, value]) => text.replaceAll(name, `'${value}'`), line);
};

const stepsOf = async (system: System): Promise<Step[]> => {
  const [key = ''] = (await system.stackOutput('SignerKeyIds')).split(',');
  const topic = await system.stackOutput('AlarmTopicArn');
  const mapping = await physicalIdOf(system, 'AWS::Lambda::EventSourceMapping');
  const schedule = await physicalIdOf(system, 'AWS::Events::Rule');
  const filter = await physicalIdOf(system, 'AWS::Logs::SubscriptionFilter');
  const { group, forwarder } = await forwarding(system, filter);
  const state = `aws kms describe-key --key-id '${key}' --query KeyMetadata.KeyState --output text`;
  const mappingLine = (command: string) =>
    runbookLine('a-part-is-switched-off', command.split(' '), { '<part>': mapping });
  const restore = await itemToRestore(system);
  const blocks = awsBlocks().filter((block) => exemption(block) === undefined);
  return [
    ...blocks.map(({ document, line, commands }) => ({
      name: `${document}:${line}`,
      ...(commands.includes('restore-table-to-point-in-time') && restore.steps),
      commands: `SIGNER_KEY_ID='${key}'\nTABLE='${restore.table}'\nSECOND='${restore.second}'\n${commands}`,
    })),
    {
      name: 'a key whose deletion is scheduled',
      fault: `aws kms schedule-key-deletion --key-id '${key}'`,
      commands: runbookLine(
        'a-key-cannot-be-used',
        remedy('a-key-cannot-be-used', 'aws kms cancel-key-deletion'),
        { '<part>': key },
      ),
      expected: `test "$(${state})" = Disabled`,
    },
    {
      name: 'a key that is disabled',
      commands: runbookLine('a-key-cannot-be-used', remedy('a-key-cannot-be-used', 'aws kms enable-key'), {
        '<part>': key,
      }),
      expected: `test "$(${state})" = Enabled`,
    },
    {
      name: 'a mapping that is disabled',
      fault: `aws lambda update-event-source-mapping --uuid '${mapping}' --no-enabled`,
      commands: [
        mappingLine('aws lambda get-event-source-mapping'),
        mappingLine(remedy('a-part-is-switched-off', 'aws lambda update-event-source-mapping').join(' ')),
      ].join('\n'),
      expected: `test "$(aws lambda get-event-source-mapping --uuid '${mapping}' --query State --output text)" = Enabled`,
    },
    {
      name: 'a schedule that is disabled',
      fault: `aws events disable-rule --name '${schedule}'`,
      commands: runbookLine(
        'a-part-is-switched-off',
        remedy('a-part-is-switched-off', 'aws events enable-rule'),
        { '<part>': schedule },
      ),
      expected: `test "$(aws events describe-rule --name '${schedule}' --query State --output text)" = ENABLED`,
    },
    {
      name: 'a subscription filter that is removed',
      fault: `aws logs delete-subscription-filter --log-group-name '${group}' --filter-name '${filter}'`,
      commands: runbookLine(
        'a-part-is-switched-off',
        remedy('a-part-is-switched-off', 'aws logs put-subscription-filter'),
        { '<part>': group, '<ARN of notifications/forward-deliveries>': forwarder },
      ),
      expected: `aws logs describe-subscription-filters --log-group-name '${group}' | grep -q '${forwarder}'`,
    },
    {
      name: 'an address of alarms that did not confirm',
      policy: 'The policy for the command line',
      commands: runbookLine('alarms-reach-nobody', remedy('alarms-reach-nobody', 'aws sns subscribe'), {
        '<topic>': topic,
        '<address>': 'alarms@example.com',
      }),
      expected: `aws sns list-subscriptions-by-topic --topic-arn '${topic}' | grep -q alarms@example.com`,
    },
  ];
};

/** The log group of a subscription filter, and the function to which it forwards. */
const forwarding = async (system: System, filter: string) => {
  const client = new CloudWatchLogsClient(system.aws);
  const [, , , , , topic] = (await system.stackOutput('TopicArn')).split(':');
  for (const group of [
    `sns/us-east-1/000000000000/${topic}`,
    `sns/us-east-1/000000000000/${topic}/Failure`,
  ]) {
    const { subscriptionFilters = [] } = await client.send(
      new DescribeSubscriptionFiltersCommand({ logGroupName: group }),
    );
    const found = subscriptionFilters.find(({ filterName }) => filterName === filter);
    if (found !== undefined) return { group, forwarder: found.destinationArn ?? '' };
  }
  throw new Error(`no log group has the filter ${filter}`);
};

/**
 * An item of a table that could be restored for ten minutes, with the fault that it is lost. The system that was just
 * started is made to look older.
 */
const itemToRestore = async (system: System) => {
  const table = await physicalIdOf(system, 'AWS::DynamoDB::Table', 'Applications');
  const { Items: [item] = [] } = await new DynamoDBClient(system.aws).send(
    new ScanCommand({ TableName: table, Limit: 1 }),
  );
  const of = `--table-name '${table}' --key '${JSON.stringify({ pk: item?.pk })}'`;
  olderRecovery(system.stateDirectory, 10 * 60_000);
  return {
    table,
    second: new Date(Date.now() - 6 * 60_000).toISOString(),
    steps: {
      fault: `aws dynamodb delete-item ${of}`,
      expected: `aws dynamodb get-item ${of} | grep -q Item`,
    },
  };
};

/** The physical id of one of the stage's resources of this type. */
const physicalIdOf = async (system: System, type: string, beginning = ''): Promise<string> => {
  const [LogicalResourceId] =
    resourcesOf(templateOf('local'), type).find(([id]) => id.startsWith(beginning)) ?? [];
  const client = new CloudFormationClient(system.aws);
  const { StackResources: [found] = [] } = await client.send(
    new DescribeStackResourcesCommand({ StackName: 'Marquee-local', LogicalResourceId }),
  );
  return found?.PhysicalResourceId ?? '';
};

/** Credentials of a user with this policy. The local endpoint judges each of its requests. */
const userWith = async (
  system: System,
  name: string,
  policy: GuidePolicy,
): Promise<System['aws']['credentials']> => {
  const response = await fetch(`${system.aws.endpoint}/_users`, {
    method: 'POST',
    body: JSON.stringify({ name: name.replaceAll(' ', '-'), policy }),
  });
  return (await response.json()) as System['aws']['credentials'];
};

/** The configuration file of the AWS command line, with the profile that the operator guide names. */
const configuration = (system: System, credentials: System['aws']['credentials']): string =>
  ['default', 'profile marquee-prod']
    .map((name) =>
      [
        `[${name}]`,
        `region = ${system.aws.region}`,
        `endpoint_url = ${system.aws.endpoint}`,
        `aws_access_key_id = ${credentials.accessKeyId}`,
        `aws_secret_access_key = ${credentials.secretAccessKey}`,
      ].join('\n'),
    )
    .join('\n\n');

/**
 * Pastes the blocks of the pages that run only on AWS, and the `aws` lines of the runbook after their fault was made,
 * into the AWS command line. It calls the local endpoint, which judges each call by a policy of the operator guide.
 */
export const checkAwsLines = async (started: () => Promise<System>): Promise<Verdict> => {
  const missing = await tools();
  if (missing !== undefined) return { missing };
  const system = await started();
  const folder = mkdtempSync(join(tmpdir(), 'marquee-aws-'));
  try {
    const values = { ACCOUNT: '000000000000', REGION: system.aws.region, STAGE: 'local' };
    const under = async (heading: string) =>
      run(heading, await userWith(system, heading, guidePolicy(heading, values)));
    const run = (name: string, credentials: System['aws']['credentials']) => {
      const file = join(folder, name);
      writeFileSync(file, configuration(system, credentials));
      const { AWS_PROFILE: _, AWS_REGION: __, ...environment } = process.env;
      const env = {
        ...environment,
        PATH: [python, process.env.PATH].join(delimiter),
        AWS_CONFIG_FILE: file,
        AWS_SHARED_CREDENTIALS_FILE: join(folder, 'none'),
        AWS_PAGER: '',
      };
      return (commands: string) => outside('bash', ['-euo', 'pipefail', '-c', commands], { cwd: root, env });
    };
    const asAnyone = run('anyone', system.aws.credentials);
    const findings: string[] = [];
    const steps = await stepsOf(system);
    for (const step of steps) {
      const { name, fault, commands, expected, policy = 'The policy for setting up and repair' } = step;
      const asPolicySays = await under(policy);
      const outcomes = [
        ...(fault === undefined ? [] : [await asAnyone(fault)]),
        await asPolicySays(commands),
        ...(expected === undefined ? [] : [await asAnyone(expected)]),
      ];
      const failed = outcomes.find(({ ok }) => !ok);
      if (failed !== undefined) findings.push(`${name}: ${failed.output}`);
    }
    return { checked: steps.length, findings };
  } finally {
    rmSync(join(root, 'copy-back.mjs'), { force: true });
    rmSync(folder, { recursive: true, force: true });
  }
};
