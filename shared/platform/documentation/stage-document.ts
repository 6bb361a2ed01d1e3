import type { Addresses } from '../http/addresses.ts';

/**
 * The addresses in the committed OpenAPI document, where `npm start` serves the APIs. They are not server variables,
 * because clients that openapi-generator makes in Java would call an address such as `{base_url}`.
 */
export const documentedAddresses: Addresses = {
  base: 'http://127.0.0.1:3000/base',
  b2b: 'http://127.0.0.1:3000/b2b',
  profile: 'http://127.0.0.1:3000/profile',
};

interface Server {
  readonly url: string;
  readonly description?: string;
}

export interface OpenApiDocument {
  readonly servers: readonly Server[];
  readonly paths: Readonly<Record<string, { readonly servers: readonly Server[] }>>;
}

/** Replaces the documented addresses with a stage's. @throws when a server is at none of the documented addresses. */
export const stageDocument = <Document extends OpenApiDocument>(
  document: Document,
  addresses: Addresses,
): OpenApiDocument => {
  const known = new Map(
    (['base', 'b2b', 'profile'] as const).map((api) => [documentedAddresses[api], addresses[api]]),
  );
  const located = (servers: readonly Server[]): Server[] =>
    servers.map((server) => {
      const url = known.get(server.url);
      if (url === undefined) throw new Error(`No API is documented at ${server.url}`);
      return { ...server, url };
    });
  return {
    ...document,
    servers: located(document.servers),
    paths: Object.fromEntries(
      Object.entries(document.paths).map(([path, item]) => [
        path,
        { ...item, servers: located(item.servers) },
      ]),
    ),
  };
};
