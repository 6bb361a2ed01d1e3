import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setInterval } from 'node:timers/promises';
import { CloudWatchClient, SetAlarmStateCommand } from '@aws-sdk/client-cloudwatch';
import { waitFor } from 'template-runtime/testing/wait.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { confirming, startCustomerEndpoint } from '../../support/notifications/customer-endpoint.ts';
import { callApi } from '../../support/platform/api-client.ts';
import { type DeployedProject, startDeployedProject } from '../../support/platform/deployed-project.ts';
import { lessOneAction } from '../../support/platform/guide-policy.ts';
import {
  deployingPolicy,
  deployJobs,
  guideEdits,
  rollbackTriggers,
  runDeployJob,
  unwatched,
  watched,
  watchedByLastDeployment,
} from '../../support/platform/release-pipeline.ts';
import { remedy } from '../../support/platform/remedy.ts';
import { operatorInProcess } from '../../support/stage/console/operator-in-process.ts';

const patience = { interval: 200 };
const policy = deployingPolicy();

let project: DeployedProject;
let endpoint: Awaited<ReturnType<typeof startCustomerEndpoint>>;
let key: string;

beforeAll(async () => {
  project = await startDeployedProject(
    'staging',
    ...guideEdits('staging'),
    // As many as the local system has, which is the stage's stack.
    { file: 'config/staging.ts', from: 'chainId: 80_002,', to: 'chainId: 80_002, signers: 3,' },
  );
  endpoint = await startCustomerEndpoint(confirming);
});
afterAll(async () => {
  await project?.dispose();
  await endpoint?.stop();
});

/** Runs a line of shell in the checkout, which must not fail. Returns what it prints. */
const succeeded = async (line: string): Promise<string> => {
  const { exitCode, output } = await project.shell(line);
  expect({ exitCode, failure: exitCode === 0 ? '' : output }).toEqual({ exitCode: 0, failure: '' });
  return output;
};

describe('the deployment workflow', () => {
  it('treats prod like staging, but shows the differences before the approval', () => {
    const linesOf = (job: string) =>
      (deployJobs.get(job) ?? []).map(({ run, env }) => ({
        run: run.replace(/\b(staging|prod)\b/g, 'STAGE'),
        env,
      }));
    const [install, compare, ...rest] = linesOf('staging');

    expect(linesOf('compare-prod')).toEqual([install, compare]);
    expect(linesOf('prod')).toEqual([install, ...rest]);
    expect(rest).toHaveLength(2);
  });
});

describe('the stage staging', () => {
  it('is deployed for the first time by one command, without rollback alarms', async () => {
    await succeeded('npm run -s release -- deploy staging --yes');

    expect(watchedByLastDeployment(project)).toEqual(['none']);
    expect(project.cdkCalls().at(-1)?.folder).toBe(project.copy.root);
  });

  it('is deployed by each step of the job, from checkout to smoke, with the fields that the guide names and the policy for deploying', async () => {
    const operator = operatorInProcess(join(project.system().stateDirectory, 'outputs.json'));
    ({ api_key: key } = JSON.parse(await operator('--json', 'applications', 'create', 'our-own')));
    await operator('subscriptions', 'add', 'our-own', endpoint.url, '--wait');
    await project.actAs('pipeline', policy);

    const steps = await runDeployJob(project, 'staging', { ...watched, 'secrets.SMOKE_API_KEY': key });

    expect(steps.filter(({ exitCode }) => exitCode !== 0)).toEqual([]);
    expect(steps).toHaveLength(3);
    expect(steps.at(-1)?.output).toMatch(/(\d+) of \1 checks passed/);
    expect(watchedByLastDeployment(project)).toEqual(await rollbackTriggers(project));
    expect(readFileSync(join(project.copy.root, 'diff.txt'), 'utf8')).toContain('stage=staging');
  });

  it.each(lessOneAction(policy).filter(({ sid }) => /^(Smoke|Watch)/.test(sid)))(
    'cannot be monitored, and checked with smoke, without the permission $action',
    async ({ action, policy: less }) => {
      await project.actAs(action.replace(':', '-'), less);

      const steps = await runDeployJob(project, 'staging', { ...watched, 'secrets.SMOKE_API_KEY': key });

      expect(steps.at(-1)).not.toMatchObject({ exitCode: 0 });
      expect(steps.at(-1)?.output).toContain(action);
    },
  );

  it('is not deployed while one of its alarms is on, unless without rollback triggers', async () => {
    await project.actAs('mender', policy);
    const [arn = ''] = await rollbackTriggers(project);
    const name = arn.slice(arn.indexOf(':alarm:') + ':alarm:'.length);
    const cloudwatch = new CloudWatchClient(project.system().aws);
    const setRed = () =>
      cloudwatch.send(
        new SetAlarmStateCommand({ AlarmName: name, StateValue: 'ALARM', StateReason: 'of the test' }),
      );
    await setRed();
    // CloudWatch evaluates the alarm again within a minute, and finds it green.
    const isDeployed = new AbortController();
    const redAgain = (async () => {
      for await (const _ of setInterval(1_000, undefined, { signal: isDeployed.signal })) await setRed();
    })().catch(() => {});
    const before = project.cdkCalls().length;

    const { exitCode, output } = await project.shell('npm run -s release -- deploy staging --yes');
    remedy('a-deployment-while-an-alarm-is-red', 'release deploy');
    isDeployed.abort();
    await redAgain;

    expect({ exitCode, output }).toMatchObject({ exitCode: 1 });
    expect(output).toContain(`${name} is red`);
    expect(project.cdkCalls()).toHaveLength(before);
    const steps = await runDeployJob(project, 'staging', { ...unwatched, 'secrets.SMOKE_API_KEY': key });
    expect(steps.filter((step) => step.exitCode !== 0)).toEqual([]);
    expect(watchedByLastDeployment(project)).toEqual(['none']);
  });
});

describe('a rollback of a stage', () => {
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...words], {
      cwd: project.copy.root,
      stdio: 'pipe',
    });
  const release = (tag: string) => {
    git('add', '--all');
    git('commit', '--quiet', '--message', tag);
    git('tag', tag);
  };
  const document = () => callApi(`${project.system().outputs.base_url}/openapi.json`);
  const contracts = () => `${project.system().outputs.base_url}/api/v1/nft/contracts`;

  it('deploys the release before a faulty one, which continues with the data of the faulty one', async () => {
    git('init', '--quiet');
    release('v1.0.0');
    const handler = join(project.copy.root, 'functions/platform/get-document/handler.ts');
    writeFileSync(
      handler,
      readFileSync(handler, 'utf8').replace(
        'stageDocument(document, addresses)',
        '(() => { throw new Error("of the test"); })()',
      ),
    );
    release('v1.1.0');
    await succeeded('npm run -s release -- deploy staging --yes --without-triggers');
    expect(await document()).toMatchObject({ status: 500 });
    const body = { name: 'Seats', symbol: 'SEAT', chain: 'MATIC' };
    const { json } = await callApi<{ readonly address: string }>(contracts(), { key, body });

    remedy('an-api-answers-5xx', 'release rollback');
    const output = await succeeded('npm run -s release -- rollback staging --yes');

    expect(output).toContain('Rolls back staging to v1.0.0.');
    expect(await document()).toMatchObject({ status: 200 });
    expect(watchedByLastDeployment(project)).toEqual(['none']);
    await waitFor(async () => {
      const made = await callApi(`${contracts()}/${json.address}`, { key });
      expect(made.json).toMatchObject({ status: 'confirmed' });
    }, patience);
    expect(git('worktree', 'list').toString().trim().split('\n')).toHaveLength(1);
  });

  it('cannot go back from the first release, and the error names the option that names another release', async () => {
    git('checkout', '--quiet', 'v1.0.0');

    const { exitCode, output } = await project.shell('npm run -s release -- rollback staging --yes');

    expect({ exitCode, output }).toEqual({
      exitCode: 1,
      output: expect.stringContaining('name it with --to'),
    });
  });
});
