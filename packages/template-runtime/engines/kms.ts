import { randomBytes, randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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
  readonly policy: unknown;
  readonly tags?: Readonly<Record<string, string>>;
}

export interface KeyDescription extends KeyDeclaration {
  readonly arn: string;
  readonly creationDate: Date;
}

/** A `keyId` argument is a key's id or its ARN. */
export interface KeyEngine {
  /** Creates the key. If the state directory already has the key's material, uses that material. */
  createKey(declaration: KeyDeclaration): KeyDescription;
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

const storedMaterial = z.record(
  z.string(),
  z.object({ privateKey: z.string().regex(/^[0-9a-f]{64}$/), creationDate: z.iso.datetime() }),
);
type StoredMaterial = z.infer<typeof storedMaterial>;

/**
 * The beginning of a public key in DER: `SEQUENCE { SEQUENCE { id-ecPublicKey, secp256k1 }, BIT STRING }` (RFC 5480).
 * The 65 bytes of the point follow.
 */
const publicKeyInfoPrefix = Buffer.from('3056301006072a8648ce3d020106052b8104000a034200', 'hex');

const read = (path: string): StoredMaterial =>
  existsSync(path) ? storedMaterial.parse(JSON.parse(readFileSync(path, 'utf8'))) : {};

/** Keys are declared again at each start. Only their material is stored, in `kms.json`. */
export const createKeyEngine = ({ stateDirectory }: { readonly stateDirectory: string }): KeyEngine => {
  const path = join(stateDirectory, 'kms.json');
  const material = read(path);
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
  const findSigner = (keyId: string) => {
    const key = find(keyId);
    if (!key.spki) {
      throw new ServiceFault({
        code: 'UnsupportedOperationException',
        message: `${key.arn} key usage is ${key.keyUsage} which is not valid for this operation.`,
      });
    }
    return { ...key, spki: key.spki };
  };

  return {
    createKey(declaration) {
      const kept = material[declaration.keyId] ?? {
        privateKey: Buffer.from(secp256k1.utils.randomPrivateKey()).toString('hex'),
        creationDate: new Date().toISOString(),
      };
      if (!material[declaration.keyId]) {
        material[declaration.keyId] = kept;
        writeFileDurably(path, JSON.stringify(material));
      }
      const privateKey = Buffer.from(kept.privateKey, 'hex');
      const key = {
        ...declaration,
        arn: arn('kms', `key/${declaration.keyId}`),
        creationDate: new Date(kept.creationDate),
        privateKey,
        ...(declaration.keySpec === 'ECC_SECG_P256K1' && {
          spki: Buffer.concat([publicKeyInfoPrefix, secp256k1.getPublicKey(privateKey, false)]),
        }),
      };
      keys.set(declaration.keyId, key);
      return key;
    },
    remove(keyId) {
      const key = find(keyId);
      keys.delete(key.keyId);
      delete material[key.keyId];
      writeFileDurably(path, JSON.stringify(material));
    },
    describe: find,
    list: () => [...keys.values()],
    publicKey: (keyId) => findSigner(keyId).spki,
    sign({ keyId, digest }) {
      const { privateKey } = findSigner(keyId);
      // Fresh entropy makes two signatures of the same digest differ, as with KMS. The library always returns the lower
      // of the two possible values of S; KMS returns either of them.
      const low = secp256k1.Signature.fromCompact(signEcdsa(digest, privateKey, randomBytes(32)));
      const isHigh = randomInt(2) === 1;
      const signature = isHigh ? new secp256k1.Signature(low.r, secp256k1.CURVE.n - low.s) : low;
      return signature.toDERRawBytes();
    },
  };
};
