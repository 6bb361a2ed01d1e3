// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are CloudFormation's.
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { deploy } from '../../assembly/deployment.ts';
import { parseTemplate, type Template } from '../../assembly/template.ts';
import type { Engines } from '../../engines/engines.ts';
import { type ResourceType, resourceType } from '../../resources/resource-type.ts';

/** A resource type that records the properties with which it was deployed. It has one attribute. */
const recorder = () => {
  const deployed: { logicalId: string; properties: unknown }[] = [];
  const thing = resourceType({
    type: 'Test::Thing',
    properties: z.strictObject({
      Name: z.string().optional(),
      List: z.array(z.string()).optional(),
      Nested: z.record(z.string(), z.unknown()).optional(),
    }),
    deploy: async (properties, { logicalId }) => {
      deployed.push({ logicalId, properties });
      return { ref: `ref-of-${logicalId}`, attributes: { Arn: `arn-of-${logicalId}` } };
    },
  });
  return { deployed, types: new Map<string, ResourceType>([[thing.type, thing]]) };
};

const deploying = async (template: object, parameters: Record<string, string> = {}) => {
  const { deployed, types } = recorder();
  const stack = await deploy({
    assembly: {
      directory: '/assembly',
      stackName: 'Stack',
      terminationProtection: false,
      template: parsed(template),
    },
    engines: {} as Engines,
    resourceTypes: types,
    parameters,
    region: 'us-east-1',
    accountId: '000000000000',
  });
  return { deployed, stack };
};

const parsed = (template: object): Template => parseTemplate(template, 'a template');
const thing = (properties: object = {}, rest: object = {}) => ({
  Type: 'Test::Thing',
  Properties: properties,
  ...rest,
});
/** Deploys a resource with this property `Name`, and returns the resolved value. */
const nameFrom = async (value: unknown): Promise<unknown> => {
  const { deployed } = await deploying({
    Resources: { Other: thing(), Under: thing({ Name: value }, { DependsOn: 'Other' }) },
  });
  return z.object({ Name: z.unknown().optional() }).parse(deployed.at(-1)?.properties).Name;
};

describe('a template', () => {
  it('can have at most 500 resources', () => {
    const withResources = (count: number) => ({
      Resources: Object.fromEntries(Array.from({ length: count }, (_, index) => [`R${index}`, thing()])),
    });

    expect(Object.keys(parsed(withResources(500)).Resources)).toHaveLength(500);
    expect(() => parsed(withResources(501))).toThrow(
      'more than the 500 resources that CloudFormation allows',
    );
  });
});

describe('the deployment of a template', () => {
  it('creates a resource before the resources that refer to it', async () => {
    const { deployed } = await deploying({
      Resources: {
        First: thing({ Name: { Ref: 'Second' } }),
        Second: thing({ Name: { 'Fn::Sub': '${Third.Arn}' } }),
        Third: thing({}, { DependsOn: ['Fourth'] }),
        Fourth: thing(),
      },
    });

    expect(deployed.map(({ logicalId }) => logicalId)).toEqual(['Fourth', 'Third', 'Second', 'First']);
  });

  it('names every resource of an unsupported type, and creates nothing', async () => {
    const template = {
      Resources: { Good: thing(), Bad: { Type: 'AWS::Foo::Bar' }, Worse: { Type: 'X::Y::Z' } },
    };

    await expect(deploying(template)).rejects.toThrow(
      /Bad: the local runtime does not support the type AWS::Foo::Bar\nWorse: the local runtime does not support the type X::Y::Z/,
    );
  });

  it('names the resource and the property that its type does not support', async () => {
    const template = { Resources: { Odd: thing({ Colour: 'red' }) } };

    await expect(deploying(template)).rejects.toThrow(/Odd \(Test::Thing\):\s+.*Colour/);
  });

  it.each([
    ['a Ref', { Ref: 'Missing' }],
    ['an attribute', { 'Fn::GetAtt': ['Missing', 'Arn'] }],
    ['a substitution', { 'Fn::Sub': 'x-${Missing}' }],
  ])('rejects %s of a resource that does not exist', async (_, value) => {
    await expect(nameFrom(value)).rejects.toThrow(/Under \(Test::Thing\): refers to Missing/);
  });

  it('refuses an attribute that the resource does not have', async () => {
    await expect(nameFrom({ 'Fn::GetAtt': ['Other', 'Colour'] })).rejects.toThrow(
      'Under (Test::Thing): Other (Test::Thing) has no attribute Colour',
    );
  });

  it('rejects a dependency that does not exist', async () => {
    const template = { Resources: { Lone: thing({}, { DependsOn: ['Gone'] }) } };

    await expect(deploying(template)).rejects.toThrow('Lone depends on Gone');
  });

  it('rejects a circle of references, and names it', async () => {
    const template = { Resources: { A: thing({ Name: { Ref: 'B' } }), B: thing({ Name: { Ref: 'A' } }) } };

    await expect(deploying(template)).rejects.toThrow('A → B → A');
  });

  it('rejects a section or attribute of the template that is not supported', () => {
    expect(() => parsed({ Resources: {}, Conditions: {} })).toThrow(/Conditions/);
    expect(() => parsed({ Resources: { A: { Type: 'T', CreationPolicy: {} } } })).toThrow(/CreationPolicy/);
  });

  it('returns the outputs and the physical id of each resource', async () => {
    const { stack } = await deploying({
      Resources: { Queue: thing() },
      Outputs: { Address: { Value: { 'Fn::Join': ['/', ['https:/', { Ref: 'Queue' }]] } } },
    });

    expect(stack.outputs).toEqual([{ key: 'Address', value: 'https://ref-of-Queue' }]);
    expect(stack.resources).toEqual([
      {
        logicalId: 'Queue',
        physicalId: 'ref-of-Queue',
        type: 'Test::Thing',
        attributes: { Arn: 'arn-of-Queue' },
      },
    ]);
  });
});

describe('the parameters of a template', () => {
  const template = {
    Parameters: { Url: { Type: 'String', AllowedPattern: 'https?://.+' } },
    Resources: { Under: thing({ Name: { Ref: 'Url' } }) },
  };

  it('are passed to the deployment', async () => {
    const { deployed } = await deploying(template, { Url: 'http://here' });

    expect(deployed[0]?.properties).toEqual({ Name: 'http://here' });
  });

  it('are rejected when they are missing or not allowed', async () => {
    await expect(deploying(template)).rejects.toThrow('the parameter Url has neither a value nor a default');
    await expect(deploying(template, { Url: 'ftp://here' })).rejects.toThrow(
      'the parameter Url does not allow the value ftp://here',
    );
  });
});

describe('intrinsic functions', () => {
  it.each([
    ['Ref', { Ref: 'Other' }, 'ref-of-Other'],
    ['a pseudo parameter', { Ref: 'AWS::Region' }, 'us-east-1'],
    ['Fn::GetAtt', { 'Fn::GetAtt': ['Other', 'Arn'] }, 'arn-of-Other'],
    ['Fn::GetAtt in one text', { 'Fn::GetAtt': 'Other.Arn' }, 'arn-of-Other'],
    ['Fn::Select', { 'Fn::Select': ['1', ['a', { Ref: 'Other' }]] }, 'ref-of-Other'],
    ['Fn::Join', { 'Fn::Join': ['-', ['a', { Ref: 'Other' }, 3]] }, 'a-ref-of-Other-3'],
    [
      'Fn::Sub',
      { 'Fn::Sub': '${AWS::AccountId}:${Other}:${Other.Arn}:${!kept}' },
      '000000000000:ref-of-Other:arn-of-Other:${kept}',
    ],
    ['Fn::Sub with variables', { 'Fn::Sub': ['${A}/b', { A: { Ref: 'Other' } }] }, 'ref-of-Other/b'],
  ])('resolves %s', async (_, value, expected) => {
    expect(await nameFrom(value)).toBe(expected);
  });

  it('rejects an unsupported function', async () => {
    await expect(nameFrom({ 'Fn::Cidr': ['10.0.0.0/16', 2] })).rejects.toThrow(
      'the local runtime does not support Fn::Cidr',
    );
  });
});
