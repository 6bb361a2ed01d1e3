import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, CfnResource } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stageNamed } from '../../../../config/stages.ts';
import { addStage, appContext } from '../../../../lib/app.ts';

const parameter = { type: 'AWS::SSM::Parameter', properties: { Type: 'String', Value: 'value' } };

let outdir: string;

beforeEach(() => {
  outdir = mkdtempSync(join(tmpdir(), 'marquee-rules-'));
});

afterEach(() => {
  rmSync(outdir, { recursive: true });
});

const appOf = (): App => new App({ outdir, context: { ...appContext, 'aws:cdk:bundling-stacks': [] } });

describe('the synthesis of a stack', () => {
  const stackWith = (add: (stack: ReturnType<typeof addStage>) => void): App => {
    const app = appOf();
    add(addStage(app, stageNamed('local')));
    return app;
  };

  it('fails when a queue is neither encrypted nor restricted to TLS', () => {
    const app = stackWith((stack) => new Queue(stack, 'Open'));

    expect(() => app.synth()).toThrow(/AwsSolutions-SQS4/);
  });

  it('fails when resources refer to each other in a circle', () => {
    const app = stackWith((stack) => {
      const first = new CfnResource(stack, 'First', parameter);
      const second = new CfnResource(stack, 'Second', {
        ...parameter,
        properties: { Type: 'String', Value: first.ref },
      });
      first.addPropertyOverride('Value', second.ref);
    });

    expect(() => app.synth()).toThrow(/Circular Dependencies for resource First/);
  });
});
