import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { prod } from '../../../config/prod.ts';
import { parseStage, type StageInput } from '../../../config/stage.ts';
import { addStage, appContext } from '../../../lib/app.ts';

let outdir: string;

beforeEach(() => {
  outdir = mkdtempSync(join(tmpdir(), 'marquee-stages-'));
});

afterEach(() => {
  rmSync(outdir, { recursive: true });
});

const appOf = (): App => new App({ outdir, context: { ...appContext, 'aws:cdk:bundling-stacks': [] } });

// `npm run check` synthesizes the stages of this project.
describe('the synthesis of a stage', () => {
  const { firewall: _, ...withoutFirewall } = prod;

  it.each<readonly [string, StageInput]>([
    [
      'uses every optional setting',
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
      'uses no optional setting',
      {
        ...withoutFirewall,
        retainData: false,
        nft: { ...prod.nft, signers: 1 },
        ott: { ...prod.ott, playback: { signing: 'none' } },
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
