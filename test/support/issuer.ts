import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>;

/** An OpenID Connect issuer of a test's own, over HTTP. */
export interface TestIssuer {
  readonly url: string;
  /** How often the keys were asked for. */
  readonly keyRequests: () => number;
  /** How often it was asked for anything, also while it was down. */
  readonly requests: () => number;
  /** Signs with the current key unless told otherwise. */
  sign(
    claims: JWTPayload,
    options?: { readonly kid?: string; readonly alg?: string; readonly typ?: string | undefined },
  ): Promise<string>;
  /** Replaces the key by one with another `kid`. */
  rotate(): Promise<void>;
  publicKeyPem(): Promise<string>;
  /** Answers 500 to everything, or no longer. */
  breakDown(isDown: boolean): void;
  /** Takes requests and answers none, or no longer. */
  hang(isHanging: boolean): void;
  /** Sends no keys until the function that it gives is called, and then those that it had when they were asked for. */
  holdKeys(): () => void;
  stop(): Promise<void>;
}

export const startIssuer = async ({
  alg = 'RS256',
  issuerPath = '',
}: {
  readonly alg?: string;
  /** Added to the issuer's name, e.g. `/` for one that ends in a slash. */
  readonly issuerPath?: string;
} = {}): Promise<TestIssuer> => {
  let generation = 1;
  let pair: KeyPair = await generateKeyPair(alg, { extractable: true });
  let keyRequests = 0;
  let requests = 0;
  let isDown = false;
  let isHanging = false;
  let held: Promise<void> = Promise.resolve();
  const kid = () => `key-${generation}`;

  const server = createServer(async (request, response) => {
    const answer = (body: unknown) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(body));
    };
    requests += 1;
    if (isHanging) return;
    if (isDown) {
      response.statusCode = 500;
      response.end();
    } else if (request.url === '/.well-known/openid-configuration') {
      answer({ issuer: url, jwks_uri: `${origin}/keys` });
    } else {
      keyRequests += 1;
      const keys = [{ ...(await exportJWK(pair.publicKey)), kid: kid(), alg, use: 'sig' }];
      await held;
      answer({ keys });
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = `${origin}${issuerPath}`;

  return {
    url,
    keyRequests: () => keyRequests,
    requests: () => requests,
    sign: (claims, options = {}) =>
      new SignJWT(claims)
        .setProtectedHeader({
          alg: options.alg ?? alg,
          kid: options.kid ?? kid(),
          ...('typ' in options ? options.typ !== undefined && { typ: options.typ } : { typ: 'JWT' }),
        })
        .sign(pair.privateKey),
    rotate: async () => {
      generation += 1;
      pair = await generateKeyPair(alg, { extractable: true });
    },
    publicKeyPem: () => exportSPKI(pair.publicKey),
    breakDown: (down) => {
      isDown = down;
    },
    hang: (hanging) => {
      isHanging = hanging;
    },
    holdKeys: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    stop: () =>
      new Promise((resolve, reject) => {
        server.closeAllConnections();
        server.close((error) => (error === undefined ? resolve() : reject(error)));
      }),
  };
};
