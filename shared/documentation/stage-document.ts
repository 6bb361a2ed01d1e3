/** The addresses of a stage's APIs. The keys are the names of the server variables in the OpenAPI document. */
export interface Addresses {
  readonly base_url: string;
  readonly api_url_b2b: string;
  readonly api_url_profile: string;
}

interface Server {
  readonly url: string;
  readonly description?: string;
}

export interface OpenApiDocument {
  readonly servers: readonly Server[];
  readonly paths: Readonly<Record<string, { readonly servers: readonly Server[] }>>;
}

/** Replaces the server variables with a stage's addresses. @throws when a server's URL is not one of the variables. */
export const stageDocument = <Document extends OpenApiDocument>(
  document: Document,
  addresses: Addresses,
): OpenApiDocument => {
  const known = new Map(Object.entries(addresses).map(([variable, url]) => [`{${variable}}`, url]));
  const located = (servers: readonly Server[]): Server[] =>
    servers.map(({ url: variable, description }) => {
      const url = known.get(variable);
      if (url === undefined) throw new Error(`No address for ${variable}`);
      return description === undefined ? { url } : { url, description };
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
