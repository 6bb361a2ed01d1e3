import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { exportJWK, exportPKCS8, generateKeyPair, importPKCS8, type JWTPayload, SignJWT } from 'jose';
import type { Clock } from 'template-runtime/clock.ts';
import * as z from 'zod';
import { createJsonServer, type FakeService, listen } from './json-server.ts';
import { type KeptState, keepState } from './kept-state.ts';
import { addAuthorization } from './oidc/authorization.ts';

const algorithm = z.enum(['RS256', 'ES256']);
type Algorithm = z.infer<typeof algorithm>;
const jwk = z.record(z.string(), z.unknown());
const key = z.object({ kid: z.string(), algorithm, privateKey: z.string(), publicKey: jwk });
const state = z.object({ keys: z.array(key) });
type Key = z.infer<typeof key>;

const audience = z.union([z.string(), z.array(z.string())]);
const tokenRequest = z.object({
  sub: z.string().min(1),
  client_id: z.string().min(1),
  /** Negative for a token that has already expired. */
  expires_in: z.coerce.number().pipe(z.int()).default(3_600),
  aud: audience.default('marquee'),
  scope: z.string().optional(),
  alg: algorithm.default('RS256'),
  /** When the user logged in, in seconds since the epoch. `none` leaves the claim out. @default now */
  auth_time: z.union([z.literal('none'), z.coerce.number().pipe(z.int())]).optional(),
});
const rotation = z.strictObject({ retire: z.boolean().default(false) });

const newKey = async (alg: Algorithm): Promise<Key> => {
  const pair = await generateKeyPair(alg, { extractable: true });
  const kid = randomUUID();
  const publicKey = { ...(await exportJWK(pair.publicKey)), kid, alg, use: 'sig' };
  return { kid, algorithm: alg, privateKey: await exportPKCS8(pair.privateKey), publicKey };
};
const newKeys = () => Promise.all([newKey('RS256'), newKey('ES256')]);

/** The newest key of an algorithm. New tokens are signed with it. Older keys stay published until they are retired. */
const signingKey = (kept: KeptState<z.infer<typeof state>>, alg: Algorithm): Key => {
  const found = kept.read().keys.find((each) => each.algorithm === alg);
  if (!found) throw new Error(`There is no ${alg} key`);
  return found;
};

/**
 * The local fake of the users' OpenID Connect issuer: discovery, keys, a page to sign in, and a token endpoint. With
 * `sub` and without `grant_type`, the token endpoint issues any token that is requested. `POST /rotate` creates new signing keys. With the body `{"retire": true}`, the old keys are no
 * longer published.
 */
export const startOidc = async ({
  port,
  stateDirectory,
  pageOrigins = [],
  clock = Date.now,
}: {
  readonly port: number;
  readonly stateDirectory: string;
  /** The origins of the pages to which users are sent back when they have signed in. @default none */
  readonly pageOrigins?: readonly string[];
  /** @default the machine's clock */
  readonly clock?: Clock;
}): Promise<FakeService> => {
  const kept = keepState({
    path: join(stateDirectory, 'stand-ins', 'oidc.json'),
    schema: state,
    initial: { keys: [] },
  });
  if (kept.read().keys.length === 0) kept.write({ keys: await newKeys() });
  // A page of any client may send its viewers here to sign in.
  const server = createJsonServer({ pageOrigins, otherSites: 'link' });
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, formFields(new URLSearchParams(String(body)))),
  );
  let issuer = '';

  server.get('/.well-known/openid-configuration', async () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    scopes_supported: ['openid'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  }));
  server.get('/jwks', async () => ({ keys: kept.read().keys.map(({ publicKey }) => publicKey) }));
  const authorizations = addAuthorization(server, { issuer: () => issuer, pageOrigins });
  const sign = async (
    claims: JWTPayload & { readonly sub: string },
    { seconds, alg, typ }: { readonly seconds: number; readonly alg: Algorithm; readonly typ: string },
  ): Promise<string> => {
    const { kid, privateKey } = signingKey(kept, alg);
    const issuedAt = Math.floor(clock() / 1_000);
    return new SignJWT(claims)
      .setProtectedHeader({ alg, kid, typ })
      .setIssuer(issuer)
      .setJti(randomUUID())
      .setIssuedAt(Math.min(issuedAt, issuedAt + seconds))
      .setExpirationTime(issuedAt + seconds)
      .sign(await importPKCS8(privateKey, alg));
  };
  const issue = async (wanted: z.output<typeof tokenRequest>) => {
    const { sub, client_id, aud, scope, alg, expires_in: seconds } = wanted;
    const { auth_time = Math.floor(clock() / 1_000) } = wanted;
    const claims = {
      sub,
      client_id,
      azp: client_id,
      aud,
      ...(auth_time !== 'none' && { auth_time }),
      ...(scope !== undefined && { scope }),
    };
    return {
      access_token: await sign(claims, { seconds, alg, typ: 'at+jwt' }),
      token_type: 'Bearer',
      expires_in: seconds,
    };
  };
  server.post('/token', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const { grant_type: grant } = z.looseObject({ grant_type: z.string().optional() }).parse(request.body);
    if (grant === undefined) return issue(tokenRequest.parse(request.body));
    if (grant !== 'authorization_code') return reply.code(400).send({ error: 'unsupported_grant_type' });
    const authorization = authorizations.exchange(request.body);
    if ('refused' in authorization) {
      return reply.code(400).send({ error: 'invalid_grant', error_description: authorization.refused });
    }
    const { sub, clientId, scope, nonce, loggedInAt } = authorization;
    const auth_time = Math.floor(loggedInAt / 1_000);
    const tokens = await issue(tokenRequest.parse({ sub, client_id: clientId, scope, auth_time }));
    if (scope?.split(' ').includes('openid') !== true) return tokens;
    const claims = { sub, aud: clientId, auth_time, ...(nonce !== undefined && { nonce }) };
    return {
      ...tokens,
      id_token: await sign(claims, { seconds: tokens.expires_in, alg: 'RS256', typ: 'JWT' }),
    };
  });
  server.post('/rotate', async (request) => {
    const { retire } = rotation.parse(request.body ?? {});
    const keys = [...(await newKeys()), ...(retire ? [] : kept.read().keys)];
    kept.write({ keys });
    return { keys: keys.map(({ kid, algorithm: alg }) => ({ kid, alg })) };
  });

  const fake = await listen(server, port);
  issuer = fake.url;
  return fake;
};

/** A field that is given more than once becomes a list. */
const formFields = (form: URLSearchParams): Record<string, string | string[]> =>
  Object.fromEntries(
    [...new Set(form.keys())].map((name) => {
      const values = form.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
