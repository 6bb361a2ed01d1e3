import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GetTopicAttributesCommand, SNSClient, SubscribeCommand } from '@aws-sdk/client-sns';
import { waitFor } from 'template-runtime/testing/wait.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { confirming, startCustomerEndpoint } from '../../support/notifications/customer-endpoint.ts';
import { type DeployedProject, startDeployedProject } from '../../support/platform/deployed-project.ts';
import { guideMinimum } from '../../support/platform/guide-minimum.ts';
import {
  comparingPolicy,
  deployingPolicy,
  filledIn,
  guideEdits,
  rollbackTriggers,
  runDeployJob,
  watched,
  watchedByLastDeployment,
} from '../../support/platform/release-pipeline.ts';
import { operatorInProcess } from '../../support/stage/console/operator-in-process.ts';

let project: DeployedProject;
let endpoint: Awaited<ReturnType<typeof startCustomerEndpoint>>;
let key: string;

beforeAll(async () => {
  project = await startDeployedProject(
    'prod',
    ...guideEdits('prod'),
    // As many as the local system has, which is the stage's stack.
    { file: 'config/prod.ts', from: 'signers: 2,', to: 'signers: 3,' },
  );
  endpoint = await startCustomerEndpoint(confirming);
});
afterAll(async () => {
  await project?.dispose();
  await endpoint?.stop();
});

/** Replaces a text in the stage's file. */
const edit = (from: string, to: string): void => {
  const file = join(project.copy.root, 'config/prod.ts');
  const before = readFileSync(file, 'utf8');
  expect(before).toContain(from);
  writeFileSync(file, before.replace(from, to));
};

/** Lets somebody hear the alarms, as the owner of an address in `alarmEmails` who confirms the subscription. */
const hearAlarms = async (): Promise<void> => {
  const sns = new SNSClient(project.system().aws);
  const TopicArn = await project.system().stackOutput('AlarmTopicArn');
  await sns.send(new SubscribeCommand({ TopicArn, Protocol: 'http', Endpoint: endpoint.url }));
  await waitFor(async () => {
    const { Attributes } = await sns.send(new GetTopicAttributesCommand({ TopicArn }));
    expect(Attributes).toMatchObject({ SubscriptionsConfirmed: '1' });
  });
};

describe('the stage prod', () => {
  it.each(guideMinimum('prod'))(
    'is neither compared nor deployed without %s, which the guide names, and the refusal names it',
    async (field) => {
      const { from, to } = filledIn('prod', field);
      edit(to, from);

      const steps = await runDeployJob(project, 'compare-prod', watched);

      edit(from, to);
      expect(steps).toMatchObject([{ exitCode: 1, output: expect.stringContaining(field) }]);
      expect(project.cdkCalls()).toEqual([]);
    },
  );

  it('is deployed for the first time by hand, and is then set up, and only not protected yet', async () => {
    const deployed = await project.shell('npm run -s release -- deploy prod --yes');

    expect({ ...deployed, watchedBy: watchedByLastDeployment(project) }).toMatchObject({
      exitCode: 0,
      watchedBy: ['none'],
    });
    const operator = operatorInProcess(join(project.system().stateDirectory, 'outputs.json'));
    ({ api_key: key } = JSON.parse(await operator('--json', 'applications', 'create', 'our-own')));
    await operator('subscriptions', 'add', 'our-own', endpoint.url, '--wait');
    const smoke = 'npm run -s operator -- smoke --stage prod --notifications --alarms';
    const { output: unheard } = await project.shell(smoke, { SMOKE_API_KEY: key });
    expect(unheard).toContain('each address in alarmEmails must confirm');
    await hearAlarms();
    const { exitCode, output } = await project.shell(smoke, { SMOKE_API_KEY: key });
    expect({ exitCode, output }).toEqual({
      exitCode: 1,
      output: expect.stringMatching(/^1 of \d+ checks failed\.$/m),
    });
    expect(output).toContain('set protected: true in config/prod.ts');
  });

  it('is compared and deployed by each step of both jobs, from checkout to smoke, with the fields that the guide names and the policies of the jobs', async () => {
    edit('protected: false', 'protected: true');
    await project.actAs('comparing', comparingPolicy());
    const compared = await runDeployJob(project, 'compare-prod', watched);
    const difference = readFileSync(join(project.copy.root, 'diff.txt'), 'utf8');
    await project.actAs('deploying', deployingPolicy());
    const deployed = await runDeployJob(project, 'prod', { ...watched, 'secrets.SMOKE_API_KEY': key });

    expect([...compared, ...deployed].filter(({ exitCode }) => exitCode !== 0)).toEqual([]);
    expect([compared.length, deployed.length]).toEqual([1, 2]);
    expect(compared[0]?.output).toContain('1 of 15 values is unknown: the column `found` says why.');
    expect(deployed.at(-1)?.output).toMatch(/(\d+) of \1 checks passed/);
    expect(project.cdkCalls().map(({ words: [command] }) => command)).toEqual(['deploy', 'diff', 'deploy']);
    expect(watchedByLastDeployment(project)).toEqual(await rollbackTriggers(project));
    const [call, ...changed] = difference.trimEnd().split('\n');
    expect(call).toContain('stage=prod');
    // Only the protection: tables refuse to be deleted, and the policies of keys, too.
    expect(new Set(changed.map((line) => line.split(' ', 2).join(' ')))).toEqual(
      new Set(['[~] AWS::DynamoDB::Table', '[~] AWS::KMS::Key']),
    );
  });
});
