import { createHash, createHmac, createSecretKey, type Hash, type Hmac } from 'node:crypto';
import { toUint8Array } from '@smithy/core/serde';

/**
 * SHA-256 for signatures, or with a secret its HMAC, by Node's OpenSSL. Of a secret in bytes Node learns by an exception
 * that it is no `KeyObject`, which takes three times as long as all the rest: so it is given one.
 */
export class Sha256 {
  readonly #begin: () => Hash | Hmac;
  #hash: Hash | Hmac;

  constructor(secret?: Parameters<typeof toUint8Array>[0]) {
    const key = secret === undefined ? undefined : createSecretKey(toUint8Array(secret));
    this.#begin = () => (key === undefined ? createHash('sha256') : createHmac('sha256', key));
    this.#hash = this.#begin();
  }

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    this.#hash = this.#begin();
  }
}
