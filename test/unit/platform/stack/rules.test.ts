import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, CfnResource, Stack } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stageNamed } from '../../../../config/stages.ts';
import { addStage, appContext } from '../../../../lib/app.ts';

const parameter = { type: 'AWS::SSM::Parameter', properties: { Type: 'String', Value: 'value' } };

/**
 * One synthesis shows all, and of a small stack in the place of the stage's: to apply the rules to a whole stage takes
 * seconds.
 */
describe('the synthesis of a stack', () => {
  const outdir = mkdtempSync(join(tmpdir(), 'marquee-rules-'));
  let said: string;

  beforeAll(() => {
    const app = new App({ outdir, context: { ...appContext, 'aws:cdk:bundling-stacks': [] } });
    app.node.tryRemoveChild(addStage(app, stageNamed('local')).node.id);
    const stack = new Stack(app, 'Small');
    new Queue(stack, 'Open');
    const first = new CfnResource(stack, 'First', parameter);
    const second = new CfnResource(stack, 'Second', {
      ...parameter,
      properties: { Type: 'String', Value: first.ref },
    });
    first.addPropertyOverride('Value', second.ref);
    try {
      app.synth();
      said = 'nothing';
    } catch (error) {
      said = String(error);
    }
  });
  afterAll(() => rmSync(outdir, { recursive: true }));

  it('fails when a queue is neither encrypted nor restricted to TLS', () => {
    expect(said).toMatch(/AwsSolutions-SQS4/);
  });

  it('fails when resources refer to each other in a circle', () => {
    expect(said).toMatch(/Circular Dependencies for resource First/);
  });
});
