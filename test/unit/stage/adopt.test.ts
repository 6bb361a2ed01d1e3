import { describe, expect, it } from 'vitest';
import { prod as prodFile } from '../../../config/prod.ts';
import { adoptionOf, templateSchema } from '../../../operator/stage/adopt/adoption.ts';
import { templateOfStage } from '../../support/platform/stack.ts';

const synthesized = templateOfStage({
  ...prodFile,
  backup: { copyTo: 'arn:aws:backup:eu-west-1:111122223333:backup-vault:copies' },
});
const prod = templateSchema.parse(synthesized);
const physicalIds = new Map(Object.keys(prod.Resources).map((id) => [id, `physical-${id}`]));
const retained = Object.entries(synthesized.Resources)
  .filter(([, { DeletionPolicy }]) => DeletionPolicy?.startsWith('Retain'))
  .map(([id]) => id);

describe('the template that "operator adopt" writes', () => {
  const { resourcesToImport, template } = adoptionOf(prod, physicalIds);
  const resources = template.Resources as Record<string, Record<string, unknown>>;

  it('contains exactly the resources that the stack retains', () => {
    expect(retained.length).toBeGreaterThan(70);
    expect(resourcesToImport.map(({ LogicalResourceId }) => LogicalResourceId)).toEqual(retained);
    expect(Object.keys(resources)).toEqual(retained);
    expect(Object.keys(template).sort()).toEqual(['AWSTemplateFormatVersion', 'Resources']);
  });

  it('identifies each resource by its name in the old stack', () => {
    for (const { LogicalResourceId, ResourceIdentifier } of resourcesToImport) {
      expect(Object.values(ResourceIdentifier)).toEqual([`physical-${LogicalResourceId}`]);
    }
  });

  it('leaves the properties of each resource unchanged and retains it', () => {
    for (const [id, { DeletionPolicy, UpdateReplacePolicy, Type }] of Object.entries(resources)) {
      expect({ DeletionPolicy, UpdateReplacePolicy }).toEqual({
        DeletionPolicy: 'Retain',
        UpdateReplacePolicy: 'Retain',
      });
      expect(Type).toBe(prod.Resources[id]?.Type);
    }
    const changed = retained.filter(
      (id) => JSON.stringify(resources[id]?.Properties) !== JSON.stringify(prod.Resources[id]?.Properties),
    );
    // The name of the delivery logs contains that of the topic, which is not retained.
    expect(changed.toSorted()).toEqual([
      expect.stringMatching(/^UserDataNotificationsDeliveryLog/),
      expect.stringMatching(/^UserDataNotificationsFailureLog/),
    ]);
    for (const id of changed) {
      expect(resources[id]?.Properties).toMatchObject({ LogGroupName: `physical-${id}` });
    }
  });

  it('is small enough for a CloudFormation request without a bucket', () => {
    expect(Buffer.byteLength(JSON.stringify(template))).toBeLessThan(51_200);
  });

  it('is not written if the old stack lacks a resource that is retained now', () => {
    const [first = ''] = retained;
    const fewer = new Map([...physicalIds].filter(([id]) => id !== first));

    expect(() => adoptionOf(prod, fewer)).toThrow(`The old stack has no ${first}.`);
  });

  it('is not written if it would contain a resource type that the command does not know', () => {
    const Resources = { Later: { Type: 'AWS::Later::Thing', DeletionPolicy: 'Retain' } };

    expect(() => adoptionOf({ Resources }, new Map([['Later', 'later']]))).toThrow('AWS::Later::Thing');
  });
});
