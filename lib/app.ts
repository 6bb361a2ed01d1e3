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
  // An error that CloudFormation would report, above all a dependency cycle, stops the synthesis.
  '@aws-cdk/core:validateAgainstDefaultRules': true,
  // CloudFormation accepts 500. The CDK warns at four fifths of the number here, and `npm run check` fails above 480.
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
