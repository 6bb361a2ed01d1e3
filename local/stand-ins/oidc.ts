import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { exportJWK, exportPKCS8, generateKeyPair, importPKCS8, SignJWT } from 'jose';
import * as z from 'zod';
import { createJsonServer, listen, type StandIn } from './json-server.ts';
import { type KeptState, keepState } from './kept-state.ts';

const algorithm = z.enum(['RS256', 'ES256']);
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
});
const rotation = z.strictObject({ retire: z.boolean().default(false) });

const newKey = async (alg: z.infer<typeof algorithm>): Promise<Key> => {
  const pair = await generateKeyPair(alg, { extractable: true });
  const kid = randomUUID();
  const publicKey = { ...(await exportJWK(pair.publicKey)), kid, alg, use: 'sig' };
  return { kid, algorithm: alg, privateKey: await exportPKCS8(pair.privateKey), publicKey };
};
const newKeys = () => Promise.all([newKey('RS256'), newKey('ES256')]);

/** The newest key of an algorithm. New tokens are signed with it. Older keys stay published until they are retired. */
const signingKey = (kept: KeptState<z.infer<typeof state>>, alg: z.infer<typeof algorithm>): Key => {
  const found = kept.read().keys.find((each) => each.algorithm === alg);
  if (!found) throw new Error(`There is no ${alg} key`);
  return found;
};

/**
 * The local stand-in for the users' OpenID Connect issuer: discovery, keys, and a token endpoint that issues any token
 * that is requested. `POST /rotate` creates new signing keys. With the body `{"retire": true}`, the old keys are no
 * longer published.
 */
export const startOidc = async ({
  port,
  stateDirectory,
}: {
  readonly port: number;
  readonly stateDirectory: string;
}): Promise<StandIn> => {
  const kept = keepState({
    path: join(stateDirectory, 'stand-ins', 'oidc.json'),
    schema: state,
    initial: { keys: [] },
  });
  if (kept.read().keys.length === 0) kept.write({ keys: await newKeys() });
  const server = createJsonServer();
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, formFields(new URLSearchParams(String(body)))),
  );
  let issuer = '';

  server.get('/.well-known/openid-configuration', async () => ({
    issuer,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: algorithm.options,
  }));
  server.get('/jwks', async () => ({ keys: kept.read().keys.map(({ publicKey }) => publicKey) }));
  server.post('/token', async (request, reply) => {
    const wanted = tokenRequest.parse(request.body);
    const { kid, privateKey } = signingKey(kept, wanted.alg);
    const issuedAt = Math.floor(Date.now() / 1_000);
    const token = await new SignJWT({
      client_id: wanted.client_id,
      azp: wanted.client_id,
      ...(wanted.scope !== undefined && { scope: wanted.scope }),
    })
      .setProtectedHeader({ alg: wanted.alg, kid, typ: 'at+jwt' })
      .setIssuer(issuer)
      .setSubject(wanted.sub)
      .setAudience(wanted.aud)
      .setJti(randomUUID())
      .setIssuedAt(Math.min(issuedAt, issuedAt + wanted.expires_in))
      .setExpirationTime(issuedAt + wanted.expires_in)
      .sign(await importPKCS8(privateKey, wanted.alg));
    // Pages of any origin may request tokens here.
    reply.header('cache-control', 'no-store').header('access-control-allow-origin', '*');
    return { access_token: token, token_type: 'Bearer', expires_in: wanted.expires_in };
  });
  server.post('/rotate', async (request) => {
    const { retire } = rotation.parse(request.body ?? {});
    const keys = [...(await newKeys()), ...(retire ? [] : kept.read().keys)];
    kept.write({ keys });
    return { keys: keys.map(({ kid, algorithm: alg }) => ({ kid, alg })) };
  });

  const standIn = await listen(server, port);
  issuer = standIn.url;
  return standIn;
};

/** A field that is given more than once becomes a list. */
const formFields = (form: URLSearchParams): Record<string, string | string[]> =>
  Object.fromEntries(
    [...new Set(form.keys())].map((name) => {
      const values = form.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
