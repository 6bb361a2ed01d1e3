import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { fingerprintOf } from 'template-runtime/assembly/synthesize.ts';
import { prod } from '../../../config/prod.ts';
import { parseStage, type StageConfig, type StageInput } from '../../../config/stage.ts';
import { stageNamed } from '../../../config/stages.ts';
import { app } from '../../../local/app.ts';

const ownFile = 'test/support/platform/stack.ts';

export interface StackResource {
  readonly Type: string;
  // A resource may have any property that CloudFormation allows. Each assertion checks only a few.
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly Metadata?: Readonly<Record<string, unknown>>;
}

export interface StackTemplate {
  readonly Parameters?: Readonly<Record<string, unknown>>;
  readonly Resources: Readonly<Record<string, StackResource>>;
  readonly Outputs: Readonly<Record<string, { readonly Value: unknown }>>;
}

export interface SynthesizedStack {
  readonly template: StackTemplate;
  readonly terminationProtection: boolean;
}

/** The template of a stage as `cdk synth` makes it, without bundling the functions. */
export const templateOf = (stageName: string): StackTemplate => synthesize(stageNamed(stageName)).template;

/** The stack of a stage that no file in config/ describes. */
export const stackOf = (input: StageInput): SynthesizedStack => synthesize(parseStage('the test', input));

/** Its template. */
export const templateOfStage = (input: StageInput): StackTemplate => stackOf(input).template;

/** The stacks that tests have synthesized from the current sources, for all their processes and for the next run. */
const cacheDirectory = join(app.root, 'node_modules/.cache/marquee/stacks');

const currentStacks = (): string => {
  const directory = join(
    cacheDirectory,
    fingerprintOf({ app: { ...app, sources: [...app.sources, ownFile] }, context: {}, templateOnly: true }),
  );
  mkdirSync(directory, { recursive: true });
  for (const earlier of readdirSync(cacheDirectory)) {
    if (!directory.endsWith(earlier)) rmSync(join(cacheDirectory, earlier), { recursive: true, force: true });
  }
  return directory;
};

let stacks: string | undefined;

/** Those of this process. */
const synthesized = new Map<string, SynthesizedStack>();

/** A synthesis takes most of a second, and many tests use the same stages. */
const synthesize = (stage: StageConfig): SynthesizedStack => {
  const key = createHash('sha256').update(serialize(stage)).digest('hex');
  const known = synthesized.get(key);
  if (known !== undefined) return known;
  stacks ??= currentStacks();
  const file = join(stacks, `${key}.json`);
  if (!existsSync(file)) {
    // Another process may be synthesizing the same stage.
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, JSON.stringify(synthesizeAnew(stage)));
    renameSync(unfinished, file);
  }
  const stack: SynthesizedStack = JSON.parse(readFileSync(file, 'utf8'));
  synthesized.set(key, stack);
  return stack;
};

const load = createRequire(import.meta.url);

/**
 * Skips the CDK's CloudFormation validation, which takes longer than everything else together. `npm run check`
 * validates every stage, and the tests of the rules cover what other stages may contain. The CDK is loaded only here,
 * because loading it takes a second.
 */
const synthesizeAnew = (stage: StageConfig): SynthesizedStack => {
  const { App }: typeof import('aws-cdk-lib') = load('aws-cdk-lib');
  const { addStage, appContext }: typeof import('../../../lib/app.ts') = load('../../../lib/app.ts');
  const outdir = mkdtempSync(join(tmpdir(), 'marquee-stack-'));
  try {
    const cdkApp = new App({
      outdir,
      context: { ...appContext, 'aws:cdk:bundling-stacks': [] },
      builtinCloudFormationValidation: false,
    });
    const { stackName } = addStage(cdkApp, stage);
    const { template, terminationProtection = false } = cdkApp.synth().getStackByName(stackName);
    return { template, terminationProtection };
  } finally {
    rmSync(outdir, { recursive: true });
  }
};

/** The resources of one type, by logical id. */
export function resourcesOf(
  template: StackTemplate,
  type: string,
): Array<[id: string, resource: StackResource]> {
  return Object.entries(template.Resources).filter(([, { Type }]) => Type === type);
}

/** A vault of another Region, for the stages of tests that make backups. */
export const copiesVault = 'arn:aws:backup:eu-west-1:111122223333:backup-vault:marquee-copies';

/** The section of the runbook that each alarm of a stage names, also each alarm that prod has only on request. */
export const sectionsOfAlarms = (): string[] =>
  resourcesOf(templateOfStage({ ...prod, backup: { copyTo: copiesVault } }), 'AWS::CloudWatch::Alarm').map(
    ([, { Properties }]) => /docs\/runbook\.md#(.+)$/.exec(String(Properties.AlarmDescription))?.[1] ?? '',
  );
