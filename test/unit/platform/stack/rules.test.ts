import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, CfnResource } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { prod } from '../../../../config/prod.ts';
import { parseStage, type StageInput } from '../../../../config/stage.ts';
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

describe('the synthesis of a stage', () => {
  const { firewall: _, ...withoutFirewall } = prod;
  const { defaultApplication: __, ...ott } = prod.ott;

  it.each<readonly [string, StageInput]>([
    [
      'has all that it may',
      {
        ...prod,
        protected: true,
        alarmEmails: ['operators@example.com'],
        nft: { ...prod.nft, signers: 12 },
        concurrency: prod.concurrency && { ...prod.concurrency, waiter: 12 },
        ott: { ...prod.ott, entitlement: { ...prod.ott.entitlement, lastKnownGoodSeconds: 120 } },
      },
    ],
    [
      'does with as little as it can',
      {
        ...withoutFirewall,
        retainData: false,
        nft: { ...prod.nft, signers: 1 },
        ott: { ...ott, playback: { signing: 'none' } },
      },
    ],
    [
      'is behind a distribution',
      {
        ...withoutFirewall,
        nft: { ...prod.nft, signers: 12 },
        concurrency: prod.concurrency && { ...prod.concurrency, waiter: 12 },
        ott: { ...prod.ott, behindDistribution: true },
      },
    ],
  ])('succeeds when the stage %s', (_, input) => {
    const app = appOf();
    addStage(app, parseStage('the test', input));

    expect(() => app.synth()).not.toThrow();
  });
});
