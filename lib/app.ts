import { createRequire } from 'node:module';
import { type App, Tags, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import type { StageConfig } from '../config/stage.ts';
import { MarqueeStack } from './marquee-stack.ts';

const recommendedFlags: Record<string, unknown> = createRequire(import.meta.url)(
  'aws-cdk-lib/recommended-feature-flags.json',
);

/** Settings that the app needs, whether the CDK's command line, `npm start` or a test creates it. */
export const appContext: Readonly<Record<string, unknown>> = {
  ...recommendedFlags,
  // The synthesis fails on an error that CloudFormation would report, in particular on a dependency cycle.
  '@aws-cdk/core:validateAgainstDefaultRules': true,
  // CloudFormation accepts at most 500 resources. The CDK warns at four fifths of the number here (490), and `npm run
  // check` fails above 490.
  '@aws-cdk/core:stackResourceLimit': 612,
};

/** Adds the one stack of a stage, and the plugins whose rules the stack must pass. */
export function addStage(app: App, stage: StageConfig): MarqueeStack {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
  const stack = new MarqueeStack(app, stage);
  // CloudFormation supports no tags on a dashboard.
  const excludeResourceTypes = ['AWS::CloudWatch::Dashboard'];
  Tags.of(stack).add('service', 'marquee', { excludeResourceTypes });
  Tags.of(stack).add('stage', stage.name, { excludeResourceTypes });
  return stack;
}
