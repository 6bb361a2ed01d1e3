import * as z from 'zod';
import { configuredUrl } from './configured-url.ts';

const names = z.array(z.string().min(1)).min(1);

/** The OpenID Connect issuer of users' and viewers' access tokens. */
export const oidcConfig = z.strictObject({
  /** Exactly as its tokens carry it in `iss`, including a trailing slash. */
  issuer: configuredUrl,
  /**
   * How a token says that it is meant for this service: by `aud`, or, as Amazon Cognito's access tokens do, by
   * `client_id` together with `token_use: access`. `any` admits every client of the issuer.
   */
  audience: z.discriminatedUnion('claim', [
    z.strictObject({ claim: z.literal('aud'), values: names }),
    z.strictObject({ claim: z.literal('client_id'), values: z.union([z.literal('any'), names]) }),
  ]),
  /** Signature algorithms of tokens: asymmetric only, because the keys are public. */
  algorithms: z
    .array(z.enum(['RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384', 'EdDSA']))
    .min(1)
    .default(['RS256', 'ES256']),
  /** Whether access tokens may carry a `nonce`: Keycloak before version 25 puts it there, others only into ID tokens. */
  nonce: z.enum(['refused', 'allowed']).default('refused'),
  /** `at+jwt` where the issuer marks its access tokens so in their header (RFC 9068); other tokens are then refused. */
  tokenType: z.enum(['any', 'at+jwt']).default('any'),
});
