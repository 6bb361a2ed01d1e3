import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { prod } from '../../../../config/prod.ts';
import { findingsOf } from '../../../../tools/scripts/check/template.ts';
import {
  releaseText,
  replacements,
  type StatefulResources,
  statefulResources,
} from '../../../../tools/scripts/release/stateful-resources.ts';
import {
  resourcesOf,
  type StackTemplate,
  templateOf,
  templateOfStage,
} from '../../../support/platform/stack.ts';

const lastRelease: Readonly<Record<string, StatefulResources>> = JSON.parse(
  readFileSync(new URL('last-release.json', import.meta.url), 'utf8'),
);

describe('an update from the last release', () => {
  it.each(Object.keys(lastRelease))('of %s replaces nothing that holds state or is an address', (stage) => {
    expect(replacements(lastRelease[stage] ?? {}, statefulResources(templateOf(stage)))).toEqual([]);
  });

  it.each([
    ['a firewall', {}],
    ['a distribution in front', { ott: { ...prod.ott, behindDistribution: true } }],
  ])('to prod with all signers that it may have and %s fits, and replaces nothing', (_, others) => {
    const template = templateOfStage({
      ...prod,
      ...others,
      nft: { ...prod.nft, signers: 12 },
      concurrency: prod.concurrency && { ...prod.concurrency, waiter: 12 },
    });

    expect(findingsOf('prod', template)).toEqual([]);
    expect(Object.keys(template.Resources).length).toBeLessThanOrEqual(480);
    expect(resourcesOf(template, 'AWS::CloudFormation::Stack')).toEqual([]);
    expect(replacements(lastRelease.prod ?? {}, statefulResources(template))).toEqual([]);
  });

  it.each([
    'AWS::ApiGateway::RestApi',
    'AWS::ApiGateway::UsagePlan',
    'AWS::DynamoDB::Table',
    'AWS::KMS::Key',
    'AWS::SNS::Topic',
    'AWS::SQS::Queue',
    'AWS::SecretsManager::Secret',
  ])('is held against every %s', (type) => {
    const kept = Object.values(lastRelease.prod ?? {}).filter((resource) => resource.type === type);

    expect(kept.length).toBeGreaterThan(0);
  });
});

describe('what is kept of a release', () => {
  it('is what the next one is held to', () => {
    const prod = templateOf('prod');
    const kept: Record<string, StatefulResources> = JSON.parse(releaseText({ prod }));
    const [first = ''] = Object.keys(kept.prod ?? {});
    const { [first]: removed, ...Resources } = prod.Resources;

    expect(removed).toBeDefined();
    expect(replacements(kept.prod ?? {}, statefulResources(prod))).toEqual([]);
    expect(replacements(kept.prod ?? {}, statefulResources({ ...prod, Resources }))).toHaveLength(1);
  });
});

describe('what an update would replace', () => {
  const prod = templateOf('prod');
  const before = statefulResources(prod);
  const idOf = (type: string): string =>
    Object.entries(prod.Resources).find(([, { Type }]) => Type === type)?.[0] ?? '';
  const changed = (id: string, properties: Record<string, unknown>): StackTemplate => {
    const resource = prod.Resources[id];
    if (resource === undefined) throw new Error(`no ${id}`);
    return {
      ...prod,
      Resources: {
        ...prod.Resources,
        [id]: { ...resource, Properties: { ...resource.Properties, ...properties } },
      },
    };
  };

  it('is a table of another id', () => {
    const id = idOf('AWS::DynamoDB::Table');
    const { [id]: table, ...others } = prod.Resources;
    const renamed = { ...prod, Resources: { ...others, Renamed: table } } as StackTemplate;

    expect(replacements(before, statefulResources(renamed))).toEqual([
      `${id} (AWS::DynamoDB::Table) would be removed`,
    ]);
  });

  it.each([
    ['AWS::DynamoDB::Table', 'KeySchema', []],
    ['AWS::DynamoDB::Table', 'TableName', 'users'],
    ['AWS::KMS::Key', 'MultiRegion', false],
    ['AWS::SQS::Queue', 'QueueName', 'dead-letters'],
    ['AWS::SNS::Topic', 'TopicName', 'changes'],
    ['AWS::SecretsManager::Secret', 'GenerateSecretString', { PasswordLength: 32 }],
    ['AWS::ApiGateway::Stage', 'StageName', 'production'],
  ])('is a %s with another %s', (type, name, value) => {
    const id = idOf(type);

    expect(replacements(before, statefulResources(changed(id, { [name]: value })))).toEqual([
      `${id} (${type}) would be replaced: its ${name} changes`,
    ]);
  });

  it('is not a table that reads another attribute as its time to live', () => {
    const id = idOf('AWS::DynamoDB::Table');
    const other = changed(id, { TimeToLiveSpecification: { AttributeName: 'until', Enabled: true } });

    expect(replacements(before, statefulResources(other))).toEqual([]);
  });
});
