import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { prod } from '../../../../config/prod.ts';
import { findingsOf } from '../../../../tools/scripts/check/template.ts';
import {
  releaseText,
  replacements,
  type StatefulResources,
  statefulResources,
  statefulTypes,
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

const losses = (stage: string, template: StackTemplate): string[] =>
  replacements(lastRelease[stage] ?? {}, statefulResources(template));

describe('an update from the last release', () => {
  it.each(Object.keys(lastRelease))(
    'of %s replaces no resource that holds state or has an address',
    (stage) => {
      expect(losses(stage, templateOf(stage))).toEqual([]);
    },
  );

  it.each([
    ['a firewall', {}],
    ['a distribution in front', { ott: { ...prod.ott, behindDistribution: true } }],
  ])('to prod with the maximum of signers and %s fits into a stack, and replaces nothing', (_, others) => {
    const template = templateOfStage({
      ...prod,
      ...others,
      nft: { ...prod.nft, signers: 12 },
      concurrency: prod.concurrency && { ...prod.concurrency, waiter: 12 },
    });

    expect(findingsOf('prod', template)).toEqual([]);
    expect(Object.keys(template.Resources).length).toBeLessThanOrEqual(360);
    expect(resourcesOf(template, 'AWS::CloudFormation::Stack')).toEqual([]);
    expect(losses('prod', template)).toEqual([]);
  });

  it.each([...statefulTypes.keys()])('is compared with every %s of the release', (type) => {
    const kept = Object.values(lastRelease).flatMap((stage) => Object.values(stage));

    expect(kept.map((resource) => resource.type)).toContain(type);
  });
});

describe("the kept list of a release's resources", () => {
  it('detects a stateful resource that the next release would replace or remove', () => {
    const prod = templateOf('prod');
    const kept: Record<string, StatefulResources> = JSON.parse(releaseText({ prod }));
    const [first = ''] = Object.keys(kept.prod ?? {});
    const { [first]: removed, ...Resources } = prod.Resources;

    expect(removed).toBeDefined();
    expect(replacements(kept.prod ?? {}, statefulResources(prod))).toEqual([]);
    expect(replacements(kept.prod ?? {}, statefulResources({ ...prod, Resources }))).toHaveLength(1);
  });
});

/** The CDK's own copy of CloudFormation's resource types. `cdk diff` reads the same file. */
const cloudFormation: {
  readonly schema: { readonly resource: { readonly entities: Record<string, ResourceType> } };
} = JSON.parse(
  gunzipSync(
    readFileSync(new URL('../../../../node_modules/aws-cdk/db.json.gz', import.meta.url)),
  ).toString(),
);

interface ResourceType {
  readonly cloudFormationType: string;
  readonly properties: Readonly<Record<string, { readonly causesReplacement?: 'yes' | 'no' | 'maybe' }>>;
}

describe.each([...statefulTypes])('the update check of an %s', (type, properties) => {
  const template = templateOf('prod');
  const before = statefulResources(template);
  const [id = '', resource] = resourcesOf(template, type)[0] ?? [];
  const { [id]: _, ...others } = template.Resources;
  const resources = (Resources: StackTemplate['Resources']) => statefulResources({ Resources });

  it('compares every property whose change makes CloudFormation replace the resource', () => {
    const described = Object.values(cloudFormation.schema.resource.entities).find(
      (each) => each.cloudFormationType === type,
    );
    const replacing = Object.entries(described?.properties ?? {}).flatMap(([name, { causesReplacement }]) =>
      causesReplacement === 'yes' || causesReplacement === 'maybe' ? [name] : [],
    );

    expect(described).toBeDefined();
    expect(properties).toEqual(expect.arrayContaining(replacing));
  });

  it('fails when the resource is missing or has another id', () => {
    const renamed = { ...others, Renamed: resource } as StackTemplate['Resources'];

    expect(replacements(before, resources(others))).toEqual([`${id} (${type}) would be removed`]);
    expect(replacements(before, resources(renamed))).toEqual([`${id} (${type}) would be removed`]);
  });

  it('fails when a property changes that replaces the resource', () => {
    for (const name of properties) {
      const Properties = { ...resource?.Properties, [name]: 'another' };
      const changed = { ...template.Resources, [id]: { ...resource, Type: type, Properties } };

      expect(replacements(before, resources(changed))).toEqual([
        `${id} (${type}) would be replaced: its ${name} changes`,
      ]);
    }
  });

  it('passes when another property changes', () => {
    const Properties = { ...resource?.Properties, Tags: [{ Key: 'cost', Value: 'centre' }] };
    const changed = { ...template.Resources, [id]: { ...resource, Type: type, Properties } };

    expect(replacements(before, resources(changed))).toEqual([]);
  });
});

describe('a resource type that the update check does not know', () => {
  it('makes the check fail until the type is listed as stateful or stateless', () => {
    const Resources = { New: { Type: 'AWS::S3::Bucket', Properties: {} } };

    expect(() => statefulResources({ Resources })).toThrow('AWS::S3::Bucket: add to stateful-resources.ts');
  });
});
