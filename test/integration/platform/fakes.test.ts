import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getSignedCookies } from '@aws-sdk/cloudfront-signer';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type Distribution, startDistribution } from '../../../local/fakes/distribution.ts';
import { startEntitlement } from '../../../local/fakes/entitlement.ts';
import { startGeolocation } from '../../../local/fakes/geolocation.ts';
import type { FakeService } from '../../../local/fakes/json-server.ts';
import { startOidc } from '../../../local/fakes/oidc.ts';

let stateDirectory: string;
let fake: FakeService;

beforeEach(async () => {
  stateDirectory = await mkdtemp(join(tmpdir(), 'fakes-'));
});
afterEach(async () => {
  await fake.stop();
  await rm(stateDirectory, { recursive: true, force: true });
});

const restart = async (
  start: (options: { port: number; stateDirectory: string }) => Promise<FakeService>,
) => {
  await fake.stop();
  // Restarts on another port, since the client keeps its connections to the old one.
  fake = await start({ port: 0, stateDirectory });
};
const put = (path: string, body: unknown) =>
  fetch(`${fake.url}${path}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('the local OIDC issuer', () => {
  const tokenAnswer = z.object({ access_token: z.string() });
  const token = async (form: Record<string, string>): Promise<string> => {
    const answer = await fetch(`${fake.url}/token`, { method: 'POST', body: new URLSearchParams(form) });
    expect(answer.status).toBe(200);
    return tokenAnswer.parse(await answer.json()).access_token;
  };
  const keys = async () => {
    const discovery = await fetch(`${fake.url}/.well-known/openid-configuration`);
    const { issuer, jwks_uri } = z
      .object({ issuer: z.string(), jwks_uri: z.url() })
      .parse(await discovery.json());
    expect(issuer).toBe(fake.url);
    return createRemoteJWKSet(new URL(jwks_uri));
  };

  beforeEach(async () => {
    fake = await startOidc({ port: 0, stateDirectory });
  });

  it.each(['RS256', 'ES256'])('issues tokens signed with %s that its published keys verify', async (alg) => {
    const issued = await token({ sub: 'ana', client_id: 'demo-web', alg });

    const { payload, protectedHeader } = await jwtVerify(issued, await keys(), { issuer: fake.url });

    expect(payload).toMatchObject({ sub: 'ana', client_id: 'demo-web', azp: 'demo-web', aud: 'marquee' });
    expect(protectedHeader.alg).toBe(alg);
  });

  it('issues tokens that are already expired on request', async () => {
    const issued = await token({ sub: 'ana', client_id: 'demo-web', expires_in: '-60' });

    await expect(jwtVerify(issued, await keys())).rejects.toMatchObject({ code: 'ERR_JWT_EXPIRED' });
  });

  it('signs with a new key after a rotation, and publishes the old key until it is retired', async () => {
    const before = await token({ sub: 'ana', client_id: 'demo-web' });

    await fetch(`${fake.url}/rotate`, { method: 'POST' });

    const after = await token({ sub: 'ana', client_id: 'demo-web' });
    expect(decodeProtectedHeader(after).kid).not.toBe(decodeProtectedHeader(before).kid);
    await jwtVerify(before, await keys());
    await jwtVerify(after, await keys());
    await fetch(`${fake.url}/rotate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ retire: true }),
    });
    await expect(jwtVerify(before, await keys())).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
  });

  it('keeps its keys after a restart', async () => {
    const before = await token({ sub: 'ana', client_id: 'demo-web' });

    await restart(startOidc);

    await expect(jwtVerify(before, await keys())).resolves.toBeDefined();
  });

  describe('on its sign-in page', () => {
    const redirectUri = 'http://127.0.0.1:6180/signed-in?from=here';
    const verifier = 'a-verifier-of-a-page-that-has-at-least-43-characters';
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const asked = {
      response_type: 'code',
      client_id: 'demo-web',
      redirect_uri: redirectUri,
      scope: 'openid',
      state: 'a state',
      nonce: 'a nonce',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    };
    const endpoint = async (): Promise<string> => {
      const discovery = await fetch(`${fake.url}/.well-known/openid-configuration`);
      return z.object({ authorization_endpoint: z.url() }).parse(await discovery.json())
        .authorization_endpoint;
    };
    const open = async (
      changes: Readonly<Record<string, string | undefined>> = {},
      form?: { sub: string },
    ) => {
      const parameters = Object.entries({ ...asked, ...changes }).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value] as [string, string]],
      );
      return fetch(`${await endpoint()}?${new URLSearchParams(parameters)}`, {
        redirect: 'manual',
        ...(form && { method: 'POST', body: new URLSearchParams(form) }),
      });
    };
    const sentBackWith = (answer: Response) => {
      expect(answer.status).toBe(303);
      return Object.fromEntries(new URL(answer.headers.get('location') ?? '').searchParams);
    };
    const codeFor = async (sub: string) => sentBackWith(await open({}, { sub })).code ?? '';
    const exchange = (code: string, changes: Readonly<Record<string, string>> = {}) =>
      fetch(`${fake.url}/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code,
          client_id: 'demo-web',
          redirect_uri: redirectUri,
          code_verifier: verifier,
          ...changes,
        }),
      });

    beforeEach(async () => {
      await fake.stop();
      fake = await startOidc({ port: 0, stateDirectory, pageOrigins: ['http://127.0.0.1:6180'] });
    });

    it('returns a code for a user name, and tokens for the code that its published keys verify', async () => {
      const page = await open({ login_hint: '"><script>' });
      const { code = '', ...others } = sentBackWith(await open({}, { sub: 'ana' }));
      const tokens = z
        .object({ access_token: z.string(), id_token: z.string(), token_type: z.literal('Bearer') })
        .parse(await (await exchange(code)).json());

      expect(await page.text()).toContain('value="&#34;&#62;&#60;script&#62;"');
      expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(others).toEqual({ from: 'here', state: 'a state', iss: fake.url });
      const access = await jwtVerify(tokens.access_token, await keys(), { issuer: fake.url });
      expect(access.payload).toMatchObject({ sub: 'ana', client_id: 'demo-web', aud: 'marquee' });
      expect(access.payload).not.toHaveProperty('nonce');
      const id = await jwtVerify(tokens.id_token, await keys(), { issuer: fake.url });
      expect(id.payload).toMatchObject({ sub: 'ana', aud: 'demo-web', nonce: 'a nonce' });
    });

    it.each([
      ['another verifier', { code_verifier: `${verifier}x` }],
      ['no matching client', { client_id: 'partner-web' }],
      ['another redirect', { redirect_uri: 'http://127.0.0.1:6180/' }],
    ])('rejects a code with %s, after which the code is invalid', async (_, changes) => {
      const code = await codeFor('ana');

      const refused = await exchange(code, changes);
      const again = await exchange(code);

      expect([refused.status, again.status]).toEqual([400, 400]);
      expect(await refused.json()).toMatchObject({ error: 'invalid_grant' });
    });

    it('accepts a code only once', async () => {
      const code = await codeFor('ana');

      expect((await exchange(code)).status).toBe(200);
      expect((await exchange(code)).status).toBe(400);
    });

    it.each([
      ['http://127.0.0.1:6181/', '--page-origin http://127.0.0.1:6181'],
      ['https://evil.example/', '--page-origin https://evil.example'],
      ['http://127.0.0.1:6180@evil.example/', 'evil.example'],
      ['http://ana:secret@127.0.0.1:6180/', 'redirect_uri'],
      ['http://127.0.0.1:6180/#', 'fragment'],
      ['javascript:alert(1)', 'redirect_uri'],
      [undefined, 'redirect_uri'],
    ])('does not redirect to %s', async (redirect_uri, named) => {
      for (const form of [undefined, { sub: 'ana' }]) {
        const answer = await open({ redirect_uri }, form);

        expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
        expect(await answer.text()).toContain(named);
      }
    });

    it.each([
      ['unsupported_response_type', { response_type: 'token' }],
      ['invalid_request', { response_type: undefined }],
      ['invalid_request', { code_challenge: undefined }],
      ['invalid_request', { code_challenge_method: 'plain' }],
      ['invalid_request', { response_mode: 'fragment' }],
    ])('redirects with the error %s for %o', async (error, changes) => {
      for (const form of [undefined, { sub: 'ana' }]) {
        expect(sentBackWith(await open(changes, form))).toMatchObject({ error, state: 'a state' });
      }
    });
  });

  it('answers 400 naming the field to a token request without a subject', async () => {
    const answer = await fetch(`${fake.url}/token`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'demo-web' }),
    });

    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('sub');
  });
});

describe('the local entitlement service', () => {
  const check = (body: unknown, apiKey = 'local') =>
    fetch(`${fake.url}/v1/check`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      body: JSON.stringify(body),
    });
  const about = (user_sub: string, event_id?: string) => ({ user_sub, client_id: 'demo-web', event_id });

  beforeEach(async () => {
    fake = await startEntitlement({ port: 0, stateDirectory });
  });

  it('grants access to buyers and VIPs and denies it to other users, also after a restart', async () => {
    await put('/users/buyer', { vip: false, purchases: ['cup-final'] });
    await put('/users/vip', { vip: true, purchases: [] });
    await restart(startEntitlement);

    const answers = await Promise.all(
      [
        about('buyer', 'cup-final'),
        about('buyer', 'other'),
        about('vip', 'other'),
        about('nobody', 'other'),
        about('nobody'),
      ].map(async (body) => (await check(body)).json()),
    );

    expect(answers).toEqual([
      { decision: 'success', vip: false },
      { decision: 'denied', reason: 'no_purchase', vip: false },
      { decision: 'success', vip: true },
      { decision: 'denied', reason: 'no_purchase', vip: false },
      { decision: 'success', vip: false },
    ]);
  });

  it('answers 401 without its API key', async () => {
    expect((await check(about('ana'), 'wrong')).status).toBe(401);
  });

  it('is down, returns garbage or is slow on request, and recovers', async () => {
    await put('/behaviour', { mode: 'down' });
    expect((await check(about('ana'))).status).toBe(503);

    await put('/behaviour', { mode: 'garbage' });
    await expect((await check(about('ana'))).json()).rejects.toThrow(SyntaxError);

    await put('/behaviour', { mode: 'slow' });
    await expect(
      fetch(`${fake.url}/v1/check`, { method: 'POST', signal: AbortSignal.timeout(200) }),
    ).rejects.toMatchObject({ name: 'TimeoutError' });

    for (const mode of ['after 10 ms', 'ok']) {
      await put('/behaviour', { mode });
      expect((await check(about('ana'))).status).toBe(200);
    }
    for (const mode of ['odd', 'after -1 ms', 'after 100000 ms']) {
      expect((await put('/behaviour', { mode })).status).toBe(400);
    }
  });
});

describe('the local distribution', () => {
  let distribution: Distribution;

  beforeEach(async () => {
    distribution = await startDistribution({ port: 0, stateDirectory });
    fake = distribution;
  });

  /** Sends the path unchanged; `fetch` would resolve its dot segments first. */
  const statusOf = (path: string, cookie: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const { hostname, port } = new URL(fake.url);
      request({ hostname, port, path, headers: { cookie } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on('error', reject)
        .end();
    });

  it('does not open a folder with the signature for another folder, however the path is escaped', async () => {
    const { key_pair_id: keyPairId, private_key: privateKey } = distribution.signingKey;
    const ends = Math.floor(Date.now() / 1_000) + 600;
    const policy = JSON.stringify({
      Statement: [
        {
          Resource: `${fake.url}/first/*`,
          Condition: { DateLessThan: { 'AWS:EpochTime': ends } },
        },
      ],
    });
    const cookie = Object.entries(getSignedCookies({ keyPairId, privateKey, policy }))
      .map(([name, value]) => `${name}=${value}`)
      .join('; ');

    expect(await statusOf('/first/index.m3u8', cookie)).toBe(200);
    for (const path of [
      '/second/index.m3u8',
      '/first/../second/index.m3u8',
      '/first/%2e%2e/second/index.m3u8',
      '/first/.%2E/second/index.m3u8',
      '/first/%2e%2e%2fsecond/index.m3u8',
      '/first/..%5csecond/index.m3u8',
      '/first/%252e%252e/second/index.m3u8',
      '/first//../second/index.m3u8',
      '/first/%2e%2e',
    ]) {
      expect([path, await statusOf(path, cookie)]).toEqual([path, 403]);
    }
    const served: unknown = await (await fetch(`${fake.url}/served`)).json();
    expect(served).toContainEqual(expect.objectContaining({ path: '/second/index.m3u8', status: 403 }));
    expect(served).not.toContainEqual(expect.objectContaining({ path: '/second/index.m3u8', status: 200 }));
  });
});

describe('the local geolocation service', () => {
  const authorization = `Basic ${Buffer.from('1:local').toString('base64')}`;
  const country = (ip: string, headers: Record<string, string> = { authorization }) =>
    fetch(`${fake.url}/geoip/v2.1/country/${encodeURIComponent(ip)}`, { headers });

  beforeEach(async () => {
    fake = await startGeolocation({ port: 0, stateDirectory });
  });

  it.each(['198.51.100.7', '2001:db8::7'])('returns the country that was set for %s', async (ip) => {
    await put(`/addresses/${encodeURIComponent(ip)}`, { country: 'DE' });
    await restart(startGeolocation);

    const answer = await country(ip);

    expect(answer.headers.get('content-type')).toContain('application/vnd.maxmind.com-country+json');
    await expect(answer.json()).resolves.toMatchObject({
      country: { iso_code: 'DE' },
      traits: { ip_address: ip },
    });
  });

  it("answers 404, 400 and 401 as MaxMind's web service does", async () => {
    const problem = z.object({ code: z.string() });
    const codes = async (answer: Response) => [answer.status, problem.parse(await answer.json()).code];

    expect(await codes(await country('203.0.113.9'))).toEqual([404, 'IP_ADDRESS_NOT_FOUND']);
    expect(await codes(await country('nonsense'))).toEqual([400, 'IP_ADDRESS_INVALID']);
    expect(await codes(await country('203.0.113.9', {}))).toEqual([401, 'AUTHORIZATION_INVALID']);
  });

  it('forgets an address whose country is set to null', async () => {
    await put('/addresses/203.0.113.9', { country: 'PL' });
    await put('/addresses/203.0.113.9', { country: null });

    expect((await country('203.0.113.9')).status).toBe(404);
  });
});
