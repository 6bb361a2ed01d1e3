import { olderRecovery } from 'template-runtime/testing/older-recovery.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { confirming, startCustomerEndpoint } from '../../support/notifications/customer-endpoint.ts';
import { type DeployedProject, startDeployedProject } from '../../support/platform/deployed-project.ts';
import { guidePolicy } from '../../support/platform/guide-policy.ts';
import { runSteps, workflowJobs } from '../../support/platform/workflow.ts';

const values = { ACCOUNT: '000000000000', REGION: 'us-east-1', STAGE: 'local' };
/** The role of the workflow has each of these. */
const policies = [
  'The policy for deploying',
  'The policy for the command line',
  'The policy for setting up and repair',
  'The policy of the nightly account',
].map((heading) => guidePolicy(heading, values));

let project: DeployedProject;
let endpoint: Awaited<ReturnType<typeof startCustomerEndpoint>>;

beforeAll(async () => {
  project = await startDeployedProject(
    'nightly',
    // Fills in the files as the owner of the AWS account would. Only the chain is the local one instead of Amoy.
    { file: 'config/staging.ts', from: 'id.staging.example.com', to: 'id.staging.marquee.dev' },
    { file: 'config/staging.ts', from: 'entitlement.example.com', to: 'entitlement.marquee.dev' },
    { file: 'config/staging.ts', from: '80_002', to: '31_337' },
    // The local system makes its three keys itself.
    {
      file: 'config/nightly.ts',
      from: "signerKeys: ['arn:aws:kms:eu-central-1:123456789012:key/mrk-example']",
      to: 'signers: 3',
    },
    {
      file: 'config/local.ts',
      from: "name: 'local',",
      to: `name: 'local',
        firewall: { requestsPerAddress: 700_000, requestsPerKeyAndPath: 700_000, requestsPerAddressAndPath: 400 },`,
    },
  );
  endpoint = await startCustomerEndpoint(confirming);
});
afterAll(async () => {
  await project?.dispose();
  await endpoint?.stop();
});

const given: Readonly<Record<string, () => string>> = {
  'secrets.CHAIN_SECRET': () => JSON.stringify({ urls: [project.system().outputs.chain_rpc_url] }),
  'secrets.ENTITLEMENT_SECRET': () => '',
  'secrets.GEOLOCATION_SECRET': () => '',
  'vars.ENDPOINT': () => endpoint.url,
  'vars.DESTINATION': () => '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
};

describe('the nightly workflow', () => {
  it('deploys a stage into an empty account, mints, receives a notification, runs smoke, restores, rolls back and removes the stage', async () => {
    const steps = workflowJobs('nightly.yml').get('nightly') ?? [];

    const outcomes = await runSteps(steps, {
      shell: async (run, env) => {
        // A system that was just started has no state of some minutes ago.
        if (run.includes(' restore ')) olderRecovery(project.system().stateDirectory, 10 * 60_000);
        const outcome = await project.shell(run, env);
        if (run.includes(' deploy ')) {
          await project.actAs('nightly', {
            Version: '2012-10-17',
            Statement: policies.flatMap(({ Statement }) => Statement),
          });
        }
        return outcome;
      },
      value: (expression) => given[expression]?.(),
    });

    expect(outcomes.filter(({ exitCode }) => exitCode !== 0)).toEqual([]);
    expect(outcomes.map(({ run }) => / -- (?:--stage \w+ )?(\w+)/.exec(run)?.[1])).toEqual([
      'compare',
      'deploy',
      'fill',
      'walk',
      'restore',
      'deploy',
      'rehearse',
      'destroy',
    ]);
    expect(outcomes.find(({ run }) => run.includes(' walk '))?.output).toMatch(
      /is on the chain\.\n.*was delivered\.\n.*checks passed\.\nThe firewall refuses as it must\./s,
    );
    expect(endpoint.posted.map(({ body }) => body.operation_type)).toContain('token_update');
  });
});
