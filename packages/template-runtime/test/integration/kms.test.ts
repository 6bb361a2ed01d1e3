import { createHash, createVerify, randomUUID, verify } from 'node:crypto';
import {
  CancelKeyDeletionCommand,
  DescribeKeyCommand,
  DisableKeyCommand,
  EnableKeyCommand,
  GetKeyPolicyCommand,
  GetPublicKeyCommand,
  KMSClient,
  ListKeysCommand,
  PutKeyPolicyCommand,
  ReplicateKeyCommand,
  ScheduleKeyDeletionCommand,
  SignCommand,
} from '@aws-sdk/client-kms';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKeyEngine } from '../../engines/kms.ts';
import { startAwsEndpoint, type TestEndpoint } from '../../testing/aws-endpoint.ts';

const root = 'arn:aws:iam::000000000000:root';
const document = (...Statement: unknown[]) => ({ Version: '2012-10-17', Statement });
const admitting = (principal: string) => ({
  Effect: 'Allow',
  Principal: { AWS: principal },
  Action: 'kms:*',
  Resource: '*',
});
/** As the CDK writes it: who in the account may use the key depends on their own policies. */
const ofAccount = document(admitting(root));
const protectedPolicy = document(admitting(root), {
  Effect: 'Deny',
  Principal: { AWS: '*' },
  Action: ['kms:DisableKey', 'kms:ScheduleKeyDeletion'],
  Resource: '*',
});
const allow = (Action: string, Condition?: unknown) =>
  document({ Effect: 'Allow', Action, Resource: '*', ...(Condition ? { Condition } : {}) });

let endpoint: TestEndpoint;
let operator: KMSClient;
beforeAll(async () => {
  endpoint = await startAwsEndpoint();
  operator = new KMSClient(endpoint.client);
});
afterAll(() => endpoint.stop());

const clientOf = (policy: unknown) => new KMSClient(endpoint.clientOf(policy));

/** Creates a key, by default one that signs, and returns its id and its ARN. */
const aKey = (policy: unknown = ofAccount, ofData = false) => {
  const { keyId, arn } = endpoint.keys.createKey({
    keyId: randomUUID(),
    description: 'Signs',
    ...(ofData
      ? { keySpec: 'SYMMETRIC_DEFAULT', keyUsage: 'ENCRYPT_DECRYPT' }
      : { keySpec: 'ECC_SECG_P256K1', keyUsage: 'SIGN_VERIFY' }),
    multiRegion: false,
    policy,
  });
  return { KeyId: keyId, arn };
};

const digest = createHash('sha256').update('transaction').digest();
const signed = (KeyId: string, overrides = {}) =>
  new SignCommand({
    KeyId,
    Message: digest,
    MessageType: 'DIGEST',
    SigningAlgorithm: 'ECDSA_SHA_256',
    ...overrides,
  });
const stateOf = async (KeyId: string) =>
  (await operator.send(new DescribeKeyCommand({ KeyId }))).KeyMetadata?.KeyState;

describe('a KMS key', () => {
  it('signs a digest so that its public key verifies the signature', async () => {
    const { KeyId, arn } = aKey();

    const { PublicKey = new Uint8Array() } = await operator.send(new GetPublicKeyCommand({ KeyId }));
    const { Signature = new Uint8Array(), KeyId: signer } = await operator.send(signed(KeyId));

    const key = { key: Buffer.from(PublicKey), format: 'der', type: 'spki' } as const;
    expect(verify('sha256', Buffer.from('transaction'), key, Signature)).toBe(true);
    expect(createVerify('sha256').update('another').verify(key, Signature)).toBe(false);
    expect(signer).toBe(arn);
  });

  it('returns signatures with high and with low S', async () => {
    const { KeyId } = aKey();

    const signatures = await Promise.all(Array.from({ length: 40 }, () => operator.send(signed(KeyId))));

    const high = signatures.filter(({ Signature = new Uint8Array() }) =>
      secp256k1.Signature.fromDER(Signature).hasHighS(),
    );
    expect(high.length).toBeGreaterThan(0);
    expect(high.length).toBeLessThan(40);
  });

  it('causes NotFoundException under another id', async () => {
    await expect(operator.send(signed(randomUUID()))).rejects.toMatchObject({ name: 'NotFoundException' });
  });
});

describe('a multi-Region KMS key', () => {
  const replicate = (KeyId: string, { from, to }: { readonly from: string; readonly to: string }) =>
    new KMSClient({ ...endpoint.client, region: from }).send(
      new ReplicateKeyCommand({ KeyId, ReplicaRegion: to }),
    );

  it('has at most one replica in each other Region, and none in its own', async () => {
    const { keyId } = endpoint.keys.createKey({
      keyId: `mrk-${randomUUID().replaceAll('-', '')}`,
      description: 'Signs',
      keySpec: 'ECC_SECG_P256K1',
      keyUsage: 'SIGN_VERIFY',
      multiRegion: true,
      policy: ofAccount,
    });
    const from = 'eu-central-1';

    const { ReplicaKeyMetadata } = await replicate(keyId, { from, to: 'eu-west-1' });

    const arn = `arn:aws:kms:eu-west-1:000000000000:key/${keyId}`;
    expect(ReplicaKeyMetadata).toMatchObject({ KeyId: keyId, Arn: arn });
    await expect(replicate(keyId, { from, to: 'eu-west-1' })).rejects.toThrow('already exists');
    await expect(replicate(keyId, { from, to: from })).rejects.toThrow('must be in another Region');
    await operator.send(new DisableKeyCommand({ KeyId: keyId }));
    await expect(replicate(keyId, { from, to: 'us-west-2' })).rejects.toMatchObject({
      name: 'DisabledException',
    });
  });

  it('is required for a replica: a single-Region key cannot be replicated', async () => {
    await expect(replicate(aKey().KeyId, { from: 'eu-central-1', to: 'eu-west-1' })).rejects.toMatchObject({
      name: 'UnsupportedOperationException',
    });
  });
});

describe('access to a KMS key', () => {
  it('is allowed by the policy of a role, within its conditions', async () => {
    const { KeyId } = aKey();
    const kms = clientOf(allow('kms:Sign', { StringEquals: { 'kms:MessageType': 'DIGEST' } }));

    await expect(kms.send(signed(KeyId))).resolves.toMatchObject({ SigningAlgorithm: 'ECDSA_SHA_256' });
    await expect(kms.send(signed(KeyId, { MessageType: 'RAW' }))).rejects.toMatchObject({
      name: 'AccessDeniedException',
    });
    await expect(kms.send(new GetPublicKeyCommand({ KeyId }))).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: expect.stringContaining('because no identity-based policy allows the kms:GetPublicKey action'),
    });
  });

  it("is denied if neither the key policy nor the account's policies name the caller", async () => {
    const { KeyId, arn } = aKey(document(admitting('arn:aws:iam::000000000000:role/another')));

    await expect(clientOf(allow('kms:Sign')).send(signed(KeyId))).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: expect.stringMatching(
        new RegExp(
          `is not authorized to perform: kms:Sign on resource: ${arn} because no resource-based policy allows the kms:Sign action$`,
        ),
      ),
    });
  });

  it("is allowed to a role that the key policy names, whatever the role's own policy is", async () => {
    const arn = 'arn:aws:iam::000000000000:role/signer';
    endpoint.identities.registerRole({ arn, name: 'signer', trusts: [] });
    const credentials = endpoint.identities.credentialsFor(arn, 'session');
    const { KeyId } = aKey(document(admitting(arn)));

    const { Signature } = await new KMSClient({ ...endpoint.client, credentials }).send(signed(KeyId));

    expect(Signature).toBeDefined();
  });

  it.each([
    ['DisableKey', DisableKeyCommand],
    ['ScheduleKeyDeletion', ScheduleKeyDeletionCommand],
  ])('is denied for %s if the key policy denies it to everyone', async (action, Command) => {
    const { KeyId, arn } = aKey(protectedPolicy);
    const refusal = (caller: string) => ({
      name: 'AccessDeniedException',
      message: `User: ${caller} is not authorized to perform: kms:${action} on resource: ${arn} with an explicit deny in a resource-based policy`,
    });
    const user = endpoint.identities.createUser({ name: 'ann', policy: allow('kms:*') });
    const ann = new KMSClient({ ...endpoint.client, credentials: user });

    await expect(operator.send(new Command({ KeyId }))).rejects.toMatchObject(refusal(root));
    await expect(ann.send(new Command({ KeyId }))).rejects.toMatchObject(
      refusal('arn:aws:iam::000000000000:user/ann'),
    );
    expect(await stateOf(KeyId)).toBe('Enabled');
  });
});

describe('the policy of a KMS key', () => {
  const put = (KeyId: string, policy: unknown, overrides = {}) =>
    new PutKeyPolicyCommand({ KeyId, Policy: JSON.stringify(policy), ...overrides });
  const policyOf = async (KeyId: string): Promise<unknown> =>
    JSON.parse((await operator.send(new GetKeyPolicyCommand({ KeyId }))).Policy ?? '');

  it('can be changed even if it protects the key, which can then be disabled', async () => {
    const { KeyId } = aKey(protectedPolicy);

    await operator.send(put(KeyId, ofAccount));
    await operator.send(new DisableKeyCommand({ KeyId }));

    expect(await policyOf(KeyId)).toEqual(ofAccount);
    expect(await stateOf(KeyId)).toBe('Disabled');
  });

  const lockout = {
    name: 'MalformedPolicyDocumentException',
    message: 'The new key policy will not allow you to update the key policy in the future.',
  };
  const denying = (Action: string) =>
    document(admitting(root), { Effect: 'Deny', Principal: '*', Action, Resource: '*' });

  it.each([
    ['denies it to them', denying('kms:PutKeyPolicy')],
    ['allows it to others only', document(admitting('arn:aws:iam::000000000000:role/another'))],
  ])('cannot be changed by a caller who then could not change it again, because it %s', async (_, policy) => {
    const { KeyId } = aKey();
    const kms = clientOf(allow('kms:*'));

    for (const client of [operator, kms]) {
      await expect(client.send(put(KeyId, policy))).rejects.toMatchObject(lockout);
    }

    expect(await policyOf(KeyId)).toEqual(ofAccount);
    await kms.send(put(KeyId, policy, { BypassPolicyLockoutSafetyCheck: true }));
    await expect(operator.send(put(KeyId, ofAccount))).rejects.toMatchObject({
      name: 'AccessDeniedException',
    });
  });

  it('cannot be changed by a caller without the permission for it', async () => {
    const { KeyId } = aKey(denying('kms:PutKeyPolicy'));

    await expect(operator.send(put(KeyId, ofAccount))).rejects.toMatchObject({
      name: 'AccessDeniedException',
    });
    expect(await policyOf(KeyId)).toEqual(denying('kms:PutKeyPolicy'));
  });

  it.each([
    ['is not JSON', '{'],
    ['names nobody', JSON.stringify(allow('kms:*'))],
    [
      'has a condition that nobody can judge',
      JSON.stringify(document({ ...admitting(root), Condition: { Maybe: { 'aws:PrincipalArn': root } } })),
    ],
  ])('is rejected if it %s, even without the lockout check', async (_, Policy) => {
    const { KeyId } = aKey();

    await expect(
      operator.send(new PutKeyPolicyCommand({ KeyId, Policy, BypassPolicyLockoutSafetyCheck: true })),
    ).rejects.toMatchObject({ name: 'MalformedPolicyDocumentException' });
    expect(await policyOf(KeyId)).toEqual(ofAccount);
  });
});

/** The columns Enabled, Disabled and Pending deletion of AWS's page "Key states of AWS KMS keys". */
describe('the state of a KMS key', () => {
  const states = ['Enabled', 'Disabled', 'PendingDeletion'] as const;
  type Outcome = (typeof states)[number] | { readonly name: string; readonly message: string };

  const disabled = { name: 'DisabledException', message: 'is disabled.' };
  const pending = { name: 'KMSInvalidStateException', message: 'is pending deletion.' };
  const notPending = { name: 'KMSInvalidStateException', message: 'is not pending deletion.' };
  const commands = {
    Sign: signed,
    GetPublicKey: (KeyId: string) => new GetPublicKeyCommand({ KeyId }),
    DescribeKey: (KeyId: string) => new DescribeKeyCommand({ KeyId }),
    DisableKey: (KeyId: string) => new DisableKeyCommand({ KeyId }),
    EnableKey: (KeyId: string) => new EnableKeyCommand({ KeyId }),
    ScheduleKeyDeletion: (KeyId: string) => new ScheduleKeyDeletionCommand({ KeyId }),
    CancelKeyDeletion: (KeyId: string) => new CancelKeyDeletionCommand({ KeyId }),
    GetKeyPolicy: (KeyId: string) => new GetKeyPolicyCommand({ KeyId }),
    PutKeyPolicy: (KeyId: string) => new PutKeyPolicyCommand({ KeyId, Policy: JSON.stringify(ofAccount) }),
  };
  /** The state after the call, or the error. */
  const table: Readonly<Record<keyof typeof commands, readonly [Outcome, Outcome, Outcome]>> = {
    Sign: ['Enabled', disabled, pending],
    GetPublicKey: ['Enabled', disabled, pending],
    DescribeKey: states,
    DisableKey: ['Disabled', 'Disabled', pending],
    EnableKey: ['Enabled', 'Enabled', pending],
    ScheduleKeyDeletion: ['PendingDeletion', 'PendingDeletion', pending],
    CancelKeyDeletion: [notPending, notPending, 'Disabled'],
    GetKeyPolicy: states,
    PutKeyPolicy: states,
  };
  const rows = Object.entries(table).flatMap(([call, outcomes]) =>
    states.map((state, index) => ({ call: call as keyof typeof commands, state, outcome: outcomes[index] })),
  );

  /** Brings a key to the state with the calls that an operator would make. */
  const aKeyThatIs = async (state: (typeof states)[number]) => {
    const key = aKey();
    const { KeyId } = key;
    if (state === 'Disabled') await operator.send(new DisableKeyCommand({ KeyId }));
    if (state === 'PendingDeletion') await operator.send(new ScheduleKeyDeletionCommand({ KeyId }));
    return key;
  };

  it.each(rows)(
    'determines the result of a call: $call of a key that is $state: $outcome',
    async ({ call, state, outcome }) => {
      const { KeyId, arn } = await aKeyThatIs(state);
      const sent = operator.send(commands[call](KeyId) as DescribeKeyCommand);

      if (typeof outcome === 'object') {
        await expect(sent).rejects.toMatchObject({ ...outcome, message: `${arn} ${outcome.message}` });
        expect(await stateOf(KeyId)).toBe(state);
      } else {
        await sent;
        expect(await stateOf(KeyId)).toBe(outcome);
      }
    },
  );

  it('is described with the key, and survives a restart', async () => {
    const { KeyId, arn } = await aKeyThatIs('PendingDeletion');

    const { KeyMetadata } = await operator.send(new DescribeKeyCommand({ KeyId: arn }));
    const { Keys } = await operator.send(new ListKeysCommand());

    expect(KeyMetadata).toMatchObject({
      AWSAccountId: '000000000000',
      Arn: arn,
      CreationDate: expect.any(Date),
      Enabled: false,
      KeyId,
      KeyManager: 'CUSTOMER',
      KeySpec: 'ECC_SECG_P256K1',
      KeyState: 'PendingDeletion',
      KeyUsage: 'SIGN_VERIFY',
      Origin: 'AWS_KMS',
      SigningAlgorithms: ['ECDSA_SHA_256'],
    });
    expect(Keys).toContainEqual({ KeyId, KeyArn: arn });
    const restarted = createKeyEngine({ stateDirectory: endpoint.stateDirectory });
    expect(restarted.createKey(endpoint.keys.describe(KeyId)).state).toBe('PendingDeletion');
  });

  it.each([
    [undefined, 30],
    [7, 7],
  ])(
    'allows deletion with a requested window of %s days, which becomes %d days',
    async (PendingWindowInDays, days) => {
      const { KeyId, arn } = aKey();

      const scheduled = await operator.send(new ScheduleKeyDeletionCommand({ KeyId, PendingWindowInDays }));

      expect(scheduled).toMatchObject({ KeyId: arn, KeyState: 'PendingDeletion', PendingWindowInDays: days });
      const inDays = (Number(scheduled.DeletionDate) - Date.now()) / 86_400_000;
      expect(Math.round(inDays)).toBe(days);
    },
  );

  it.each([6, 31])('does not allow deletion with a window of %d days', async (PendingWindowInDays) => {
    const { KeyId } = aKey();

    await expect(
      operator.send(new ScheduleKeyDeletionCommand({ KeyId, PendingWindowInDays })),
    ).rejects.toMatchObject({
      name: 'ValidationException',
      message: expect.stringContaining('PendingWindowInDays'),
    });
    expect(await stateOf(KeyId)).toBe('Enabled');
  });
});

it('a KMS key for encryption neither signs nor has a public key', async () => {
  const { KeyId, arn } = aKey(ofAccount, true);

  await expect(operator.send(signed(KeyId))).rejects.toMatchObject({
    name: 'InvalidKeyUsageException',
    message: `${arn} key usage is ENCRYPT_DECRYPT which is not valid for Sign.`,
  });
  await expect(operator.send(new GetPublicKeyCommand({ KeyId }))).rejects.toMatchObject({
    name: 'UnsupportedOperationException',
  });
});
