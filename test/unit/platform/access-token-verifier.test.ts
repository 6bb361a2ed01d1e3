import { decodeProtectedHeader, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { waitFor } from 'template-runtime/testing/wait.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TokenAudience, VerifyAccessToken } from '../../../shared/platform/auth/access-token.ts';
import { InvalidTokenError, IssuerUnavailableError } from '../../../shared/platform/auth/errors.ts';
import { ServiceError } from '../../../shared/platform/errors.ts';
import { accessTokenVerifier } from '../../../shared/platform/outside/access-token-verifier.ts';
import { withDeadline } from '../../../shared/platform/time/deadline.ts';
import { startIssuer, type TestIssuer } from '../../support/platform/issuer.ts';

const seconds = 1_000;
const start = Date.parse('2026-11-20T09:15:02.000Z');
const forMarquee: TokenAudience = { claim: 'aud', values: ['marquee'] };

let issuer: TestIssuer;
let now: number;

beforeAll(async () => {
  issuer = await startIssuer();
});
afterAll(() => issuer.stop());
beforeEach(() => {
  now = start;
  issuer.breakDown(false);
  issuer.hang(false);
});

const verifier = (audience: TokenAudience = forMarquee, algorithms?: string[]): VerifyAccessToken =>
  accessTokenVerifier({
    issuer: issuer.url,
    audience,
    clock: () => now,
    ...(algorithms !== undefined && { algorithms }),
  });

const claims = (overrides: JWTPayload = {}): JWTPayload => ({
  iss: issuer.url,
  aud: 'marquee',
  sub: 'user-1',
  azp: 'client-1',
  iat: now / seconds,
  exp: now / seconds + 300,
  ...overrides,
});

const bearer = async (overrides: JWTPayload = {}): Promise<string> =>
  `Bearer ${await issuer.sign(claims(overrides))}`;

describe('a valid access token', () => {
  it('yields its user and its client', async () => {
    const token = await verifier()(await bearer());

    expect(token).toEqual({ sub: 'user-1', clientId: 'client-1' });
  });

  it('yields the client in client_id if it has no azp', async () => {
    const token = await verifier()(await bearer({ azp: undefined, client_id: 'client-2' }));

    expect(token.clientId).toBe('client-2');
  });

  it('yields no client if it names none', async () => {
    expect(await verifier()(await bearer({ azp: undefined }))).toEqual({
      sub: 'user-1',
      clientId: undefined,
    });
  });

  it.each([
    ['that it says', 1_790_000_000, 1_790_000_000],
    ['as unknown if it says none', undefined, undefined],
    ['as unknown if it is null, which some issuers write', null, undefined],
    ['as unreadable if it is no number', '1790000000', Number.NaN],
  ])('yields the time of the login %s', async (_, auth_time, authTime) => {
    const token = await verifier()(await bearer({ auth_time } as JWTPayload));

    expect(token.authTime).toEqual(authTime);
  });

  it('is accepted with the scheme "Bearer" in any case', async () => {
    const header = (await bearer()).replace('Bearer', 'bEARER');

    expect((await verifier()(header)).sub).toBe('user-1');
  });

  it('is valid from five seconds before nbf, as clocks differ, until the second before exp', async () => {
    const verify = verifier();
    const header = await bearer({ nbf: start / seconds + 10, exp: start / seconds + 20 });

    now = start + 4.9 * seconds;
    await expect(verify(header)).rejects.toThrow(InvalidTokenError);
    now = start + 5 * seconds;
    await expect(verify(header)).resolves.toBeDefined();
    now = start + 19.9 * seconds;
    await expect(verify(header)).resolves.toBeDefined();
    now = start + 20 * seconds;
    await expect(verify(header)).rejects.toThrow(InvalidTokenError);
  });
});

describe('an invalid access token', () => {
  const refused: Record<string, () => Record<string, unknown>> = {
    'that is expired': () => ({ exp: now / seconds - 1 }),
    'that is not valid yet': () => ({ nbf: now / seconds + 60 }),
    'that never expires': () => ({ exp: undefined }),
    'for another audience': () => ({ aud: 'somebody-else' }),
    'without an audience': () => ({ aud: undefined }),
    'of another issuer': () => ({ iss: 'https://evil.example.com' }),
    'whose issuer only starts like ours': () => ({ iss: `${issuer.url}.evil.example.com` }),
    'without an issuer': () => ({ iss: undefined }),
    'without a user': () => ({ sub: undefined }),
    'with an empty user': () => ({ sub: '' }),
    'with a user that is not a string': () => ({ sub: 7 }),
    'with a user of more than 255 characters': () => ({ sub: 'u'.repeat(256) }),
    'with a user that is not Unicode': () => ({ sub: 'user-\ud800' }),
    'whose azp and client_id differ': () => ({ client_id: 'client-2' }),
    'whose client is not a string': () => ({ azp: ['client-1'] }),
    'that is an ID token by token_use': () => ({ token_use: 'id' }),
    'that is an ID token by typ': () => ({ typ: 'ID' }),
    'that is an ID token by at_hash': () => ({ at_hash: 'x' }),
    'that is a security event': () => ({
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    }),
    'that is a refresh token by typ': () => ({ typ: 'Refresh' }),
    'whose typ is not text': () => ({ typ: 7 }),
    'with a nonce, as ID tokens have it': () => ({ nonce: 'n' }),
  };
  for (const [which, overrides] of Object.entries(refused)) {
    it(`is rejected if it is one ${which}`, async () => {
      await expect(verifier()(await bearer(overrides()))).rejects.toThrow(InvalidTokenError);
    });
  }

  it('is rejected with the algorithm "none"', async () => {
    const unsecured = new UnsecuredJWT(claims()).encode();
    const [, payload] = unsecured.split('.');
    const header = Buffer.from('{"alg":"none"}').toString('base64url');

    for (const token of [unsecured, `${header}.${payload}.x`, `${header}.${payload}.`]) {
      await expect(verifier()(`Bearer ${token}`)).rejects.toThrow(InvalidTokenError);
    }
  });

  it('is rejected if it is signed with HS256 and the public key as the secret', async () => {
    const secret = Buffer.from(await issuer.publicKeyPem());
    const token = await new SignJWT(claims()).setProtectedHeader({ alg: 'HS256', kid: 'key-1' }).sign(secret);

    await expect(verifier()(`Bearer ${token}`)).rejects.toThrow(InvalidTokenError);
  });

  it('is rejected with an algorithm that the stage does not allow', async () => {
    await expect(verifier(forMarquee, ['ES256'])(await bearer())).rejects.toThrow(InvalidTokenError);
  });

  it('is rejected if another key with the same kid signed it', async () => {
    const forger = await startIssuer();
    const token = await forger.sign(claims());
    await forger.stop();

    await expect(verifier()(`Bearer ${token}`)).rejects.toThrow(InvalidTokenError);
  });

  it('is rejected if it was changed after signing', async () => {
    const [header, , signature] = (await issuer.sign(claims())).split('.');
    const payload = Buffer.from(JSON.stringify(claims({ sub: 'user-2' }))).toString('base64url');

    await expect(verifier()(`Bearer ${header}.${payload}.${signature}`)).rejects.toThrow(InvalidTokenError);
  });

  it('is rejected without a request to the key address (jku) in its header', async () => {
    const forger = await startIssuer();
    const token = await forger.sign(claims(), { kid: 'theirs' });
    const [, payload, signature] = token.split('.');
    const header = Buffer.from(
      JSON.stringify({ alg: 'RS256', kid: 'theirs', jku: `${forger.url}/keys` }),
    ).toString('base64url');

    await expect(verifier()(`Bearer ${header}.${payload}.${signature}`)).rejects.toThrow(InvalidTokenError);
    expect(forger.keyRequests()).toBe(0);
    await forger.stop();
  });

  it('is rejected if its type is not that of an access token', async () => {
    for (const typ of ['logout+jwt', 'secevent+jwt', 'dpop+jwt', 'JWE']) {
      const token = await issuer.sign(claims(), { typ });

      await expect(verifier()(`Bearer ${token}`)).rejects.toThrow(InvalidTokenError);
    }
    for (const typ of ['at+jwt', 'application/at+jwt', 'jwt', undefined]) {
      const token = await issuer.sign(claims(), { typ });

      await expect(verifier()(`Bearer ${token}`)).resolves.toBeDefined();
    }
  });

  it('is recognized by the settings of the stage, which may allow a nonce, and may require the type at+jwt', async () => {
    const lenient = accessTokenVerifier({
      issuer: issuer.url,
      audience: forMarquee,
      nonce: 'allowed',
      clock: () => now,
    });
    const strict = accessTokenVerifier({
      issuer: issuer.url,
      audience: forMarquee,
      tokenType: 'at+jwt',
      clock: () => now,
    });

    await expect(lenient(await bearer({ nonce: 'n', typ: 'Bearer' }))).resolves.toBeDefined();
    await expect(strict(`Bearer ${await issuer.sign(claims(), { typ: 'at+jwt' })}`)).resolves.toBeDefined();
    for (const typ of ['JWT', undefined]) {
      await expect(strict(`Bearer ${await issuer.sign(claims(), { typ })}`)).rejects.toThrow(
        InvalidTokenError,
      );
    }
  });

  it('is rejected if the Authorization header contains no bearer token', async () => {
    const good = await issuer.sign(claims());
    const headers = [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      good,
      `Basic ${good}`,
      `Bearer ${good} ${good}`,
      `Bearer ${good}, Bearer ${good}`,
      'Bearer a.b.c',
      'Bearer ...',
      'Bearer null',
      `Bearer ${good}\u0000`,
      `Bearer ${'x'.repeat(9_000)}.x.x`,
    ];

    for (const header of headers) {
      await expect(verifier()(header)).rejects.toThrow(InvalidTokenError);
    }
  });
});

describe('the audience check by client_id', () => {
  const cognito = { aud: undefined, azp: undefined, client_id: 'client-1', token_use: 'access' };

  it('accepts access tokens of the configured clients only', async () => {
    const verify = verifier({ claim: 'client_id', values: ['client-1'] });

    expect(await verify(await bearer(cognito))).toEqual({ sub: 'user-1', clientId: 'client-1' });
    await expect(verify(await bearer({ ...cognito, client_id: 'other' }))).rejects.toThrow(InvalidTokenError);
  });

  it('accepts access tokens of any client if the values are "any"', async () => {
    const verify = verifier({ claim: 'client_id', values: 'any' });

    expect((await verify(await bearer({ ...cognito, client_id: 'other' }))).clientId).toBe('other');
  });

  it('rejects ID tokens and tokens without token_use', async () => {
    const verify = verifier({ claim: 'client_id', values: 'any' });

    for (const token_use of ['id', undefined]) {
      await expect(verify(await bearer({ ...cognito, token_use }))).rejects.toThrow(InvalidTokenError);
    }
    await expect(verify(await bearer({ ...cognito, client_id: undefined }))).rejects.toThrow(
      InvalidTokenError,
    );
  });
});

describe('the signing keys of the token issuer', () => {
  it('are requested once for many concurrent tokens', async () => {
    const verify = verifier();
    const before = issuer.keyRequests();
    const header = await bearer();

    await Promise.all(Array.from({ length: 20 }, () => verify(header)));

    expect(issuer.keyRequests() - before).toBe(1);
  });

  it('can be rotated repeatedly while the service runs', async () => {
    const verify = verifier();
    const old = await bearer();
    await verify(old);

    for (let rotation = 0; rotation < 3; rotation++) {
      now += 2 * seconds;
      await issuer.rotate();
      expect((await verify(await bearer())).sub).toBe('user-1');
    }
    now += 2 * seconds;
    await expect(verify(old)).rejects.toThrow(InvalidTokenError);
  });

  /** A token with this header and valid claims, but without a valid signature. */
  const junk = (header: Record<string, unknown>): string => {
    const [head, body] = [header, claims()].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    return `Bearer ${head}.${body}.c2lnbmF0dXJl`;
  };
  const published = async (): Promise<string> =>
    String(decodeProtectedHeader((await bearer()).slice('Bearer '.length)).kid);
  const kindsOfJunk: Record<string, (index: number) => Promise<string>> = {
    'a published kid and another algorithm': async () => junk({ alg: 'ES256', kid: await published() }),
    'a kid of its own': async (index) => junk({ alg: 'RS256', kid: `junk-${index}` }),
    'the same unknown kid': async () => junk({ alg: 'RS256', kid: 'junk' }),
    'no kid and another algorithm': async () => junk({ alg: 'ES256' }),
    'no kid': async () => junk({ alg: 'RS256' }),
    'a published kid': async () => junk({ alg: 'RS256', kid: await published() }),
    'a kid that is no text': async (index) => junk({ alg: 'RS256', kid: { index } }),
    'an algorithm that is not admitted': async (index) => junk({ alg: 'HS256', kid: `junk-${index}` }),
  };
  for (const [which, token] of Object.entries(kindsOfJunk)) {
    it(`are requested at most twice for 300 tokens with ${which}`, async () => {
      const verify = verifier();
      await verify(await bearer());
      const tokens = await Promise.all(Array.from({ length: 300 }, (_, index) => token(index)));
      now += 60 * seconds;
      const before = issuer.requests();

      for (const each of tokens) await expect(verify(each)).rejects.toThrow(ServiceError);

      // Asking for the keys takes two requests: one for the discovery document and one for the keys.
      expect(issuer.requests() - before).toBeLessThanOrEqual(2);
    });
  }

  it('are requested once at a cold start for tokens of unknown kid, and again after two seconds', async () => {
    const verify = verifier();
    const unknown = junk({ alg: 'RS256', kid: 'unknown' });
    const before = issuer.keyRequests();

    await expect(verify(unknown)).rejects.toThrow(InvalidTokenError);
    for (let call = 0; call < 5; call++) {
      await expect(verify(unknown)).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        headers: { 'retry-after': '2' },
      });
    }
    expect(issuer.keyRequests() - before).toBe(1);

    now += 2 * seconds;
    await expect(verify(unknown)).rejects.toThrow(InvalidTokenError);
    expect(issuer.keyRequests() - before).toBe(2);
  });

  it('are requested again for a token with a new key, even while many invalid tokens name unknown keys', async () => {
    const verify = verifier();
    await verify(await bearer());
    now += 60 * seconds;
    const outcomes: string[] = [];
    const outcomeOf = async (token: string) =>
      verify(token).then(
        () => 'good',
        (error: ServiceError) => error.code,
      );

    for (let round = 0; round < 40; round++) {
      await expect(verify(junk({ alg: 'RS256', kid: `junk-${round}` }))).rejects.toThrow(ServiceError);
      if (round === 1) await issuer.rotate();
      if (round >= 1) outcomes.push(await outcomeOf(await bearer()));
      now += 100;
    }
    outcomes.push(await outcomeOf(await bearer()));

    expect(outcomes).toHaveLength(40);
    expect(outcomes).not.toContain('UNAUTHORIZED');
    // The invalid tokens of the first round make the verifier read the keys, and two seconds must pass before it reads
    // them again.
    expect(outcomes.indexOf('good')).toBe(19);
    expect(outcomes.slice(19)).toEqual(Array.from({ length: 21 }, () => 'good'));
  });

  it('are requested again for a token that arrived after the last request began', async () => {
    const verify = verifier();
    await verify(await bearer());
    now += 60 * seconds;
    const before = issuer.keyRequests();
    const release = issuer.holdKeys();
    const unknown = verify(junk({ alg: 'RS256', kid: 'unknown' }));
    unknown.catch(() => {});
    await waitFor(() => expect(issuer.keyRequests()).toBe(before + 1));
    await issuer.rotate();

    const fresh = verify(await bearer());
    fresh.catch(() => {});
    release();

    await expect(unknown).rejects.toThrow(InvalidTokenError);
    await expect(fresh).rejects.toThrow(IssuerUnavailableError);
    now += 2 * seconds;
    expect((await verify(await bearer())).sub).toBe('user-1');
  });

  it('are awaited no longer than the deadline of the request', async () => {
    issuer.hang(true);
    const verify = verifier();
    const header = await bearer();

    const failure: unknown = await withDeadline(50, () => verify(header)).catch((error: unknown) => error);

    expect(failure).toBeInstanceOf(IssuerUnavailableError);
    expect((failure as Error).cause).toMatchObject({ message: 'The deadline of the request has passed' });
  });

  it('that cannot be read count as an outage and do not make a token invalid', async () => {
    issuer.breakDown(true);
    const verify = verifier();
    const header = await bearer();

    await expect(verify(header)).rejects.toThrow(IssuerUnavailableError);

    issuer.breakDown(false);
    now += 2 * seconds;
    await expect(verify(header)).resolves.toBeDefined();
  });

  it('are requested once for 300 tokens at a cold start while the issuer does not answer', async () => {
    issuer.breakDown(true);
    const verify = verifier();
    const before = issuer.requests();

    for (let call = 0; call < 300; call++) {
      await expect(verify(junk({ alg: 'RS256' }))).rejects.toThrow(IssuerUnavailableError);
    }

    expect(issuer.requests() - before).toBe(1);
  });

  it('remain valid for one hour while the issuer is down', async () => {
    const verify = verifier();
    await verify(await bearer());
    issuer.breakDown(true);

    now = start + 50 * 60 * seconds;
    // The cached keys are old, so an unknown kid may be that of a new key.
    await expect(verify(junk({ alg: 'RS256', kid: 'unknown' }))).rejects.toThrow(IssuerUnavailableError);
    await expect(verify(await bearer())).resolves.toBeDefined();
    now = start + 61 * 60 * seconds;
    await expect(verify(await bearer())).rejects.toThrow(IssuerUnavailableError);
  });

  it('are not requested for every token while the issuer is down, so that tokens do not wait', async () => {
    const verify = verifier();
    await verify(await bearer());
    issuer.breakDown(true);
    now = start + 11 * 60 * seconds;
    const before = issuer.requests();

    for (let call = 0; call < 5; call++) await verify(await bearer());
    expect(issuer.requests() - before).toBe(1);

    now += 6 * seconds;
    await verify(await bearer());
    expect(issuer.requests() - before).toBe(2);
  });

  it('are not requested for every unknown kid while the issuer is down, and no token is called invalid', async () => {
    const verify = verifier();
    await verify(await bearer());
    now += 2 * seconds;
    issuer.breakDown(true);
    const unknown = `Bearer ${await issuer.sign(claims(), { kid: 'unknown' })}`;
    const before = issuer.requests();

    for (let call = 0; call < 5; call++)
      await expect(verify(unknown)).rejects.toThrow(IssuerUnavailableError);
    expect(issuer.requests() - before).toBe(1);

    issuer.breakDown(false);
    await issuer.rotate();
    now += 6 * seconds;
    expect((await verify(await bearer())).sub).toBe('user-1');
  });

  it('are requested once while the issuer hangs, and again after a pause', async () => {
    issuer.hang(true);
    const verify = verifier();
    const header = await bearer();
    const before = issuer.requests();

    // The issuer never answers, so each call waits until its own deadline.
    const asked = () => withDeadline(50, () => verify(header));
    for (let call = 0; call < 3; call++) await expect(asked()).rejects.toThrow(IssuerUnavailableError);
    expect(issuer.requests() - before).toBe(1);

    issuer.hang(false);
    now += 2 * seconds;
    await expect(verify(header)).resolves.toBeDefined();
  });

  it('are no longer accepted ten minutes after the issuer withdrew them', async () => {
    const verify = verifier();
    const withdrawn = await bearer({ exp: now / seconds + 3_600 });
    await verify(withdrawn);
    await issuer.rotate();

    now = start + 11 * 60 * seconds;
    await expect(verify(withdrawn)).rejects.toThrow(InvalidTokenError);
  });

  it('are requested again after the clock was set back', async () => {
    const verify = verifier();
    const withdrawn = await bearer();
    await verify(withdrawn);
    await issuer.rotate();
    now -= 60 * seconds;

    expect((await verify(await bearer())).sub).toBe('user-1');
    now += 2 * seconds;
    await expect(verify(withdrawn)).rejects.toThrow(InvalidTokenError);
  });

  it('are found for an issuer whose name ends with a slash', async () => {
    const slashed = await startIssuer({ issuerPath: '/' });
    const verify = accessTokenVerifier({ issuer: slashed.url, audience: forMarquee, clock: () => now });

    const token = await slashed.sign(claims({ iss: slashed.url }));

    expect((await verify(`Bearer ${token}`)).sub).toBe('user-1');
    await slashed.stop();
  });

  it('can be elliptic-curve keys', async () => {
    const elliptic = await startIssuer({ alg: 'ES256' });
    const verify = accessTokenVerifier({ issuer: elliptic.url, audience: forMarquee, clock: () => now });

    const token = await elliptic.sign(claims({ iss: elliptic.url }));

    expect((await verify(`Bearer ${token}`)).sub).toBe('user-1');
    await elliptic.stop();
  });

  it('are rejected if the discovery document names another issuer', async () => {
    const verify = accessTokenVerifier({
      issuer: `${issuer.url}/`,
      audience: forMarquee,
      clock: () => now,
    });

    await expect(verify(await bearer())).rejects.toThrow(IssuerUnavailableError);
  });
});
