import { createRequire } from 'node:module';
import { type App, Tags, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import type { StageConfig } from '../config/stage.ts';
import { MarqueeStack } from './marquee-stack.ts';

const recommendedFlags: Record<string, unknown> = createRequire(import.meta.url)(
  'aws-cdk-lib/recommended-feature-flags.json',
);

/** Settings of the app, however it is started: by the CDK's command line, by `npm start` or by a test. */
export const appContext: Readonly<Record<string, unknown>> = {
  ...recommendedFlags,
  // What CloudFormation would refuse, above all a cycle, stops the synthesis.
  '@aws-cdk/core:validateAgainstDefaultRules': true,
  // CloudFormation takes 500. The CDK remarks on four fifths of this number, and `npm run check` stops above 480.
  '@aws-cdk/core:stackResourceLimit': 600,
};

/** The one stack of a stage, with the rules that it must pass. */
export function addStage(app: App, stage: StageConfig): MarqueeStack {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
  const stack = new MarqueeStack(app, stage);
  // CloudFormation supports no tags on a dashboard.
  const excludeResourceTypes = ['AWS::CloudWatch::Dashboard'];
  Tags.of(stack).add('service', 'marquee', { excludeResourceTypes });
  Tags.of(stack).add('stage', stage.name, { excludeResourceTypes });
  return stack;
}
