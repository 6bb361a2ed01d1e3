import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1';
import { hexToBytes, keccak256, parseTransaction, recoverTransactionAddress } from 'viem';
import { describe, expect, it } from 'vitest';
import { kmsAccount } from '../../../shared/nft/aws/kms-account.ts';
import { kmsKey } from '../../../shared/nft/aws/kms-key.ts';
import { kmsSigner } from '../../../shared/nft/aws/kms-signer.ts';
import type { UnsignedTransaction } from '../../../shared/nft/ports/chain.ts';
import type { KeyService } from '../../../shared/platform/aws/kms-client.ts';
import { anvilPrivateKey } from '../../support/nft/anvil.ts';
import { anvilAddress } from '../../support/nft/collections.ts';

const halfOrder = secp256k1.CURVE.n / 2n;
const key = hexToBytes(anvilPrivateKey);

function publicKeyDer(): Uint8Array {
  const scalar = Buffer.from(key).toString('base64url');
  const point = Buffer.from(secp256k1.getPublicKey(key, false));
  const jwk = {
    kty: 'EC',
    crv: 'secp256k1',
    d: scalar,
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const keyObject: KeyObject = createPublicKey(createPrivateKey({ key: jwk, format: 'jwk' }));
  return keyObject.export({ format: 'der', type: 'spki' });
}

interface StubOptions {
  readonly highS?: boolean;
  readonly signingKey?: Uint8Array;
  readonly failFirst?: boolean;
  readonly publicKey?: Uint8Array;
}

/** Answers as KMS does: with a public key in SPKI format, and a signature in DER format with a low or a high s. */
function stubKms({
  highS = false,
  signingKey = key,
  failFirst = false,
  publicKey = publicKeyDer(),
}: StubOptions = {}) {
  const calls: string[] = [];
  const client: KeyService = {
    publicKey: async (keyId) => {
      calls.push(keyId);
      if (failFirst && calls.length === 1) throw new Error('KMS is away');
      return publicKey;
    },
    signDigest: async (_keyId, digest) => {
      const low = secp256k1.sign(digest, signingKey);
      const signature = highS ? new secp256k1.Signature(low.r, secp256k1.CURVE.n - low.s) : low;
      return signature.toDERRawBytes();
    },
  };
  return { client, calls };
}

function aTransaction(changes: Partial<UnsignedTransaction> = {}): UnsignedTransaction {
  return {
    nonce: 3,
    to: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
    data: '0xdeadbeef',
    gas: 100_000n,
    maxFeePerGas: 60_000_000_000n,
    maxPriorityFeePerGas: 25_000_000_000n,
    ...changes,
  };
}

/** The error that becomes a 503, with the cause for the log. */
const unavailable = (why: string) => ({
  code: 'CHAIN_UNAVAILABLE',
  cause: { message: expect.stringContaining(why) },
});

describe('the KMS signer', () => {
  it('derives its address from the public key, which it requests once', async () => {
    const { client, calls } = stubKms();
    const signer = kmsSigner({ client, keyId: 'key-1', chainId: 137, number: 1 });

    expect(await signer.address()).toBe(anvilAddress);
    expect(await signer.address()).toBe(anvilAddress);
    expect(calls).toEqual(['key-1']);
  });

  it.each([false, true])(
    'signs with a low S so that its address can be recovered (KMS returned a high S: %s)',
    async (highS) => {
      const signer = kmsSigner({
        client: stubKms({ highS }).client,
        keyId: 'key-1',
        chainId: 137,
        number: 1,
      });

      for (let nonce = 0; nonce < 8; nonce += 1) {
        const { raw, hash } = await signer.sign(aTransaction({ nonce }));

        expect(await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })).toBe(
          anvilAddress,
        );
        expect(hash).toBe(keccak256(raw));
        const { s, ...parsed } = parseTransaction(raw);
        expect(BigInt(s ?? 0) <= halfOrder).toBe(true);
        expect(parsed).toMatchObject({ type: 'eip1559', chainId: 137, gas: 100_000n, data: '0xdeadbeef' });
      }
    },
  );

  it('rejects a signature that was made with another key', async () => {
    const signingKey = createHash('sha256').update('another').digest();
    const signer = kmsSigner({
      client: stubKms({ signingKey }).client,
      keyId: 'key-1',
      chainId: 137,
      number: 1,
    });

    await expect(signer.sign(aTransaction())).rejects.toMatchObject(
      unavailable('not made with the signing key'),
    );
  });

  it('rejects a key on a curve other than secp256k1', async () => {
    const otherCurve = Buffer.from(publicKeyDer());
    otherCurve[12] = 0xff;
    const signer = kmsSigner({
      client: stubKms({ publicKey: otherCurve }).client,
      keyId: 'key-1',
      chainId: 137,
      number: 1,
    });

    await expect(signer.address()).rejects.toMatchObject(unavailable('not on secp256k1'));
  });

  it('requests the public key again after a failure', async () => {
    const signer = kmsSigner({
      client: stubKms({ failFirst: true }).client,
      keyId: 'key-1',
      chainId: 137,
      number: 1,
    });

    await expect(signer.address()).rejects.toMatchObject(unavailable('KMS is away'));
    expect(await signer.address()).toBe(anvilAddress);
  });
});

describe('the viem account of a KMS key', () => {
  it('signs transactions and rejects messages, which could be used as consent elsewhere', async () => {
    const account = await kmsAccount(kmsKey({ client: stubKms().client, keyId: 'key-1' }));

    const raw = await account.signTransaction({
      ...aTransaction(),
      type: 'eip1559',
      chainId: 137,
      number: 1,
    });

    expect(account.address).toBe(anvilAddress);
    expect(await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })).toBe(
      anvilAddress,
    );
    await expect(account.signMessage({ message: 'I agree' })).rejects.toThrow('not messages');
  });
});
