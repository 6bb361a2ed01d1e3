import * as z from 'zod';
import { accountId } from '../../engines/account.ts';
import { checkResourcePolicy } from '../../engines/iam/resource-policy.ts';
import { type KeyDescription, type KeyEngine, type KeyState, lockout } from '../../engines/kms.ts';
import { ServiceFault } from '../../engines/service-fault.ts';
import { type Call, tagContext } from '../call.ts';
import { epochSeconds, jsonOperation, jsonService } from '../json-protocol.ts';

const keyReference = z.object({ KeyId: z.string() });
const signRequest = z.object({
  KeyId: z.string(),
  Message: z.base64(),
  MessageType: z.enum(['RAW', 'DIGEST']).default('RAW'),
  SigningAlgorithm: z.string(),
});
const deletion = keyReference.extend({ PendingWindowInDays: z.int().min(7).max(30).default(30) });
const secondsOfDay = 86_400;
const newPolicy = z.object({
  KeyId: z.string(),
  PolicyName: z.literal('default').optional(),
  Policy: z.string().min(1),
  BypassPolicyLockoutSafetyCheck: z.boolean().default(false),
});
const largestPolicy = 32_768;
const replication = z.object({ KeyId: z.string(), ReplicaRegion: z.string().min(1) });
const signingAlgorithm = 'ECDSA_SHA_256';

const digestOf = ({ Message, MessageType, SigningAlgorithm }: z.infer<typeof signRequest>): Buffer => {
  if (SigningAlgorithm !== signingAlgorithm) {
    throw new ServiceFault({
      code: 'InvalidKeyUsageException',
      message: `Algorithm ${SigningAlgorithm} and key spec ECC_SECG_P256K1 are incompatible.`,
    });
  }
  if (MessageType !== 'DIGEST') {
    throw new ServiceFault({
      code: 'UnsupportedOperationException',
      message: 'The local runtime signs only digests (MessageType DIGEST).',
    });
  }
  const digest = Buffer.from(Message, 'base64');
  if (digest.length !== 32) {
    throw new ServiceFault({
      code: 'ValidationException',
      message: `Digest is invalid length for algorithm ${SigningAlgorithm}.`,
    });
  }
  return digest;
};

const keyContext = ({ keySpec, keyUsage, tags }: KeyDescription): Record<string, string[]> => ({
  'kms:CallerAccount': [accountId],
  'kms:KeySpec': [keySpec],
  'kms:KeyUsage': [keyUsage],
  ...tagContext(tags),
});

const parsedPolicy = (text: string): unknown => {
  if (text.length > largestPolicy) {
    throw new ServiceFault({
      code: 'LimitExceededException',
      message: `A key policy has at most ${largestPolicy} characters.`,
    });
  }
  try {
    const policy: unknown = JSON.parse(text);
    checkResourcePolicy(policy);
    return policy;
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new ServiceFault({ code: 'MalformedPolicyDocumentException', message });
  }
};

const metadataOf = ({
  keyId,
  arn,
  state,
  creationDate,
  description,
  keySpec,
  keyUsage,
  multiRegion,
}: KeyDescription) => ({
  AWSAccountId: accountId,
  KeyId: keyId,
  Arn: arn,
  CreationDate: epochSeconds(creationDate),
  Enabled: state === 'Enabled',
  KeyState: state,
  Description: description,
  KeyManager: 'CUSTOMER',
  KeySpec: keySpec,
  KeyUsage: keyUsage,
  MultiRegion: multiRegion,
  Origin: 'AWS_KMS',
  ...(keyUsage === 'SIGN_VERIFY'
    ? { SigningAlgorithms: [signingAlgorithm] }
    : { EncryptionAlgorithms: ['SYMMETRIC_DEFAULT'] }),
});

export const kmsService = (keys: KeyEngine) => {
  /** Returns the key if the caller may call the action on it. */
  const allowed = (
    call: Call,
    action: string,
    KeyId: string,
    context: Readonly<Record<string, string[]>> = {},
  ): KeyDescription => {
    const key = keys.describe(KeyId);
    call.allow(`kms:${action}`, key.arn, { ...keyContext(key), ...context }, key.policy);
    return key;
  };
  /** Changes a key's state. If its deletion is pending, nothing but the deletion can be changed. */
  const change = (call: Call, action: string, KeyId: string, state: KeyState): KeyDescription => {
    const key = allowed(call, action, KeyId);
    const isCancelled = action === 'CancelKeyDeletion';
    if ((key.state === 'PendingDeletion') !== isCancelled) {
      throw new ServiceFault({
        code: 'KMSInvalidStateException',
        message: `${key.arn} is ${isCancelled ? 'not ' : ''}pending deletion.`,
      });
    }
    keys.setState(key.keyId, state);
    return key;
  };
  return jsonService({
    Sign: jsonOperation(signRequest, (input, call) => {
      const key = allowed(call, 'Sign', input.KeyId, {
        'kms:MessageType': [input.MessageType],
        'kms:SigningAlgorithm': [input.SigningAlgorithm],
      });
      const signature = keys.sign({ keyId: key.keyId, digest: digestOf(input) });
      return {
        KeyId: key.arn,
        Signature: Buffer.from(signature).toString('base64'),
        SigningAlgorithm: signingAlgorithm,
      };
    }),
    GetPublicKey: jsonOperation(keyReference, ({ KeyId }, call) => {
      const key = allowed(call, 'GetPublicKey', KeyId);
      return {
        KeyId: key.arn,
        PublicKey: Buffer.from(keys.publicKey(KeyId)).toString('base64'),
        CustomerMasterKeySpec: key.keySpec,
        KeySpec: key.keySpec,
        KeyUsage: key.keyUsage,
        SigningAlgorithms: [signingAlgorithm],
      };
    }),
    DescribeKey: jsonOperation(keyReference, ({ KeyId }, call) => ({
      KeyMetadata: metadataOf(allowed(call, 'DescribeKey', KeyId)),
    })),
    DisableKey: jsonOperation(keyReference, ({ KeyId }, call) => {
      change(call, 'DisableKey', KeyId, 'Disabled');
    }),
    EnableKey: jsonOperation(keyReference, ({ KeyId }, call) => {
      change(call, 'EnableKey', KeyId, 'Enabled');
    }),
    ScheduleKeyDeletion: jsonOperation(deletion, ({ KeyId, PendingWindowInDays }, call) => {
      const { arn } = change(call, 'ScheduleKeyDeletion', KeyId, 'PendingDeletion');
      const DeletionDate = epochSeconds(new Date()) + PendingWindowInDays * secondsOfDay;
      return { KeyId: arn, DeletionDate, KeyState: 'PendingDeletion', PendingWindowInDays };
    }),
    CancelKeyDeletion: jsonOperation(keyReference, ({ KeyId }, call) => ({
      KeyId: change(call, 'CancelKeyDeletion', KeyId, 'Disabled').arn,
    })),
    GetKeyPolicy: jsonOperation(keyReference, ({ KeyId }, call) => ({
      Policy: JSON.stringify(allowed(call, 'GetKeyPolicy', KeyId).policy),
      PolicyName: 'default',
    })),
    PutKeyPolicy: jsonOperation(newPolicy, (input, call) => {
      const key = allowed(call, 'PutKeyPolicy', input.KeyId);
      const policy = parsedPolicy(input.Policy);
      const mayPutAgain = () => call.wouldAllow('kms:PutKeyPolicy', key.arn, keyContext(key), policy);
      if (!input.BypassPolicyLockoutSafetyCheck && !mayPutAgain()) throw lockout();
      keys.setPolicy(key.keyId, policy);
    }),
    /** A replica has the key's id and material in another Region. Nothing here ever calls another Region's replica. */
    ReplicateKey: jsonOperation(replication, ({ KeyId, ReplicaRegion }, call) => {
      const key = allowed(call, 'ReplicateKey', KeyId, { 'kms:ReplicaRegion': [ReplicaRegion] });
      const replica = key.arn.replace(/^(arn:aws:kms):[^:]+:/, `$1:${ReplicaRegion}:`);
      call.allow('kms:CreateKey', replica);
      if (!key.multiRegion) {
        throw new ServiceFault({
          code: 'UnsupportedOperationException',
          message: `${key.arn} is not a multi-Region primary key.`,
        });
      }
      if (key.state !== 'Enabled') {
        const code = key.state === 'Disabled' ? 'DisabledException' : 'KMSInvalidStateException';
        throw new ServiceFault({ code, message: `${key.arn} is ${key.state}.` });
      }
      if (ReplicaRegion === call.region) {
        throw new ServiceFault({
          code: 'ValidationException',
          message: `The replica of ${key.arn} must be in another Region than ${call.region}.`,
        });
      }
      keys.replicate(key.keyId, ReplicaRegion);
      return {
        ReplicaKeyMetadata: metadataOf({ ...key, arn: replica }),
        ReplicaPolicy: JSON.stringify(key.policy),
        ReplicaTags: [],
      };
    }),
    ListKeys: jsonOperation(z.object({}), (_, call) => {
      call.allow('kms:ListKeys', '*');
      return { Keys: keys.list().map((key) => ({ KeyId: key.keyId, KeyArn: key.arn })), Truncated: false };
    }),
  });
};
