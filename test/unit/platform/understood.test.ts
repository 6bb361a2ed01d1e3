import { intrinsicFunctions } from 'template-runtime/assembly/intrinsics.ts';
import { resourceTypes } from 'template-runtime/resources/index.ts';
import { describe, expect, it } from 'vitest';
import { prod } from '../../../config/prod.ts';
import { stageNames } from '../../../config/stages.ts';
import { type StackTemplate, templateOf, templateOfStage } from '../../support/platform/stack.ts';

/** The templates of all stages, and of a stage with settings that none of them uses. */
const templates: readonly StackTemplate[] = [
  ...stageNames.map(templateOf),
  templateOfStage({ ...prod, alarmEmails: ['operators@example.com'], monthlyBudget: 1_000 }),
];

const isCall = (keys: readonly string[]): boolean =>
  keys.length === 1 && (keys[0] === 'Ref' || keys[0]?.startsWith('Fn::') === true);

const callsIn = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return [];
  const keys = Object.keys(value);
  return [...(isCall(keys) ? keys : []), ...Object.values(value).flatMap(callsIn)];
};

/** The elements of `some` that are not in `others`. */
const missingFrom = (others: Iterable<string>, some: Iterable<string>): string[] => {
  const known = new Set(others);
  return [...new Set(some)].filter((each) => !known.has(each)).sort();
};

/** Of apps whose APIs are not documents: the example in the README of template-runtime is one. */
const ofOtherApps = [
  'AWS::ApiGateway::GatewayResponse',
  'AWS::ApiGateway::Method',
  'AWS::ApiGateway::Resource',
];

describe('the list of what the local runtime supports', () => {
  it('contains the resource types of all stages, and those of routes that are resources', () => {
    const used = templates.flatMap(({ Resources }) => Object.values(Resources).map(({ Type }) => Type));

    expect(missingFrom(resourceTypes.keys(), used)).toEqual([]);
    expect(missingFrom(used, resourceTypes.keys())).toEqual(ofOtherApps);
  });

  it('contains exactly the intrinsic functions of all stages', () => {
    const used = templates.flatMap(callsIn);

    expect(missingFrom(intrinsicFunctions, used)).toEqual([]);
    expect(missingFrom(used, intrinsicFunctions)).toEqual([]);
  });
});
