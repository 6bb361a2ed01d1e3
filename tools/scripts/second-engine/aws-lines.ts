import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CloudFormationClient, DescribeStackResourcesCommand } from '@aws-sdk/client-cloudformation';
import { CloudWatchLogsClient, DescribeSubscriptionFiltersCommand } from '@aws-sdk/client-cloudwatch-logs';
import { logSearchOf } from '../../../operator/stage/find/log-search.ts';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import { deliveryLogGroups } from '../../../test/support/platform/delivery-log-groups.ts';
import { type GuidePolicy, guidePolicy } from '../../../test/support/platform/guide-policy.ts';
import { type CommandBlock, commandBlocks } from '../../../test/support/platform/markdown-commands.ts';
import { remedy } from '../../../test/support/platform/remedy.ts';
import { sectionsOf } from '../../../test/support/platform/runbook.ts';
import { resourcesOf, templateOf } from '../../../test/support/platform/stack.ts';
import type { System } from '../../../test/support/platform/system.ts';
import { installAwsCommandLine, pathWithAws } from './aws-command-line.ts';
import { outside } from './outside.ts';
import type { Verdict } from './verdict.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Why a block that runs only on AWS is not pasted here. `undefined` for a block that is. */
export const exemption = ({ commands }: Pick<CommandBlock, 'commands'>): string | undefined => {
  if (/^(npx cdk|npm run -s release --) /m.test(commands)) return 'it needs the CDK and an account';
  const lines = commands.replaceAll('\\\n', ' ').split('\n');
  if (lines.every((line) => line === '' || line.startsWith('npm run -s operator -- '))) {
    return 'the tests of the policies run every operator command';
  }
  return undefined;
};

/** The pages for operators. */
const awsPages = [
  'docs/operator-guide.md',
  'docs/events.md',
  'docs/policies.md',
  'docs/stage-file.md',
  'docs/runbook.md',
] as const;
type AwsPage = (typeof awsPages)[number];

export const awsBlocks = () =>
  [...awsPages, 'docs/scale.md'].flatMap((document) =>
    commandBlocks(document)
      .filter(({ remark }) => remark === 'AWS only')
      .map((block) => ({ ...block, document })),
  );

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

/** What the lines are about. */
const subjectsOf = async (system: System) => {
  const [key = ''] = (await system.stackOutput('SignerKeyIds')).split(',');
  const filter = await physicalIdOf(system, 'AWS::Logs::SubscriptionFilter', 'UserDataRecordDelivered');
  const { delivered: group } = deliveryLogGroups(await system.stackOutput('TopicArn'));
  const { subscriptionFilters = [] } = await new CloudWatchLogsClient(system.aws).send(
    new DescribeSubscriptionFiltersCommand({ logGroupName: group, filterNamePrefix: filter }),
  );
  return {
    key,
    topic: await system.stackOutput('AlarmTopicArn'),
    mapping: await physicalIdOf(system, 'AWS::Lambda::EventSourceMapping'),
    schedule: await physicalIdOf(system, 'AWS::Events::Rule', 'UserDataRecord'),
    watch: await physicalIdOf(system, 'AWS::Events::Rule', 'NftSignerWatch'),
    canary: await physicalIdOf(system, 'AWS::Events::Rule', 'Canary'),
    filter,
    group,
    pattern: subscriptionFilters[0]?.filterPattern ?? '',
    forwarder: subscriptionFilters[0]?.destinationArn ?? '',
    queue: (await system.stackOutput('RecordQueueUrl')).split('/').at(-1) ?? '',
    region: system.aws.region,
    publisher: await system.stackOutput('PublisherFunction'),
    api: await physicalIdOf(system, 'AWS::ApiGateway::RestApi', 'BaseApi'),
    server: new URL(system.outputs.base_url).origin,
  };
};
type Subjects = Awaited<ReturnType<typeof subjectsOf>>;

interface Line extends Pick<Step, 'name' | 'policy'> {
  /** @default the runbook */
  readonly page?: AwsPage;
  readonly section: string;
  /** The words with which each line begins. */
  readonly commands: readonly string[];
  readonly placeholders?: (subjects: Subjects) => Readonly<Record<string, string>>;
  readonly fault?: (subjects: Subjects) => string;
  readonly expected?: (subjects: Subjects) => string;
}

const keyState = (key: string) =>
  `aws kms describe-key --key-id '${key}' --query KeyMetadata.KeyState --output text`;
const disabled = (rule: string) => `aws events disable-rule --name '${rule}'`;
const isEnabled = (rule: string) =>
  `test "$(aws events describe-rule --name '${rule}' --query State --output text)" = ENABLED`;

/** The `aws` lines in the text of the pages that are pasted, each after its fault. */
export const pastedLines: readonly Line[] = [
  {
    name: 'a key whose deletion is scheduled',
    section: 'a-key-cannot-be-used',
    commands: [remedy('a-key-cannot-be-used', 'aws kms cancel-key-deletion').join(' ')],
    placeholders: ({ key }) => ({ '<part>': key }),
    fault: ({ key }) => `aws kms schedule-key-deletion --key-id '${key}'`,
    expected: ({ key }) => `test "$(${keyState(key)})" = Disabled`,
  },
  {
    name: 'a key that is disabled',
    section: 'a-key-cannot-be-used',
    commands: [remedy('a-key-cannot-be-used', 'aws kms enable-key').join(' ')],
    placeholders: ({ key }) => ({ '<part>': key }),
    expected: ({ key }) => `test "$(${keyState(key)})" = Enabled`,
  },
  {
    name: 'a mapping that is disabled',
    section: 'a-part-is-switched-off',
    commands: [
      'aws lambda get-event-source-mapping',
      remedy('a-part-is-switched-off', 'aws lambda update-event-source-mapping').join(' '),
    ],
    placeholders: ({ mapping }) => ({ '<part>': mapping }),
    fault: ({ mapping }) => `aws lambda update-event-source-mapping --uuid '${mapping}' --no-enabled`,
    expected: ({ mapping }) =>
      `test "$(aws lambda get-event-source-mapping --uuid '${mapping}' --query State --output text)" = Enabled`,
  },
  {
    name: 'a schedule that is disabled',
    section: 'a-part-is-switched-off',
    commands: [remedy('a-part-is-switched-off', 'aws events enable-rule').join(' ')],
    placeholders: ({ schedule }) => ({ '<part>': schedule }),
    fault: ({ schedule }) => disabled(schedule),
    expected: ({ schedule }) => isEnabled(schedule),
  },
  {
    name: "the canary's schedule that is disabled",
    section: 'the-canary-is-silent',
    commands: [remedy('the-canary-is-silent', 'aws events enable-rule').join(' ')],
    placeholders: ({ canary }) => ({ '<rule>': canary }),
    fault: ({ canary }) => disabled(canary),
    expected: ({ canary }) => isEnabled(canary),
  },
  {
    name: "the signer watch's schedule that is disabled",
    section: 'nobody-watches-the-signers',
    commands: [remedy('nobody-watches-the-signers', 'aws events enable-rule').join(' ')],
    placeholders: ({ watch }) => ({ '<rule>': watch }),
    fault: ({ watch }) => disabled(watch),
    expected: ({ watch }) => isEnabled(watch),
  },
  {
    name: 'a subscription filter that is removed',
    section: 'a-part-is-switched-off',
    commands: [
      'aws cloudformation list-stack-resources',
      remedy('a-part-is-switched-off', 'aws logs put-subscription-filter').join(' '),
    ],
    placeholders: ({ group, filter, forwarder, queue, region }) => ({
      '<stage>': 'local',
      '<part>': group,
      '<name>': filter,
      '<ARN of the queue>': `arn:aws:sqs:${region}:000000000000:${queue}`,
      '<ARN of the function>': forwarder,
    }),
    fault: ({ group, filter }) =>
      `aws logs delete-subscription-filter --log-group-name '${group}' --filter-name '${filter}'`,
    expected: ({ group, filter, pattern, forwarder }) =>
      `test "$(aws logs describe-subscription-filters --log-group-name '${group}' --output text \
        --query 'subscriptionFilters[].[filterName, filterPattern, destinationArn]')" = \
        '${[filter, pattern, forwarder].join('\t')}'`,
  },
  {
    name: 'an API that no address leads to',
    section: 'a-public-address-does-not-answer',
    commands: [
      remedy('a-public-address-does-not-answer', 'aws apigateway create-base-path-mapping').join(' '),
    ],
    placeholders: ({ api }) => ({ '<domain>': 'api.example.com', '<id>': api, '<stage>': 'local' }),
    fault: () => 'aws apigateway delete-base-path-mapping --domain-name api.example.com --base-path base',
    expected: ({ server }) => `curl -sf '${server}/api/v3/ott/events/'`,
  },
  {
    name: 'a function that may not run',
    section: 'a-function-is-throttled',
    commands: [
      'aws lambda get-function-concurrency',
      remedy('a-function-is-throttled', 'aws lambda delete-function-concurrency').join(' '),
    ],
    placeholders: ({ publisher }) => ({ '<name>': publisher }),
    fault: ({ publisher }) =>
      `aws lambda put-function-concurrency --function-name '${publisher}' --reserved-concurrent-executions 0`,
    expected: ({ publisher }) =>
      `test -z "$(aws lambda get-function-concurrency --function-name '${publisher}')"`,
  },
  {
    name: 'the resource policies of the account',
    page: 'docs/operator-guide.md',
    section: 'quotas',
    commands: ['aws logs describe-resource-policies'],
  },
  {
    name: 'an address of alarms that did not confirm',
    policy: 'The policy for the command line',
    section: 'alarms-reach-nobody',
    commands: [remedy('alarms-reach-nobody', 'aws sns subscribe').join(' ')],
    placeholders: ({ topic }) => ({ '<topic>': topic, '<address>': 'alarms@example.com' }),
    expected: ({ topic }) =>
      `aws sns list-subscriptions-by-topic --topic-arn '${topic}' | grep -q alarms@example.com`,
  },
];

const noFirewall = 'the local endpoint has no firewall';
const indexesAtOnce = 'a local table has a new index at once';
const failedDeployment = 'a deployment that failed leaves no stack and no events in the local system';

/** Why an `aws` line in the text of a page is not pasted. */
export const unpastedLines: Readonly<Record<string, string>> = {
  'docs/operator-guide.md#a-cloudfront-distribution-in-front: aws cloudfront create-distribution':
    'the local endpoint has no distributions',
  'docs/operator-guide.md#a-cloudfront-distribution-in-front: aws wafv2 associate-web-acl': noFirewall,
  'docs/operator-guide.md#a-cloudfront-distribution-in-front: aws wafv2 get-web-acl-for-resource': noFirewall,
  'docs/operator-guide.md#a-new-stage-with-the-old-keys: aws kms tag-resource':
    'the local endpoint tags no keys',
  'docs/operator-guide.md#see-the-state-of-a-stage: aws cloudtrail lookup-events':
    'the local endpoint records no calls for CloudTrail',
  'docs/stage-file.md#the-stages-file: aws logs delete-log-group': noFirewall,
  'docs/operator-guide.md#upgrades: aws dynamodb describe-table': indexesAtOnce,
  'docs/policies.md#who-may-do-what: aws iam create-policy':
    'the local endpoint gives a policy to a user without IAM',
  'docs/runbook.md#a-deployment-is-rolled-back: aws cloudformation describe-stack-events': failedDeployment,
  'docs/runbook.md#a-deployment-is-rolled-back: aws dynamodb update-table': indexesAtOnce,
  'docs/runbook.md#a-first-deployment-fails: aws cloudformation describe-stack-events': failedDeployment,
  'docs/runbook.md#a-first-deployment-fails: aws cloudformation list-change-sets': failedDeployment,
  'docs/runbook.md#a-first-deployment-fails: aws cloudformation update-termination-protection':
    failedDeployment,
  'docs/runbook.md#a-first-deployment-fails: aws dynamodb update-table': failedDeployment,
};

const awsCodeOf = (page: AwsPage) =>
  sectionsOf(readFileSync(join(root, page), 'utf8')).flatMap(({ anchor, code }) =>
    code.filter((each) => /^aws [a-z]/.test(each)).map((each) => ({ page, anchor, code: each })),
  );

/** The `aws` lines in the text of the pages, each as its page, its section and its first words. */
export const writtenLines = (): string[] =>
  awsPages.flatMap((page) =>
    awsCodeOf(page).map(({ anchor, code }) => `${page}#${anchor}: ${code.split(' ').slice(0, 3).join(' ')}`),
  );

/** The name by which `writtenLines` and `unpastedLines` know a line. */
export const namesOf = ({ page = 'docs/runbook.md', section, commands }: Line): string[] =>
  commands.map((command) => `${page}#${section}: ${command}`);

/** The lines of the page that begin with these commands, with their placeholders replaced. */
const written = (
  { page = 'docs/runbook.md', section, commands, placeholders }: Line,
  subjects: Subjects,
): string =>
  commands
    .map((command) => {
      const found = awsCodeOf(page).find(
        ({ anchor, code }) => anchor === section && code.startsWith(command),
      );
      if (found === undefined) throw new Error(`${page}#${section} has no "${command}"`);
      return Object.entries(placeholders?.(subjects) ?? {}).reduce(
        (text, [name, value]) => text.replaceAll(name, `'${value}'`),
        found.code,
      );
    })
    .join('\n');

const logSearch = logSearchOf({ stage: 'prod', isLocal: false }, systemClock);

const stepsOf = async (system: System): Promise<Step[]> => {
  const subjects = await subjectsOf(system);
  const blocks = awsBlocks().filter((block) => exemption(block) === undefined);
  return [
    ...blocks.map(({ document, line, commands }) => ({
      name: `${document}:${line}`,
      commands: `SIGNER_KEY_ID='${subjects.key}'\nOTHER_REGION='eu-west-1'\n${commands}`,
    })),
    // The local endpoint searches no logs, so the command line only judges the options.
    {
      name: 'the search for a request id, as `find` prints it',
      commands: `${logSearch('0b5c9f9e-38f0-4ec3-9a5b-0123456789ab').command} --generate-cli-skeleton output`,
    },
    ...pastedLines.map((line) => ({
      name: line.name,
      ...(line.policy !== undefined && { policy: line.policy }),
      ...(line.fault && { fault: line.fault(subjects) }),
      commands: written(line, subjects),
      ...(line.expected && { expected: line.expected(subjects) }),
    })),
  ];
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
 * Pastes the blocks of the pages that run only on AWS, the `aws` lines of the runbook after their fault was made, and
 * the one that `find` prints, into the AWS command line. It calls the local endpoint, which judges each call by a policy
 * of the operator guide.
 */
export const checkAwsLines = async (started: () => Promise<System>): Promise<Verdict> => {
  const missing = await installAwsCommandLine();
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
        PATH: pathWithAws(),
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
    rmSync(folder, { recursive: true, force: true });
  }
};
