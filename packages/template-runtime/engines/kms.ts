import { randomBytes, randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sign as signEcdsa } from 'tiny-secp256k1';
import * as z from 'zod';
import { writeFileDurably } from '../durable-file.ts';
import { arn } from './account.ts';
import { ServiceFault } from './service-fault.ts';

export interface KeyDeclaration {
  /** A UUID, or `mrk-` and 32 hex digits for a multi-Region key. */
  readonly keyId: string;
  readonly description: string;
  readonly keySpec: 'ECC_SECG_P256K1' | 'SYMMETRIC_DEFAULT';
  readonly keyUsage: 'SIGN_VERIFY' | 'ENCRYPT_DECRYPT';
  readonly multiRegion: boolean;
  /** The key's own policy. It decides together with the policies of the caller. */
  readonly policy: unknown;
  readonly tags?: Readonly<Record<string, string>>;
}

export type KeyState = 'Enabled' | 'Disabled' | 'PendingDeletion';

export interface KeyDescription extends KeyDeclaration {
  readonly arn: string;
  readonly state: KeyState;
  readonly creationDate: Date;
}

/** A `keyId` argument is a key's id or its ARN. */
export interface KeyEngine {
  /** Creates the key. If the state directory already has the key's material, uses that material. */
  createKey(declaration: KeyDeclaration): KeyDescription;
  /** Survives a restart. A key in another state than `Enabled` can be used for nothing. */
  setState(keyId: string, state: KeyState): void;
  /** Does not survive a restart, at which the template's policy applies again. */
  setPolicy(keyId: string, policy: unknown): void;
  /** Throws when the key has a replica in this Region. Replicas are forgotten when the system stops. */
  replicate(keyId: string, region: string): void;
  /** Deletes the key and its material for good. */
  remove(keyId: string): void;
  describe(keyId: string): KeyDescription;
  list(): readonly KeyDescription[];
  /** SubjectPublicKeyInfo, DER. */
  publicKey(keyId: string): Uint8Array;
  /**
   * Returns an ECDSA signature of a 32-byte digest, in DER. As with KMS, about half of the signatures have a high S.
   */
  sign(request: { readonly keyId: string; readonly digest: Uint8Array }): Uint8Array;
}

/**
 * KMS refuses a policy under which its writer could not write another one, whether the key is new or not ("Default key
 * policy").
 */
export const lockout = (): ServiceFault =>
  new ServiceFault({
    code: 'MalformedPolicyDocumentException',
    message: 'The new key policy will not allow you to update the key policy in the future.',
  });

const storedDeclaration = z.object({
  keyId: z.string(),
  description: z.string(),
  keySpec: z.enum(['ECC_SECG_P256K1', 'SYMMETRIC_DEFAULT']),
  keyUsage: z.enum(['SIGN_VERIFY', 'ENCRYPT_DECRYPT']),
  multiRegion: z.boolean(),
  policy: z.unknown(),
  tags: z.record(z.string(), z.string()).optional(),
});

const storedMaterial = z.record(
  z.string(),
  z.object({
    declaration: storedDeclaration.optional(),
    privateKey: z.string().regex(/^[0-9a-f]{64}$/),
    creationDate: z.iso.datetime(),
    state: z.enum(['Enabled', 'Disabled', 'PendingDeletion']).optional(),
  }),
);
type StoredMaterial = z.infer<typeof storedMaterial>;

/**
 * The beginning of a public key in DER: `SEQUENCE { SEQUENCE { id-ecPublicKey, secp256k1 }, BIT STRING }` (RFC 5480).
 * The 65 bytes of the point follow.
 */
const publicKeyInfoPrefix = Buffer.from('3056301006072a8648ce3d020106052b8104000a034200', 'hex');

const read = (path: string): StoredMaterial =>
  existsSync(path) ? storedMaterial.parse(JSON.parse(readFileSync(path, 'utf8'))) : {};

/**
 * Keys are stored in `kms.json`. A key that the template does not declare any more is kept as it was last declared, as KMS
 * keeps it.
 */
export const createKeyEngine = ({ stateDirectory }: { readonly stateDirectory: string }): KeyEngine => {
  const path = join(stateDirectory, 'kms.json');
  const material = read(path);
  const replicas = new Set<string>();
  const keys = new Map<
    string,
    KeyDescription & { readonly privateKey: Uint8Array; readonly spki?: Uint8Array }
  >();

  const find = (keyId: string) => {
    const bare = keyId.startsWith('arn:') ? keyId.replace(/^arn:aws:kms:[^:]*:[^:]*:(key\/)?/, '') : keyId;
    const found = keys.get(bare);
    if (!found) {
      throw new ServiceFault({
        code: 'NotFoundException',
        message: `Key '${arn('kms', `key/${bare}`)}' does not exist`,
      });
    }
    return found;
  };
  /** `usageFault` has AWS's words for a key that does not sign. */
  const findSigner = (keyId: string, usageFault: { readonly code: string; readonly operation: string }) => {
    const key = find(keyId);
    if (!key.spki) {
      const { code, operation } = usageFault;
      const message = `${key.arn} key usage is ${key.keyUsage} which is not valid for ${operation}.`;
      throw new ServiceFault({ code, message });
    }
    if (key.state === 'Disabled') {
      throw new ServiceFault({ code: 'DisabledException', message: `${key.arn} is disabled.` });
    }
    if (key.state === 'PendingDeletion') {
      throw new ServiceFault({
        code: 'KMSInvalidStateException',
        message: `${key.arn} is pending deletion.`,
      });
    }
    return { ...key, spki: key.spki };
  };

  const use = (declaration: KeyDeclaration, kept: StoredMaterial[string]): KeyDescription => {
    const privateKey = Buffer.from(kept.privateKey, 'hex');
    const key = {
      ...declaration,
      arn: arn('kms', `key/${declaration.keyId}`),
      creationDate: new Date(kept.creationDate),
      state: kept.state ?? 'Enabled',
      privateKey,
      ...(declaration.keySpec === 'ECC_SECG_P256K1' && {
        spki: Buffer.concat([publicKeyInfoPrefix, secp256k1.getPublicKey(privateKey, false)]),
      }),
    };
    keys.set(declaration.keyId, key);
    return key;
  };
  for (const kept of Object.values(material)) {
    if (kept.declaration !== undefined) use(kept.declaration, kept);
  }

  return {
    createKey(declaration) {
      const known = material[declaration.keyId] ?? {
        privateKey: Buffer.from(secp256k1.utils.randomPrivateKey()).toString('hex'),
        creationDate: new Date().toISOString(),
      };
      const kept = { ...known, declaration: storedDeclaration.parse(declaration) };
      if (!isDeepStrictEqual(material[declaration.keyId], kept)) {
        material[declaration.keyId] = kept;
        writeFileDurably(path, JSON.stringify(material));
      }
      return use(declaration, kept);
    },
    setState(keyId, state) {
      const key = find(keyId);
      const kept = material[key.keyId];
      if (kept !== undefined) material[key.keyId] = { ...kept, state };
      writeFileDurably(path, JSON.stringify(material));
      keys.set(key.keyId, { ...key, state });
    },
    setPolicy(keyId, policy) {
      const key = find(keyId);
      keys.set(key.keyId, { ...key, policy });
    },
    replicate(keyId, region) {
      const replica = `${find(keyId).keyId} in ${region}`;
      if (replicas.has(replica)) {
        throw new ServiceFault({ code: 'AlreadyExistsException', message: `Key ${replica} already exists.` });
      }
      replicas.add(replica);
    },
    remove(keyId) {
      const key = find(keyId);
      keys.delete(key.keyId);
      delete material[key.keyId];
      writeFileDurably(path, JSON.stringify(material));
    },
    describe: find,
    list: () => [...keys.values()],
    publicKey: (keyId) =>
      findSigner(keyId, { code: 'UnsupportedOperationException', operation: 'this operation' }).spki,
    sign({ keyId, digest }) {
      const { privateKey } = findSigner(keyId, {
        code: 'InvalidKeyUsageException',
        operation: 'Sign',
      });
      // Fresh entropy makes two signatures of the same digest differ, as with KMS. The library always returns the lower
      // of the two possible values of S; KMS returns either of them.
      const low = secp256k1.Signature.fromCompact(signEcdsa(digest, privateKey, randomBytes(32)));
      const isHigh = randomInt(2) === 1;
      const signature = isHigh ? new secp256k1.Signature(low.r, secp256k1.CURVE.n - low.s) : low;
      return signature.toDERRawBytes();
    },
  };
};
