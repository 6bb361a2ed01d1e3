import type { DeployedProject } from './deployed-project.ts';
import { guideMinimum } from './guide-minimum.ts';
import { type GuidePolicy, guidePolicy } from './guide-policy.ts';
import type { Edit } from './project-copy.ts';
import { runSteps, workflowJobs } from './workflow.ts';

type Replaced = Omit<Edit, 'file'>;

/** What an operator writes into the fields of a stage's file. */
const known = {
  staging: {
    oidc: { from: 'id.staging.example.com', to: 'id.staging.marquee.dev' },
    'ott.entitlement.url': { from: 'entitlement.example.com', to: 'entitlement.marquee.dev' },
    'ott.defaultApplication': { from: "defaultApplication: 'example'", to: "defaultApplication: 'demo'" },
  },
  prod: {
    alarmEmails: { from: 'alarmEmails: []', to: "alarmEmails: ['operators@marquee.dev']" },
    monthlyBudget: { from: 'firewall: {', to: 'monthlyBudget: 2_000,\n  firewall: {' },
    'publicBaseUrls.base': {
      from: 'publicBaseUrls: {}',
      to: "publicBaseUrls: { base: 'https://api.marquee.dev' }",
    },
    oidc: { from: 'id.example.com', to: 'id.marquee.dev' },
    'ott.entitlement.url': { from: 'entitlement.example.com', to: 'entitlement.marquee.dev' },
    'ott.playback': {
      from: "domain: 'example.com', origins: ['https://www.example.com']",
      to: "domain: 'marquee.dev', origins: ['https://www.marquee.dev']",
    },
    'ott.defaultApplication': { from: "defaultApplication: 'example'", to: "defaultApplication: 'demo'" },
  },
} as const satisfies Record<string, Readonly<Record<string, Replaced>>>;

type PipelineStage = keyof typeof known;

/** The edit of a stage's file that fills in the field. */
export const filledIn = (stage: PipelineStage, field: string): Edit => {
  const edits: Readonly<Record<string, Replaced>> = known[stage];
  const edit = edits[field];
  if (edit === undefined) throw new Error(`nothing is known of ${field}`);
  return { file: `config/${stage}.ts`, ...edit };
};

/** The edits that the guide asks for at least. */
export const guideEdits = (stage: PipelineStage): Edit[] =>
  guideMinimum(stage).map((field) => filledIn(stage, field));

export const deployingPolicy = (): GuidePolicy => ofLocalStack('The policy for deploying');
export const comparingPolicy = (): GuidePolicy => ofLocalStack('The policy for comparing');

const ofLocalStack = (heading: string): GuidePolicy =>
  guidePolicy(heading, { ACCOUNT: '000000000000', REGION: 'us-east-1', STAGE: 'local' });

export const deployJobs = workflowJobs('deploy.yml');

/** Runs a job of deploy.yml in the checkout, with the values of its expressions. */
export const runDeployJob = (
  project: Pick<DeployedProject, 'shell'>,
  job: string,
  values: Readonly<Record<string, string>>,
) => runSteps(deployJobs.get(job) ?? [], { shell: project.shell, value: (expression) => values[expression] });

/** What the workflow's input is if alarms may end the deployment. */
export const watched = { "inputs.without_triggers || ''": '' };
export const unwatched = { "inputs.without_triggers || ''": 'true' };

/** The alarms that may end deployments of the stage. */
export const rollbackTriggers = async (project: DeployedProject): Promise<readonly string[]> =>
  (await project.system().stackOutput('RollbackTriggerArns')).split(',');

/** The alarms that were handed to the last `cdk deploy`. */
export const watchedByLastDeployment = (project: Pick<DeployedProject, 'cdkCalls'>): readonly string[] => {
  const last = project.cdkCalls().findLast(({ words: [command] }) => command === 'deploy');
  return (last?.words ?? []).filter(
    (_, index, words) => words[index - 1] === '--rollback-trigger-alarm-arns',
  );
};
