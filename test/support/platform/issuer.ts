import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, exportSPKI, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>;

/** An OpenID Connect issuer for tests, over HTTP. */
export interface TestIssuer {
  readonly url: string;
  /** The number of requests for the keys. */
  readonly keyRequests: () => number;
  /** The number of all requests, including those while the issuer was down. */
  readonly requests: () => number;
  /** Signs with the current key. `options` replace header parameters, and leave out those that are `undefined`. */
  sign(
    claims: JWTPayload,
    options?: {
      readonly kid?: string | undefined;
      readonly alg?: string;
      readonly typ?: string | undefined;
      readonly [parameter: string]: unknown;
    },
  ): Promise<string>;
  /** Replaces the key by one with another `kid`. */
  rotate(): Promise<void>;
  /** From now on, publishes what `choose` makes of the current key. @default only this key */
  publish(choose: (current: JWK) => readonly JWK[]): void;
  publicKeyPem(): Promise<string>;
  /** Starts or stops answering 500 to every request. */
  breakDown(isDown: boolean): void;
  /** Starts or stops leaving every request unanswered. */
  hang(isHanging: boolean): void;
  /**
   * Delays the responses with keys until the returned function is called. Each response contains the keys that were
   * current when its request arrived.
   */
  holdKeys(): () => void;
  stop(): Promise<void>;
}

export const startIssuer = async ({
  alg = 'RS256',
  issuerPath = '',
}: {
  readonly alg?: string;
  /** Appended to the issuer's URL, e.g. `/` for an issuer that ends in a slash. */
  readonly issuerPath?: string;
} = {}): Promise<TestIssuer> => {
  let generation = 1;
  let pair: KeyPair = await generateKeyPair(alg, { extractable: true });
  let keyRequests = 0;
  let requests = 0;
  let isDown = false;
  let isHanging = false;
  let held: Promise<void> = Promise.resolve();
  let chosen = (current: JWK): readonly JWK[] => [current];
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
      const keys = chosen({ ...(await exportJWK(pair.publicKey)), kid: kid(), alg, use: 'sig' });
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
        .setProtectedHeader({ alg, kid: kid(), typ: 'JWT', ...options })
        .sign(pair.privateKey),
    rotate: async () => {
      generation += 1;
      pair = await generateKeyPair(alg, { extractable: true });
    },
    publish: (choose) => {
      chosen = choose;
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
