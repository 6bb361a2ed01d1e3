import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deploy } from 'template-runtime/assembly/deployment.ts';
import { parseTemplate } from 'template-runtime/assembly/template.ts';
import type { Engines } from 'template-runtime/engines/engines.ts';
import { createIdentities } from 'template-runtime/engines/iam/engine.ts';
import { createKeyEngine } from 'template-runtime/engines/kms.ts';
import { kmsKey } from 'template-runtime/resources/kms-key.ts';
import type { ResourceType } from 'template-runtime/resources/resource-type.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { prod } from '../../../../config/prod.ts';
import { parseStage, type StageInput } from '../../../../config/stage.ts';
import { replacements, statefulResources } from '../../../../tools/scripts/release/stateful-resources.ts';
import {
  resourcesOf,
  type StackResource,
  type StackTemplate,
  templateOfStage,
} from '../../../support/platform/stack.ts';

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
] as const)('a stage whose number of signers changes from %i to %i', (before, after, old, updated) => {
  it('replaces and removes no resource, and changes no key', () => {
    expect(replacements(statefulResources(old), statefulResources(updated))).toEqual([]);
    expect(Object.keys(updated.Resources)).toEqual(expect.arrayContaining(Object.keys(old.Resources)));
    for (const id of signingKeys(old)) expect(updated.Resources[id]).toEqual(old.Resources[id]);
  });

  it('adds only keys, after the existing ones', () => {
    const added = Object.entries(updated.Resources).filter(([id]) => !(id in old.Resources));
    const types = added.map(([, { Type }]) => Type).sort();

    expect(types).toEqual(Array(after - before).fill('AWS::KMS::Key'));
    expect(signingKeys(updated).slice(0, before)).toEqual(signingKeys(old));
  });
});

describe('a stage with three signers', () => {
  it('has a retained key for each signer', () => {
    const keys = signingKeys(three);

    expect(keys).toHaveLength(3);
    for (const id of keys) {
      expect(three.Resources[id]).toMatchObject({
        DeletionPolicy: 'RetainExceptOnCreate',
        Properties: { KeyUsage: 'SIGN_VERIFY', MultiRegion: true, PendingWindowInDays: 30 },
      });
    }
  });

  it('gives all keys in order to every function that signs, and allows it to sign with exactly these', () => {
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

  it('has one alarm each for the lowest balance, the oldest transaction and the longest queue', () => {
    const watched = resourcesOf(three, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);

    for (const MetricName of ['LowestBalanceCoins', 'OldestUnfinishedSeconds', 'LongestQueue']) {
      const onValues = watched.filter(({ TreatMissingData }) => TreatMissingData !== 'breaching');
      expect(onValues.filter((each) => each.MetricName === MetricName)).toMatchObject([
        { Namespace: 'Marquee/prod', Dimensions: [{ Name: 'service', Value: 'nft' }], Period: 60 },
      ]);
    }
  });
});

describe('a protected stage', () => {
  it('forbids disabling or deleting any key, but allows changing the key policy', () => {
    const keys = resourcesOf(templateOfStage({ ...prod, protected: true }), 'AWS::KMS::Key');

    expect(keys.length).toBeGreaterThan(3);
    for (const [, { Properties }] of keys) {
      const { Statement } = Properties.KeyPolicy as { Statement: { Effect: string }[] };
      expect(Statement.filter(({ Effect }) => Effect === 'Deny')).toEqual([
        {
          Sid: 'Protected',
          Effect: 'Deny',
          Principal: { AWS: '*' },
          Action: ['kms:DisableKey', 'kms:ScheduleKeyDeletion'],
          Resource: '*',
        },
      ]);
    }
  });
});

describe('the deployed keys of a protected stage', () => {
  const ofKeys = (input: StageInput) =>
    Object.fromEntries(resourcesOf(templateOfStage(input), 'AWS::KMS::Key'));
  /** Deploys keys to the local KMS, and returns whether the account's root user may call the action on each. */
  const deployed = async (Resources: Record<string, StackResource>) => {
    const stateDirectory = await mkdtemp(join(tmpdir(), 'marquee-keys-'));
    onTestFinished(() => rm(stateDirectory, { recursive: true }));
    const identities = createIdentities();
    const keys = createKeyEngine({ stateDirectory });
    await deploy({
      assembly: {
        directory: stateDirectory,
        stackName: 'Marquee-prod',
        terminationProtection: true,
        template: parseTemplate({ Resources }, 'prod'),
      },
      engines: { identities, keys } as unknown as Engines,
      resourceTypes: new Map([[kmsKey.type, kmsKey as ResourceType]]),
      parameters: {},
      region: 'us-east-1',
      accountId: '000000000000',
    });
    return (action: string) =>
      keys.list().map(({ arn, policy: resourcePolicy }) => {
        const call = { accessKeyId: 'operator', action, resources: [arn], resourcePolicy };
        return identities.wouldAuthorize(call).allowed;
      });
  };

  it('cannot be disabled or deleted, but can be described and enabled and their policy changed', async () => {
    const resources = ofKeys({ ...prod, protected: true });
    const may = await deployed(resources);
    const all = (isAllowed: boolean) => Object.keys(resources).map(() => isAllowed);

    expect(may('kms:DisableKey')).toEqual(all(false));
    expect(may('kms:ScheduleKeyDeletion')).toEqual(all(false));
    expect(may('kms:DescribeKey')).toEqual(all(true));
    expect(may('kms:EnableKey')).toEqual(all(true));
    expect(may('kms:PutKeyPolicy')).toEqual(all(true));
  });

  it('can be disabled if the stage is not protected', async () => {
    const may = await deployed(ofKeys({ ...prod, protected: false }));

    expect(new Set(may('kms:DisableKey'))).toEqual(new Set([true]));
  });

  it('cannot be created with a key policy that no role could change later', async () => {
    const text = JSON.stringify(ofKeys({ ...prod, protected: true }));
    const locked = text.replaceAll('"kms:DisableKey"', '"kms:PutKeyPolicy"');

    await expect(deployed(JSON.parse(locked))).rejects.toThrow(
      'The new key policy will not allow you to update the key policy in the future.',
    );
  });
});

describe('the number of signers', () => {
  it('cannot exceed the environments reserved for the waiter', () => {
    if (prod.concurrency === undefined) throw new Error('prod keeps environments');
    const concurrency = { ...prod.concurrency, waiter: 2 };

    expect(() => parseStage('the test', { ...withSigners(3), concurrency })).toThrow('concurrency.waiter');
    expect(parseStage('the test', { ...withSigners(2), concurrency }).nft.signers).toBe(2);
  });
});

describe('a stage that reuses the keys of a former stage', () => {
  const kept = [1, 2].map((each) => `arn:aws:kms:eu-central-1:111122223333:key/mrk-${each}`);
  const withKeys = (signerKeys: string[], signers = 3): StackTemplate =>
    templateOfStage({ ...prod, nft: { ...prod.nft, signers, signerKeys } });
  const template = withKeys(kept);

  it('uses the former keys first, and creates keys only for its other signers', () => {
    expect(signingKeys(template)).toEqual([signingKeys(three)[2]]);
    const [made = ''] = signingKeys(template);
    for (const value of variablesOf(template)) {
      expect(value).toEqual({ 'Fn::Join': [',', [kept.join(','), arnOf(made)]] });
    }
    expect(variablesOf(template).length).toBeGreaterThan(0);
  });

  it('allows its functions to use the former keys, and monitors these keys', () => {
    const statements = resourcesOf(template, 'AWS::IAM::Role')
      .flatMap(([, { Properties }]) => (Properties.Policies ?? []) as readonly RolePolicy[])
      .flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
    const allowing = (action: string) =>
      statements
        .filter(({ Action }) => [Action].flat().includes(action))
        .map(({ Resource }) => [Resource].flat());

    for (const action of ['kms:Sign', 'kms:GetPublicKey', 'kms:DescribeKey']) {
      expect(allowing(action).length).toBeGreaterThan(0);
      for (const resources of allowing(action)) expect(resources).toEqual(expect.arrayContaining(kept));
    }
  });

  it('is rejected with more keys than signers, with a duplicate key, or with an invalid ARN', () => {
    expect(() => withKeys(kept, 1)).toThrow('nft.signerKeys: must not name more keys than nft.signers');
    expect(() => withKeys([kept[0] ?? '', kept[0] ?? ''])).toThrow('must not name the same key twice');
    expect(() => withKeys(['mrk-1'])).toThrow('must be the ARN of a KMS key');
  });
});

interface RolePolicy {
  readonly PolicyDocument: {
    readonly Statement: readonly {
      readonly Action: string | readonly string[];
      readonly Resource: unknown;
    }[];
  };
}
