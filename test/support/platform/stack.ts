import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { App } from 'aws-cdk-lib';
import { prod } from '../../../config/prod.ts';
import { parseStage, type StageConfig, type StageInput } from '../../../config/stage.ts';
import { stageNamed } from '../../../config/stages.ts';
import { addStage, appContext } from '../../../lib/app.ts';

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

/**
 * Synthesized stacks by the stage's configuration. A synthesis takes most of a second, and the files of one process use
 * the same stages.
 */
const synthesized = new Map<string, SynthesizedStack>();

const synthesize = (stage: StageConfig): SynthesizedStack => {
  const key = serialize(stage).toString('base64');
  const stack = synthesized.get(key) ?? synthesizeAnew(stage);
  synthesized.set(key, stack);
  return stack;
};

/**
 * Skips the CDK's CloudFormation validation, which takes longer than everything else together. `npm run check`
 * validates every stage, and the tests of the rules cover what other stages may contain.
 */
const synthesizeAnew = (stage: StageConfig): SynthesizedStack => {
  const outdir = mkdtempSync(join(tmpdir(), 'marquee-stack-'));
  try {
    const app = new App({
      outdir,
      context: { ...appContext, 'aws:cdk:bundling-stacks': [] },
      builtinCloudFormationValidation: false,
    });
    const { stackName } = addStage(app, stage);
    const { template, terminationProtection = false } = app.synth().getStackByName(stackName);
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
