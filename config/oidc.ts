import * as z from 'zod';
import { configuredUrl } from './configured-url.ts';

const names = z.array(z.string().min(1)).min(1);

/** The OpenID Connect issuer of users' and viewers' access tokens. */
export const oidcConfig = z.strictObject({
  /** The exact value of `iss` in the issuer's tokens, including a trailing slash if there is one. */
  issuer: configuredUrl,
  /**
   * The claim by which a token shows that it is meant for this service: `aud`, or `client_id` together with
   * `token_use: access`, as in Amazon Cognito's access tokens. With `any`, tokens of all the issuer's clients are
   * accepted.
   */
  audience: z.discriminatedUnion('claim', [
    z.strictObject({ claim: z.literal('aud'), values: names }),
    z.strictObject({ claim: z.literal('client_id'), values: z.union([z.literal('any'), names]) }),
  ]),
  /** The accepted signature algorithms. They are all asymmetric, because the issuer publishes its keys. */
  algorithms: z
    .array(z.enum(['RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384', 'EdDSA']))
    .min(1)
    .default(['RS256', 'ES256']),
  /**
   * Whether access tokens may have the claim `nonce`. Keycloak before version 25 puts the claim into access tokens.
   * Other issuers put it only into ID tokens.
   */
  nonce: z.enum(['refused', 'allowed']).default('refused'),
  /**
   * With `at+jwt`, tokens whose header does not have this `typ` are refused. Use `at+jwt` if the issuer's access tokens
   * have it (RFC 9068).
   */
  tokenType: z.enum(['any', 'at+jwt']).default('any'),
  /**
   * The claims by which a token names the client that it was issued to. A token that has several of them is refused if
   * they differ. Okta writes the client into `cid`, and Microsoft Entra into `appid` in tokens of version 1.
   */
  clientClaims: names.default(['azp', 'client_id']),
});
