import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { reservedEnvironments } from '../../../../config/concurrency.ts';
import { local } from '../../../../config/local.ts';
import { prod } from '../../../../config/prod.ts';
import { parseStage } from '../../../../config/stage.ts';
import { stageNamed, stageNames } from '../../../../config/stages.ts';
import { mostResources } from '../../../../tools/scripts/check/template.ts';
import { routesOf } from '../../../support/platform/api-routes.ts';
import { resourcesOf, templateOf } from '../../../support/platform/stack.ts';

describe('a stage', () => {
  it.each(stageNames)(
    '%s stays below the limit of resources in a stack, and contains no custom resource',
    (name) => {
      const types = Object.values(templateOf(name).Resources).map(({ Type }) => Type);

      expect(types.length).toBeLessThanOrEqual(mostResources);
      expect(types.filter((type) => type.startsWith('Custom::') || type.includes('CustomResource'))).toEqual(
        [],
      );
    },
  );

  it.each(['staging', 'prod'])('%s has no parameter that the operator would have to set', (name) => {
    expect(templateOf(name).Parameters).toBeUndefined();
  });

  it('local has a parameter for each value that differs between starts', () => {
    expect(Object.keys(templateOf('local').Parameters ?? {}).sort()).toEqual([
      'EntitlementUrl',
      'GeolocationUrl',
      'OidcIssuer',
      'PageOrigins',
      'PublicBaseUrlB2b',
      'PublicBaseUrlBase',
      'PublicBaseUrlProfile',
    ]);
  });

  it('has the same functions, routes and tables, whatever its name', () => {
    const shape = (name: string) => {
      const counted = ['AWS::Lambda::Function', 'AWS::DynamoDB::Table', 'AWS::SQS::Queue'];
      const types = Object.values(templateOf(name).Resources).map(({ Type }) => Type);
      return [
        routesOf(templateOf(name)).length,
        ...counted.map((type) => types.filter((candidate) => candidate === type).length),
      ];
    };

    expect(shape('local')).toEqual(shape('prod'));
    expect(shape('staging')).toEqual(shape('prod'));
  });

  it.each(['staging', 'prod'])('%s has the outputs that the command line reads', (name) => {
    expect(Object.keys(templateOf(name).Outputs).sort()).toEqual(
      Object.keys(templateOf('local').Outputs).sort(),
    );
    expect(Object.keys(templateOf(name).Outputs)).toEqual(
      expect.arrayContaining([
        'BaseUrl',
        'ApiUrlB2b',
        'ApiUrlProfile',
        'ApplicationsTable',
        'UsagePlansByTier',
        'TopicArn',
      ]),
    );
  });

  it.each(stageNames)('%s reserves exactly the concurrency in its file', (name) => {
    const reserved = resourcesOf(templateOf(name), 'AWS::Lambda::Function').map(([, { Properties }]) =>
      Number(Properties.ReservedConcurrentExecutions ?? 0),
    );

    expect(reserved.reduce((sum, one) => sum + one, 0)).toBe(
      reservedEnvironments(stageNamed(name).concurrency),
    );
  });

  it('prod reserves concurrency for essential functions and for those that wait for outside services', () => {
    const reserved = resourcesOf(templateOf('prod'), 'AWS::Lambda::Function').flatMap(
      ([, { Properties }]) => {
        const { Variables } = Properties.Environment as { readonly Variables: Record<string, string> };
        return Properties.ReservedConcurrentExecutions === undefined
          ? []
          : [Variables.POWERTOOLS_SERVICE_NAME];
      },
    );

    expect(reserved.sort()).toEqual([
      'nft/claim-token',
      'nft/create-contract',
      'nft/mint-batch',
      'nft/mint-token',
      'nft/revoke-token',
      'nft/run-waiter',
      'nft/set-royalty',
      'nft/update-contract-metadata',
      'nft/update-metadata-batch',
      'nft/update-token-metadata',
      'nft/watch-signers',
      'notifications/forward-deliveries',
      'notifications/publish-changes',
      'notifications/publish-events',
      'notifications/record-notifications',
      'notifications/run-replays',
      'ott/edit-catalogue',
      'ott/get-event',
      'ott/get-stream',
      'ott/list-events',
    ]);
  });

  it.each(stageNames)(
    '%s limits the concurrency of each queue to the environments of its function',
    (name) => {
      const template = templateOf(name);
      const functions = new Map(resourcesOf(template, 'AWS::Lambda::Function'));
      const queues = resourcesOf(template, 'AWS::Lambda::EventSourceMapping').filter(
        ([, { Properties }]) => !('StartingPosition' in Properties),
      );

      expect(queues).toHaveLength(2);
      for (const [, { Properties }] of queues) {
        const { MaximumConcurrency } = z
          .object({ MaximumConcurrency: z.int().min(2).max(30) })
          .parse(Properties.ScalingConfig);
        const { Ref } = z.object({ Ref: z.string() }).parse(Properties.FunctionName);
        const reserved = functions.get(Ref)?.Properties.ReservedConcurrentExecutions;
        expect(MaximumConcurrency).toBeLessThanOrEqual(Number(reserved ?? MaximumConcurrency));
      }
    },
  );

  it('is rejected with an error that names every wrong field', () => {
    const mistaken = {
      ...prod,
      logRetentionDays: 8,
      tiers: {},
      throttle: { ratePerSecond: -1, burst: 10 },
      colour: 'red',
    };

    expect(() => parseStage('config/prod.ts', mistaken)).toThrow(
      /config\/prod\.ts is not a valid stage:.*logRetentionDays: .*throttle\.ratePerSecond: .*tiers: at least one tier/s,
    );
    expect(() => parseStage('config/prod.ts', mistaken)).toThrow(/colour/);
  });

  it('is rejected when its public address is not a URL', () => {
    const mistaken = { ...local, publicBaseUrls: { base: 'marquee' } };

    expect(() => parseStage('config/local.ts', mistaken)).toThrow(/publicBaseUrls\.base: /);
  });

  it.each(['https://api.example.com/', 'https://api.example.com/v1/', 'https://api.example.com/?a=b'])(
    'is rejected with the public address %s, which has a trailing slash or a query',
    (base) => {
      const mistaken = { ...prod, publicBaseUrls: { base } };

      expect(() => parseStage('config/prod.ts', mistaken)).toThrow(/publicBaseUrls\.base: /);
      const right = { ...prod, publicBaseUrls: { base: 'https://api.example.com/v1' } };
      expect(parseStage('config/prod.ts', right).publicBaseUrls.base).toBe('https://api.example.com/v1');
    },
  );

  it('is rejected when it retains data but signs no streams', () => {
    const mistaken = { ...prod, ott: { ...prod.ott, playback: { signing: 'none' as const } } };

    expect(() => parseStage('config/prod.ts', mistaken)).toThrow(/ott\.playback\.signing: .*retainData/);
    expect(parseStage('config/prod.ts', { ...mistaken, retainData: false }).ott.playback.signing).toBe(
      'none',
    );
  });

  it('is rejected without a default application when it retains data or has a canary, which calls without a client', () => {
    const { defaultApplication: _, ...ott } = prod.ott;
    const stage = (settings: { readonly retainData: boolean; readonly alarms: boolean }) => () =>
      parseStage('config/prod.ts', { ...prod, ...settings, ott });

    expect(stage({ retainData: true, alarms: false })).toThrow(/ott\.defaultApplication: .*retainData/);
    expect(stage({ retainData: false, alarms: true })).toThrow(/ott\.defaultApplication: .*canary/);
    expect(stage({ retainData: false, alarms: false })).not.toThrow();
  });

  it('can have local pages as origins only if it does not retain data', () => {
    const origins = ['https://www.example.com', 'http://localhost:5173', 'http://127.0.0.1:6180'];
    const playback = { signing: 'cookies' as const, domain: 'example.com', origins };
    const stage = { ...prod, ott: { ...prod.ott, playback } };

    expect(parseStage('config/staging.ts', { ...stage, retainData: false }).ott.playback).toMatchObject({
      origins,
    });
    expect(() => parseStage('config/prod.ts', stage)).toThrow(/ott\.playback\.origins: .*https/);
  });

  it.each(['polygonscan.com', 'http://polygonscan.com', 'https://polygonscan.com/'])(
    'is rejected with the block explorer %s, because no path can be appended',
    (explorer) => {
      const mistaken = { ...prod, nft: { ...prod.nft, explorer } };

      expect(() => parseStage('config/prod.ts', mistaken)).toThrow(/nft\.explorer: /);
    },
  );

  it('is rejected with more confirmations than the blocks whose state nodes keep', () => {
    const counting = (blocks: number) => ({
      ...prod,
      nft: { ...prod.nft, finality: { kind: 'confirmations' as const, blocks } },
    });

    expect(() => parseStage('config/prod.ts', counting(121))).toThrow(/nft\.finality\.blocks: /);
    expect(parseStage('config/prod.ts', counting(120)).nft.finality).toEqual({
      kind: 'confirmations',
      blocks: 120,
    });
  });

  it('must be named on the command line', () => {
    expect(() => stageNamed(undefined)).toThrow('Pass -c stage=… with one of local, staging, prod');
    expect(() => stageNamed('production')).toThrow('got "production"');
  });
});
