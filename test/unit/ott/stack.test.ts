import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { afterAll, describe, expect, it } from 'vitest';
import { prod } from '../../../config/prod.ts';
import { parseStage } from '../../../config/stage.ts';
import { addStage, appContext } from '../../../lib/app.ts';
import { resourcesOf, type StackTemplate } from '../../support/stack.ts';

const outdir = mkdtempSync(join(tmpdir(), 'marquee-ott-stack-'));
afterAll(() => rmSync(outdir, { recursive: true }));

/** The template of stage prod with other settings for OTT. */
const templateWith = (ott: Readonly<Record<string, unknown>>): StackTemplate => {
  const app = new App({
    outdir: mkdtempSync(join(outdir, 'app-')),
    context: { ...appContext, 'aws:cdk:bundling-stacks': [] },
  });
  const { stackName } = addStage(app, parseStage('test', { ...prod, ott: { ...prod.ott, ...ott } }));
  return app.synth().getStackByName(stackName).template;
};

const environmentOf = (template: StackTemplate, service: string): Record<string, unknown> => {
  const environments = resourcesOf(template, 'AWS::Lambda::Function').map(
    ([, { Properties }]) =>
      (Properties.Environment as { Variables: Record<string, unknown> } | undefined)?.Variables ?? {},
  );
  return environments.find(({ POWERTOOLS_SERVICE_NAME: name }) => name === service) ?? {};
};

describe('a stage that signs cookies behind a distribution', () => {
  const template = templateWith({
    behindDistribution: true,
    defaultApplication: 'fan-app',
    playback: { signing: 'cookies', domain: 'media.example.com', lifetimeSeconds: 3_600 },
  });

  it('tells the stream call how to sign, and no other', () => {
    expect(environmentOf(template, 'ott/get-stream')).toMatchObject({
      PLAYBACK_SIGNING: 'cookies',
      PLAYBACK_SECONDS: '3600',
      PLAYBACK_COOKIE_DOMAIN: 'media.example.com',
      PLAYBACK_SECRET_ARN: expect.anything(),
    });
    expect(environmentOf(template, 'ott/get-event')).not.toHaveProperty('PLAYBACK_SECRET_ARN');
  });

  it.each(['ott/list-events', 'ott/get-event', 'ott/get-stream'])('has %s verify the origin', (service) => {
    expect(environmentOf(template, service)).toMatchObject({
      ORIGIN_VERIFY_SECRET_ARN: expect.anything(),
      DEFAULT_APPLICATION_ID: 'fan-app',
    });
  });
});

describe('a stage without either', () => {
  const template = templateWith({});

  it('has no secrets for them', () => {
    const environment = environmentOf(template, 'ott/get-stream');

    expect(environment).toMatchObject({ PLAYBACK_SIGNING: 'none' });
    expect(environment).not.toHaveProperty('PLAYBACK_SECRET_ARN');
    expect(environment).not.toHaveProperty('ORIGIN_VERIFY_SECRET_ARN');
    expect(environment).not.toHaveProperty('DEFAULT_APPLICATION_ID');
  });
});

describe('the settings of a stage', () => {
  it.each([
    ['ott.playback.domain', { playback: { signing: 'cookies', domain: 'localhost' } }],
    ['ott.playback.lifetimeSeconds', { playback: { signing: 'url', lifetimeSeconds: 0 } }],
    ['ott.entitlement.url', { entitlement: { url: 'entitlement' } }],
    ['ott.geolocation.cacheSeconds', { geolocation: { cacheSeconds: -1 } }],
  ])('are refused naming %s', (path, ott) => {
    expect(() => parseStage('test', { ...prod, ott: { ...prod.ott, ...ott } })).toThrow(path);
  });
});
