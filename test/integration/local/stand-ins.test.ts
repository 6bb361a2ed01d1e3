import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { startEntitlement } from '../../../local/stand-ins/entitlement.ts';
import { startGeolocation } from '../../../local/stand-ins/geolocation.ts';
import type { StandIn } from '../../../local/stand-ins/json-server.ts';
import { startOidc } from '../../../local/stand-ins/oidc.ts';

let stateDirectory: string;
let standIn: StandIn;

beforeEach(async () => {
  stateDirectory = await mkdtemp(join(tmpdir(), 'stand-ins-'));
});
afterEach(async () => {
  await standIn.stop();
  await rm(stateDirectory, { recursive: true, force: true });
});

const restart = async (start: (options: { port: number; stateDirectory: string }) => Promise<StandIn>) => {
  await standIn.stop();
  // Restarts on another port, since the client keeps its connections to the old one.
  standIn = await start({ port: 0, stateDirectory });
};
const put = (path: string, body: unknown) =>
  fetch(`${standIn.url}${path}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('the OIDC issuer', () => {
  const tokenAnswer = z.object({ access_token: z.string() });
  const token = async (form: Record<string, string>): Promise<string> => {
    const answer = await fetch(`${standIn.url}/token`, { method: 'POST', body: new URLSearchParams(form) });
    expect(answer.status).toBe(200);
    return tokenAnswer.parse(await answer.json()).access_token;
  };
  const keys = async () => {
    const discovery = await fetch(`${standIn.url}/.well-known/openid-configuration`);
    const { issuer, jwks_uri } = z
      .object({ issuer: z.string(), jwks_uri: z.url() })
      .parse(await discovery.json());
    expect(issuer).toBe(standIn.url);
    return createRemoteJWKSet(new URL(jwks_uri));
  };

  beforeEach(async () => {
    standIn = await startOidc({ port: 0, stateDirectory });
  });

  it.each(['RS256', 'ES256'])('issues tokens signed by %s that its published keys verify', async (alg) => {
    const issued = await token({ sub: 'ana', client_id: 'demo-web', alg });

    const { payload, protectedHeader } = await jwtVerify(issued, await keys(), { issuer: standIn.url });

    expect(payload).toMatchObject({ sub: 'ana', client_id: 'demo-web', azp: 'demo-web', aud: 'marquee' });
    expect(protectedHeader.alg).toBe(alg);
  });

  it('issues tokens that have expired already when asked to', async () => {
    const issued = await token({ sub: 'ana', client_id: 'demo-web', expires_in: '-60' });

    await expect(jwtVerify(issued, await keys())).rejects.toMatchObject({ code: 'ERR_JWT_EXPIRED' });
  });

  it('signs with a new key after a rotation, and publishes the old one until it is retired', async () => {
    const before = await token({ sub: 'ana', client_id: 'demo-web' });

    await fetch(`${standIn.url}/rotate`, { method: 'POST' });

    const after = await token({ sub: 'ana', client_id: 'demo-web' });
    expect(decodeProtectedHeader(after).kid).not.toBe(decodeProtectedHeader(before).kid);
    await jwtVerify(before, await keys());
    await jwtVerify(after, await keys());
    await fetch(`${standIn.url}/rotate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ retire: true }),
    });
    await expect(jwtVerify(before, await keys())).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
  });

  it('keeps its keys over a restart', async () => {
    const before = await token({ sub: 'ana', client_id: 'demo-web' });

    await restart(startOidc);

    await expect(jwtVerify(before, await keys())).resolves.toBeDefined();
  });

  it('answers 400, naming the field, to a request without a subject', async () => {
    const answer = await fetch(`${standIn.url}/token`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'demo-web' }),
    });

    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('sub');
  });
});

describe('the entitlement service', () => {
  const check = (body: unknown, apiKey = 'local') =>
    fetch(`${standIn.url}/v1/check`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      body: JSON.stringify(body),
    });
  const about = (user_sub: string, event_id?: string) => ({ user_sub, client_id: 'demo-web', event_id });

  beforeEach(async () => {
    standIn = await startEntitlement({ port: 0, stateDirectory });
  });

  it('denies what was not bought, and lets what was bought and the VIP through, also after a restart', async () => {
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

  it('answers 401 without its key', async () => {
    expect((await check(about('ana'), 'wrong')).status).toBe(401);
  });

  it('is down, talks garbage or is slow when told to, and recovers', async () => {
    await put('/behaviour', { mode: 'down' });
    expect((await check(about('ana'))).status).toBe(503);

    await put('/behaviour', { mode: 'garbage' });
    await expect((await check(about('ana'))).json()).rejects.toThrow(SyntaxError);

    await put('/behaviour', { mode: 'slow' });
    await expect(
      fetch(`${standIn.url}/v1/check`, { method: 'POST', signal: AbortSignal.timeout(200) }),
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

describe('the geolocation service', () => {
  const authorization = `Basic ${Buffer.from('1:local').toString('base64')}`;
  const country = (ip: string, headers: Record<string, string> = { authorization }) =>
    fetch(`${standIn.url}/geoip/v2.1/country/${encodeURIComponent(ip)}`, { headers });

  beforeEach(async () => {
    standIn = await startGeolocation({ port: 0, stateDirectory });
  });

  it.each(['198.51.100.7', '2001:db8::7'])('answers the country that %s was given', async (ip) => {
    await put(`/addresses/${encodeURIComponent(ip)}`, { country: 'DE' });
    await restart(startGeolocation);

    const answer = await country(ip);

    expect(answer.headers.get('content-type')).toContain('application/vnd.maxmind.com-country+json');
    await expect(answer.json()).resolves.toMatchObject({
      country: { iso_code: 'DE' },
      traits: { ip_address: ip },
    });
  });

  it('answers 404, 400 and 401 as the web service does', async () => {
    const problem = z.object({ code: z.string() });
    const codes = async (answer: Response) => [answer.status, problem.parse(await answer.json()).code];

    expect(await codes(await country('203.0.113.9'))).toEqual([404, 'IP_ADDRESS_NOT_FOUND']);
    expect(await codes(await country('nonsense'))).toEqual([400, 'IP_ADDRESS_INVALID']);
    expect(await codes(await country('203.0.113.9', {}))).toEqual([401, 'AUTHORIZATION_INVALID']);
  });

  it('forgets an address that is given no country', async () => {
    await put('/addresses/203.0.113.9', { country: 'PL' });
    await put('/addresses/203.0.113.9', { country: null });

    expect((await country('203.0.113.9')).status).toBe(404);
  });
});
