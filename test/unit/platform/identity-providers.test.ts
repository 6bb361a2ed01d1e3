/** The operator guide's table of identity providers. Each row is tried with tokens of the shape that the provider documents. */
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { oidcConfig } from '../../../config/oidc.ts';
import { InvalidTokenError } from '../../../shared/platform/auth/errors.ts';
import { accessTokenVerifier } from '../../../shared/platform/outside/access-token-verifier.ts';

const guide = readFileSync(new URL('../../../docs/operator-guide.md', import.meta.url), 'utf8');
const table = /\| provider \| `oidc\.issuer` \|.*\n\|[-|]+\n((?:\|.*\n)+)/.exec(guide)?.[1] ?? '';
const rows = table.split('\n').flatMap((line) => {
  const [, provider, issuer, settings] = line
    .split(' | ')
    .flatMap((cell, index) => (index === 0 ? ['', cell.slice(2)] : [cell]));
  return provider === undefined || issuer === undefined || settings === undefined
    ? []
    : [{ provider, issuer, settings }];
});

const now = Date.parse('2026-11-20T09:15:02.000Z');
const [iat, exp] = [now / 1_000 - 60, now / 1_000 + 3_540];

interface Tokens {
  readonly issuer: string;
  readonly header: Readonly<Record<string, unknown>>;
  /** How the provider publishes its signing key, and which other keys it publishes. */
  readonly publish: (key: JWK) => readonly JWK[];
  readonly accessToken: JWTPayload;
  readonly idToken: JWTPayload;
  readonly user: string;
  readonly client: string;
  /** What the guide's placeholders stand for in these tokens. */
  readonly values: Readonly<Record<string, string>>;
}

const signing = (key: JWK): JWK => ({ ...key, use: 'sig' });
const tenant = '7d9b1f5e-3a52-4a1c-9b0e-7f2f0f6f2c11';
const entra = {
  aio: 'ATQA/8',
  oid: '4c0de4f1-0f5b-49a6-8ed8-6b29f6f2c0aa',
  rh: '0.AAAA',
  scp: 'watch',
  tid: tenant,
  uti: 'q',
  xms_ftd: 'x',
};
const entraClient = '1d2f6a43-7f1b-45f6-a5c1-6f0f4b9f63b4';
const entraApi = 'f0b1c5e8-95d9-4ab0-8a3f-02d1f2ab9a10';
const entraUser = 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ';

const tokens: Readonly<Record<string, Tokens>> = {
  'Amazon Cognito': {
    issuer: 'https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Ab12Cd34E',
    header: { kid: 'cog' },
    publish: (key) => [{ ...signing(key), kid: 'other' }, signing(key)],
    accessToken: {
      sub: 'c3a4e8d2-70d1-70a5-9f4c-0f4f4c9d2b6a',
      'cognito:groups': ['fans'],
      client_id: '6hn2example',
      origin_jti: 'o',
      event_id: 'e',
      token_use: 'access',
      scope: 'openid profile',
      auth_time: iat,
      jti: 'j',
      username: 'maria',
    },
    idToken: {
      sub: 'c3a4e8d2-70d1-70a5-9f4c-0f4f4c9d2b6a',
      aud: '6hn2example',
      token_use: 'id',
      at_hash: 'h',
      email_verified: true,
      'cognito:username': 'maria',
    },
    user: 'c3a4e8d2-70d1-70a5-9f4c-0f4f4c9d2b6a',
    client: '6hn2example',
    values: { region: 'eu-central-1', 'pool id': 'eu-central-1_Ab12Cd34E', 'app client id': '6hn2example' },
  },
  Auth0: {
    issuer: 'https://fans.auth0.com/',
    header: { typ: 'JWT', kid: 'zero' },
    publish: (key) => [
      { ...signing(key), x5t: 'x' },
      { ...signing(key), kid: 'next' },
    ],
    accessToken: {
      sub: 'auth0|5f7c8ec7c33c6c004bbafe82',
      aud: ['https://marquee.example.com', 'https://fans.auth0.com/userinfo'],
      azp: 'my_client',
      scope: 'openid profile',
    },
    idToken: {
      sub: 'auth0|5f7c8ec7c33c6c004bbafe82',
      aud: 'my_client',
      nonce: 'n',
      sid: 's',
      nickname: 'maria',
    },
    user: 'auth0|5f7c8ec7c33c6c004bbafe82',
    client: 'my_client',
    values: { tenant: 'fans', 'API identifier': 'https://marquee.example.com' },
  },
  Keycloak: {
    issuer: 'https://login.example.com/realms/fans',
    header: { typ: 'JWT', kid: 'kc' },
    publish: (key) => [{ ...key, kid: 'for-encryption', alg: 'RSA-OAEP', use: 'enc' }, signing(key)],
    accessToken: {
      auth_time: iat,
      jti: 'onrtac:1',
      aud: ['marquee', 'account'],
      sub: 'a5461470-33eb-4b2d-82d4-b0484e96ad7f',
      typ: 'Bearer',
      azp: 'fan-web',
      sid: 's',
      acr: '1',
      'allowed-origins': ['https://www.example.com'],
      realm_access: { roles: ['offline_access'] },
      resource_access: { account: { roles: ['view-profile'] } },
      scope: 'openid profile',
      preferred_username: 'maria',
    },
    idToken: {
      aud: 'marquee',
      sub: 'a5461470-33eb-4b2d-82d4-b0484e96ad7f',
      typ: 'ID',
      azp: 'fan-web',
      at_hash: 'h',
      sid: 's',
    },
    user: 'a5461470-33eb-4b2d-82d4-b0484e96ad7f',
    client: 'fan-web',
    values: { host: 'login.example.com', realm: 'fans' },
  },
  'Microsoft Entra ID, tokens of version 2': {
    issuer: `https://login.microsoftonline.com/${tenant}/v2.0`,
    header: { typ: 'JWT', kid: 'entra' },
    publish: ({ alg, ...key }) => [
      { ...signing(key), x5t: 'entra', issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0' },
      { ...signing(key), kid: 'next' },
    ],
    accessToken: {
      ...entra,
      aud: entraApi,
      sub: entraUser,
      azp: entraClient,
      azpacr: '0',
      name: 'Maria',
      ver: '2.0',
    },
    idToken: { aud: entraApi, sub: entraUser, nonce: 'n', oid: entra.oid, tid: tenant, ver: '2.0' },
    user: entraUser,
    client: entraClient,
    values: { 'tenant id': tenant, 'client id of the API': entraApi },
  },
  'Microsoft Entra ID, tokens of version 1': {
    issuer: `https://sts.windows.net/${tenant}/`,
    header: { typ: 'JWT', x5t: 'entra', kid: 'entra' },
    publish: ({ alg, ...key }) => [{ ...signing(key), x5t: 'entra', x5c: ['MIIC'] }],
    accessToken: {
      ...entra,
      aud: 'api://marquee',
      sub: entraUser,
      acr: '1',
      amr: ['pwd'],
      appid: entraClient,
      appidacr: '0',
      ipaddr: '192.0.2.1',
      unique_name: 'maria@example.com',
      ver: '1.0',
    },
    idToken: { aud: entraClient, sub: entraUser, nonce: 'n', unique_name: 'maria@example.com', ver: '1.0' },
    user: entraUser,
    client: entraClient,
    values: { 'tenant id': tenant, 'application ID URI of the API': 'api://marquee' },
  },
  Okta: {
    issuer: 'https://fans.okta.com/oauth2/default',
    header: { kid: 'okta' },
    publish: (key) => [signing(key)],
    accessToken: {
      ver: 1,
      jti: 'AT.0mP4JKAZX1iACIT4vbEDF7LpvDVjxypPMf0D7uX39RE',
      aud: 'api://default',
      cid: '0oabexample',
      uid: '00ujexample',
      scp: ['openid', 'profile'],
      auth_time: iat,
      sub: '00ujexample',
    },
    idToken: {
      ver: 1,
      jti: 'ID.5',
      aud: '0oabexample',
      sub: '00ujexample',
      amr: ['pwd'],
      at_hash: 'h',
      nonce: 'n',
    },
    user: '00ujexample',
    client: '0oabexample',
    values: { org: 'fans', 'authorization server id': 'default' },
  },
  'any issuer with tokens of RFC 9068': {
    issuer: 'https://authorization-server.example.com/',
    header: { typ: 'at+JWT', kid: 'RjEwOwOA' },
    publish: (key) => [signing(key)],
    accessToken: {
      sub: '5ba552d67',
      aud: 'marquee',
      jti: 'dbe39bf3a3ba4238a513f51d6e1691c4',
      client_id: 's6BhdRkqt3',
      scope: 'openid profile',
    },
    idToken: { sub: '5ba552d67', aud: 'marquee' },
    user: '5ba552d67',
    client: 's6BhdRkqt3',
    values: {},
  },
};

let pair: Awaited<ReturnType<typeof generateKeyPair>>;
beforeAll(async () => {
  pair = await generateKeyPair('RS256', { extractable: true });
});
afterEach(() => vi.unstubAllGlobals());

const sign = ({ issuer, header }: Tokens, claims: JWTPayload, typ?: string): Promise<string> =>
  new SignJWT({ iss: issuer, iat, nbf: iat, exp, ...claims })
    .setProtectedHeader({ alg: 'RS256', ...header, ...(typ !== undefined && { typ }) })
    .sign(pair.privateKey);

/** The provider’s two documents, at the addresses at which it publishes them. */
const online = async ({ issuer, header, publish }: Tokens): Promise<void> => {
  const keysAt = 'https://keys.example.com/jwks';
  const key = { ...(await exportJWK(pair.publicKey)), alg: 'RS256', kid: String(header.kid) };
  const documents: Readonly<Record<string, unknown>> = {
    [`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`]: { issuer, jwks_uri: keysAt },
    [keysAt]: { keys: publish(key) },
  };
  vi.stubGlobal('fetch', async (url: string) =>
    Response.json(documents[url], { status: documents[url] ? 200 : 404 }),
  );
};

/** The settings of a row, with the placeholders filled in. */
const settingsOf = (provider: string, { issuer, values }: Tokens) => {
  const row = rows.find((each) => each.provider === provider);
  const filled = (text = '') => text.replace(/<([^>]+)>/g, (_, name: string) => values[name] ?? `<${name}>`);
  const code = (text = '') => filled(/`([^`]+)`/.exec(text)?.[1]);
  if (row?.issuer.startsWith('`')) expect(code(row.issuer)).toBe(issuer);
  return oidcConfig.parse({ issuer, ...runInNewContext(`({ ${code(row?.settings)} })`) });
};

describe('the identity providers in the operator guide', () => {
  it('are all tried here', () => {
    expect(rows.map(({ provider }) => provider)).toEqual(Object.keys(tokens));
  });

  it.each(Object.entries(tokens))(
    '%s: an access token names its user and client, and an ID token is refused',
    async (provider, of) => {
      await online(of);
      const { issuer, ...settings } = settingsOf(provider, of);
      const verify = accessTokenVerifier({ issuer: String(issuer), ...settings, clock: () => now });

      expect(await verify(`Bearer ${await sign(of, of.accessToken)}`)).toEqual({
        sub: of.user,
        clientId: of.client,
        authTime: of.accessToken.auth_time,
      });
      await expect(verify(`Bearer ${await sign(of, of.idToken, 'JWT')}`)).rejects.toThrow(InvalidTokenError);
      await expect(verify('Bearer ya29.a0AfH6SMBx')).rejects.toThrow(InvalidTokenError);
    },
  );

  it('Keycloak before version 25: an access token with a nonce is accepted with the setting of the row', async () => {
    const of = tokens.Keycloak as Tokens;
    await online(of);
    const { issuer, ...settings } = settingsOf('Keycloak', of);
    const withNonce = `Bearer ${await sign(of, { ...of.accessToken, nonce: 'n' })}`;
    const verifier = (more: object) =>
      accessTokenVerifier({ issuer: String(issuer), ...settings, ...more, clock: () => now });

    await expect(verifier({})(withNonce)).rejects.toThrow(InvalidTokenError);
    expect(rows.find(({ provider }) => provider === 'Keycloak')?.settings).toContain("`nonce: 'allowed'`");
    expect((await verifier({ nonce: 'allowed' })(withNonce)).clientId).toBe(of.client);
  });
});
