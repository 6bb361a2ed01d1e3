import { exportJWK, generateKeyPair, type JWK, type JWTPayload } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { InvalidTokenError, IssuerUnavailableError } from '../../../shared/platform/auth/errors.ts';
import { accessTokenVerifier } from '../../../shared/platform/outside/access-token-verifier.ts';
import { startIssuer, type TestIssuer } from '../../support/platform/issuer.ts';

const seconds = 1_000;
let issuer: TestIssuer;
let now: number;

beforeAll(async () => {
  issuer = await startIssuer();
});
afterAll(() => issuer.stop());
beforeEach(() => {
  now = Date.parse('2026-11-20T09:15:02.000Z');
  issuer.publish((current) => [current]);
});

const verifier = () =>
  accessTokenVerifier({
    issuer: issuer.url,
    audience: { claim: 'aud', values: ['marquee'] },
    clock: () => now,
  });

const bearer = async (
  options: { readonly kid?: string | undefined } = {},
  overrides: JWTPayload = {},
): Promise<string> => {
  const claims = { iss: issuer.url, aud: 'marquee', sub: 'user-1', exp: now / seconds + 300, ...overrides };
  return `Bearer ${await issuer.sign(claims, options)}`;
};

const newKey = async (extra: JWK, alg = 'RS256'): Promise<JWK> => ({
  ...(await exportJWK((await generateKeyPair(alg, { extractable: true })).publicKey)),
  ...extra,
});
const current = async (): Promise<JWK> => {
  const { promise, resolve } = Promise.withResolvers<JWK>();
  issuer.publish((key) => {
    resolve(key);
    return [key];
  });
  await fetch(`${issuer.url}/keys`);
  return promise;
};
const short = async (kid: string): Promise<JWK> => {
  const { publicKey } = await crypto.subtle.generateKey(
    {
      name: 'RSASSA-PKCS1-v1_5',
      modulusLength: 1_024,
      publicExponent: new Uint8Array([1, 0, 1]),
      hash: 'SHA-256',
    },
    true,
    ['sign', 'verify'],
  );
  return { ...(await exportJWK(publicKey)), kid };
};

describe('a set of keys in which several match a token', () => {
  const sets: Record<string, (key: JWK) => Promise<readonly JWK[]>> = {
    'lists the key twice': async (key) => [key, key],
    'lists the key twice, once without its use and algorithm': async ({ use, alg, ...key }) => [
      key,
      { ...key, use },
    ],
    'has another key of the same kid before it': async (key) => [await newKey({ kid: key.kid ?? '' }), key],
    'has another key of the same kid after it': async (key) => [key, await newKey({ kid: key.kid ?? '' })],
    'has an incomplete key of the same kid': async (key) => [{ kty: 'RSA', kid: key.kid ?? '' }, key],
    'has a short key of the same kid': async (key) => [await short(key.kid ?? ''), key],
    'has a key that is not for signatures': async (key) => [
      await newKey({ kid: key.kid ?? '', use: 'enc' }),
      key,
    ],
  };
  it.each(Object.entries(sets))('accepts the token if the set %s', async (_, setOf) => {
    const keys = await setOf(await current());
    issuer.publish(() => keys);

    expect((await verifier()(await bearer())).sub).toBe('user-1');
  });

  it('accepts tokens without a kid of the old and of the new key during a roll-over', async () => {
    const verify = verifier();
    const old = await current();
    const before = await bearer({ kid: undefined });
    expect((await verify(before)).sub).toBe('user-1');
    await issuer.rotate();
    issuer.publish((key) => [old, key]);
    now += 2 * seconds;

    expect((await verify(await bearer({ kid: undefined }))).sub).toBe('user-1');
    expect((await verify(before)).sub).toBe('user-1');
  });

  it('calls no token invalid if the only key is malformed', async () => {
    const { kid = '' } = await current();
    issuer.publish(() => [{ kty: 'RSA', kid }]);

    await expect(verifier()(await bearer())).rejects.toThrow(IssuerUnavailableError);
  });

  it('takes a kid that is null for none', async () => {
    expect((await verifier()(await bearer({ kid: null as never }))).sub).toBe('user-1');
  });

  it('refuses a token that none of them signed, and one whose claims are wrong', async () => {
    const verify = verifier();
    const key = await current();
    const others = [await newKey({ kid: key.kid ?? '' }), await newKey({ kid: key.kid ?? '' })];
    issuer.publish(() => others);
    await expect(verify(await bearer())).rejects.toThrow(InvalidTokenError);

    issuer.publish(() => [key, key]);
    now += 11 * 60 * seconds;
    await expect(verify(await bearer({}, { aud: 'another' }))).rejects.toThrow(InvalidTokenError);
    await expect(verify(await bearer({}, { exp: now / seconds - 1 }))).rejects.toThrow(InvalidTokenError);
    await expect(verify(await bearer())).resolves.toBeDefined();
  });
});

describe('a token without a kid that no known key has signed', () => {
  it('is accepted if its key was published since, and refused only after the keys were read again', async () => {
    const verify = verifier();
    await verify(await bearer({ kid: undefined }));
    await issuer.rotate();

    await expect(verify(await bearer({ kid: undefined }))).rejects.toThrow(IssuerUnavailableError);
    now += 2 * seconds;
    expect((await verify(await bearer({ kid: undefined }))).sub).toBe('user-1');
    now += 2 * seconds;
    const forger = await startIssuer();
    const forged = `Bearer ${await forger.sign({ iss: issuer.url, aud: 'marquee', sub: 'x', exp: now }, { kid: undefined })}`;
    await forger.stop();
    await expect(verify(forged)).rejects.toThrow(InvalidTokenError);
  });

  it('is not accepted because a kid names a key that did not sign it, and the keys are not read for it', async () => {
    const verify = verifier();
    const header = await bearer();
    await verify(header);
    now += 2 * seconds;
    const before = issuer.keyRequests();
    const forger = await startIssuer();
    const kid = (await current()).kid ?? '';
    const asked = issuer.keyRequests();
    const forged = `Bearer ${await forger.sign({ iss: issuer.url, aud: 'marquee', sub: 'x', exp: now }, { kid })}`;
    await forger.stop();

    await expect(verify(forged)).rejects.toThrow(InvalidTokenError);
    expect(issuer.keyRequests()).toBe(asked);
    expect(asked).toBe(before + 1);
  });
});
