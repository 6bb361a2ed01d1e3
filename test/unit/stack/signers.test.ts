import { describe, expect, it } from 'vitest';
import { prod } from '../../../config/prod.ts';
import { parseStage, type StageInput } from '../../../config/stage.ts';
import { replacements, statefulResources } from '../../../scripts/release/stateful-resources.ts';
import { resourcesOf, type StackTemplate, templateOfStage } from '../../support/stack.ts';

const withSigners = (signers: number): StageInput => ({ ...prod, nft: { ...prod.nft, signers } });

const one = templateOfStage(withSigners(1));
const three = templateOfStage(withSigners(3));
const four = templateOfStage(withSigners(4));

const signingKeys = (template: StackTemplate): string[] =>
  resourcesOf(template, 'AWS::KMS::Key')
    .filter(([, { Properties }]) => Properties.KeySpec === 'ECC_SECG_P256K1')
    .map(([id]) => id);

const variablesOf = (template: StackTemplate): unknown[] =>
  resourcesOf(template, 'AWS::Lambda::Function').flatMap(([, { Properties }]) => {
    const { Variables } = Properties.Environment as { readonly Variables: Record<string, unknown> };
    return Variables.SIGNER_KEY_IDS === undefined ? [] : [Variables.SIGNER_KEY_IDS];
  });

const arnOf = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });

describe.each([
  [1, 3, one, three],
  [3, 4, three, four],
] as const)('a stage whose signers become %i to %i', (before, after, old, updated) => {
  it('replaces and removes nothing, and changes no key', () => {
    expect(replacements(statefulResources(old), statefulResources(updated))).toEqual([]);
    expect(Object.keys(updated.Resources)).toEqual(expect.arrayContaining(Object.keys(old.Resources)));
    for (const id of signingKeys(old)) expect(updated.Resources[id]).toEqual(old.Resources[id]);
  });

  it('adds keys and their alarms only, behind those that there are', () => {
    const added = Object.entries(updated.Resources).filter(([id]) => !(id in old.Resources));
    const types = added.map(([, { Type }]) => Type).sort();

    expect(types).toEqual(
      [
        ...Array(3 * (after - before)).fill('AWS::CloudWatch::Alarm'),
        ...Array(after - before).fill('AWS::KMS::Key'),
      ].sort(),
    );
    expect(signingKeys(updated).slice(0, before)).toEqual(signingKeys(old));
  });
});

describe('a stage with three signers', () => {
  it('has a key for each, which outlives the stack', () => {
    const keys = signingKeys(three);

    expect(keys).toHaveLength(3);
    for (const id of keys) {
      expect(three.Resources[id]).toMatchObject({
        DeletionPolicy: 'RetainExceptOnCreate',
        Properties: { KeyUsage: 'SIGN_VERIFY', MultiRegion: true, PendingWindowInDays: 30 },
      });
    }
  });

  it('tells every function that signs all keys in their order, and lets it sign with exactly these', () => {
    const keys = signingKeys(three);
    const statements = Object.values(three.Resources).flatMap(({ Type, Properties }) =>
      Type === 'AWS::IAM::Role'
        ? (
            (Properties.Policies ?? []) as { PolicyDocument: { Statement: Record<string, unknown>[] } }[]
          ).flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
        : [],
    );
    const signing = statements.filter(({ Action }) => Action === 'kms:Sign');

    expect(variablesOf(three).length).toBeGreaterThan(0);
    expect(signing).toHaveLength(variablesOf(three).length);
    for (const value of variablesOf(three)) expect(value).toEqual({ 'Fn::Join': [',', keys.map(arnOf)] });
    for (const { Resource } of signing) {
      expect(Resource).toHaveLength(keys.length);
      expect(Resource).toEqual(expect.arrayContaining(keys.map(arnOf)));
    }
  });

  it('watches the balance, the oldest transaction and the queue of each', () => {
    const watched = resourcesOf(three, 'AWS::CloudWatch::Alarm').flatMap(([, { Properties }]) => {
      const dimensions = (Properties.Dimensions ?? []) as { readonly Name: string; readonly Value: string }[];
      const signer = dimensions.find(({ Name }) => Name === 'signer')?.Value;
      return signer === undefined ? [] : [`${Properties.MetricName} ${signer}`];
    });

    expect(watched.sort()).toEqual(
      ['BalanceCoins', 'InFlight', 'OldestPendingSeconds']
        .flatMap((metric) => [1, 2, 3].map((signer) => `${metric} ${signer}`))
        .sort(),
    );
  });
});

describe('the number of signers', () => {
  it('may not be above the environments that are kept for the waiter', () => {
    if (prod.concurrency === undefined) throw new Error('prod keeps environments');
    const concurrency = { ...prod.concurrency, waiter: 2 };

    expect(() => parseStage('the test', { ...withSigners(3), concurrency })).toThrow('concurrency.waiter');
    expect(parseStage('the test', { ...withSigners(2), concurrency }).nft.signers).toBe(2);
  });
});
