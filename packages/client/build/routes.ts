interface Operation {
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
}

export interface Described {
  readonly paths: Readonly<
    Record<
      string,
      { readonly servers: readonly { readonly url: string }[] } & Readonly<Record<string, unknown>>
    >
  >;
}

/** Which of the three APIs a path belongs to: `base`, `b2b` or `profile`, the last part of its server's address. */
const apiOf = (url = ''): string | undefined => /\/(base|b2b|profile)$/.exec(url)?.[1];

/** Short names of the ways to authenticate, because browsers load this list. */
const credentials: Readonly<Record<string, string>> = { apiKey: 'key', accessToken: 'token' };

const methods = ['get', 'post', 'put', 'delete', 'patch'] as const;

/**
 * For each path and method, a text such as `base key once`: the API, how a caller authenticates, and `once` if the call
 * takes an `Idempotency-Key`.
 */
export const routesOf = ({ paths }: Described) =>
  Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        methods.flatMap((method) => {
          const operation = item[method] as Operation | undefined;
          if (operation === undefined) return [];
          const api = apiOf(item.servers[0]?.url);
          if (api === undefined) throw new Error(`${path} is at none of the known addresses`);
          const [credential = 'none'] = operation.security.flatMap((way) => Object.keys(way));
          const isKeyed = operation.parameters.some(({ name }) => name === 'Idempotency-Key');
          return [
            [
              method.toUpperCase(),
              [api, credentials[credential] ?? credential, ...(isKeyed ? ['once'] : [])].join(' '),
            ],
          ];
        }),
      ),
    ]),
  );
