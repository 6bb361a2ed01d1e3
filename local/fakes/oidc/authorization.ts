import { createHash, randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { loginPage } from './login-page.ts';

/** What must be right before the user may be sent back to the client (RFC 6749, 4.1.2.1). */
const recipient = z.looseObject({
  client_id: z.string().min(1),
  redirect_uri: z.url({ protocol: /^https?$/ }),
  state: z.string().optional(),
});

const authorizationRequest = z.looseObject({
  response_type: z.literal('code', { error: 'must be "code"' }),
  response_mode: z.literal('query', { error: 'must be "query", or left out' }).optional(),
  code_challenge: z
    .string({ error: 'is missing: send the SHA-256 of the code verifier (PKCE, RFC 7636)' })
    .regex(/^[A-Za-z0-9_-]{43}$/, 'must be a SHA-256 in base64url, which has 43 characters'),
  code_challenge_method: z.literal('S256', { error: 'must be "S256"' }),
  scope: z.string().optional(),
  nonce: z.string().optional(),
  login_hint: z.string().max(128).default(''),
});

const login = z.object({ sub: z.string().trim().min(1).max(128) });

/** What the token endpoint is sent in exchange for a code. */
const codeExchange = z.object({
  code: z.string(),
  client_id: z.string(),
  redirect_uri: z.string(),
  code_verifier: z.string(),
});

/** An authorization that a user gave, until its code is used. */
export interface Authorization {
  readonly sub: string;
  readonly clientId: string;
  readonly scope: string | undefined;
  readonly nonce: string | undefined;
  /** When the user signed in, in milliseconds since the epoch. */
  readonly loggedInAt: number;
}

interface Issued extends Authorization {
  readonly redirectUri: string;
  readonly challenge: string;
  readonly expiresAt: number;
}

export interface Authorizations {
  /** The authorization of a code. A code works once, whether or not the exchange succeeds. */
  exchange(form: unknown): Authorization | { readonly refused: string };
}

const codeSeconds = 60;

/**
 * Adds the authorization endpoint: a form on which the user gives a name, and a code for the client (RFC 6749, 4.1, and
 * RFC 7636). Users are sent back only to pages whose origin is allowed. Any client id is accepted, because the service
 * itself knows the clients.
 */
export const addAuthorization = (
  server: FastifyInstance,
  { issuer, pageOrigins }: { readonly issuer: () => string; readonly pageOrigins: readonly string[] },
): Authorizations => {
  const codes = new Map<string, Issued>();

  const refuse = (reply: FastifyReply, reason: string) =>
    reply.code(400).type('text/plain; charset=utf-8').send(`You cannot sign in: ${reason}\n`);

  const sendBack = (
    reply: FastifyReply,
    { redirect_uri, state }: z.output<typeof recipient>,
    answer: Readonly<Record<string, string>>,
  ) => {
    const target = new URL(redirect_uri);
    const parameters = { ...answer, ...(state !== undefined && { state }), iss: issuer() };
    for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value);
    return reply.code(303).header('location', target.href).send();
  };

  const authorize = async (request: FastifyRequest, reply: FastifyReply) => {
    // With the policy `no-referrer`, a browser sends the form with the origin `null`, which is refused.
    reply.header('cache-control', 'no-store').header('referrer-policy', 'same-origin');
    const to = recipient.safeParse(request.query);
    if (!to.success) return refuse(reply, z.prettifyError(to.error));
    const target = new URL(to.data.redirect_uri);
    if (target.hash !== '' || to.data.redirect_uri.includes('#')) {
      return refuse(reply, 'redirect_uri must not have a fragment.');
    }
    if (target.username !== '' || target.password !== '' || !pageOrigins.includes(target.origin)) {
      return refuse(
        reply,
        `redirect_uri is on ${target.origin}, which is not a page of this system. Start the system with --page-origin ${target.origin} to allow it.`,
      );
    }
    const wanted = authorizationRequest.safeParse(request.query);
    if (!wanted.success) {
      const [issue] = wanted.error.issues;
      const isOtherType = issue?.path[0] === 'response_type' && 'response_type' in to.data;
      return sendBack(reply, to.data, {
        error: isOtherType ? 'unsupported_response_type' : 'invalid_request',
        error_description: `${issue?.path.join('.')} ${issue?.message}`,
      });
    }
    if (request.method === 'GET') {
      return reply
        .type('text/html; charset=utf-8')
        .header(
          'content-security-policy',
          // Browsers apply form-action to the redirect that follows the form, too.
          `default-src 'none'; style-src 'unsafe-inline'; form-action 'self' ${target.origin}; base-uri 'none'; frame-ancestors 'none'`,
        )
        .send(
          loginPage({
            clientId: to.data.client_id,
            origin: target.origin,
            hint: wanted.data.login_hint,
          }),
        );
    }
    const { sub } = login.parse(request.body);
    const code = randomBytes(32).toString('base64url');
    const now = Date.now();
    for (const [old, { expiresAt }] of codes) if (expiresAt <= now) codes.delete(old);
    codes.set(code, {
      sub,
      clientId: to.data.client_id,
      scope: wanted.data.scope,
      nonce: wanted.data.nonce,
      loggedInAt: now,
      redirectUri: to.data.redirect_uri,
      challenge: wanted.data.code_challenge,
      expiresAt: now + codeSeconds * 1_000,
    });
    return sendBack(reply, to.data, { code });
  };
  server.get('/authorize', authorize);
  server.post('/authorize', authorize);

  return {
    exchange(form) {
      const sent = codeExchange.parse(form);
      const issued = codes.get(sent.code);
      codes.delete(sent.code);
      if (issued === undefined || issued.expiresAt <= Date.now()) {
        return { refused: 'the code is unknown, has expired, or has been used' };
      }
      if (sent.client_id !== issued.clientId) return { refused: 'the code was issued to another client_id' };
      if (sent.redirect_uri !== issued.redirectUri) {
        return { refused: 'redirect_uri is not the one of the authorization request' };
      }
      const challenge = createHash('sha256').update(sent.code_verifier).digest('base64url');
      if (!/^[A-Za-z0-9._~-]{43,128}$/.test(sent.code_verifier) || challenge !== issued.challenge) {
        return { refused: 'code_verifier does not match the code_challenge' };
      }
      return issued;
    },
  };
};
