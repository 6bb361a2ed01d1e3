interface Page<Item> {
  readonly items: readonly Item[];
  readonly headers: Headers;
}

/**
 * The cursor of the next page, from a `Link` header (RFC 8288). The host in the link is ignored, because the client may
 * reach the server by another host name.
 */
const nextCursor = (headers: Headers): string | undefined => {
  const [, target] = /<([^>]*)>\s*;[^,]*\brel="?next"?/.exec(headers.get('link') ?? '') ?? [];
  if (target === undefined) return undefined;
  return new URL(target, 'https://marquee.invalid').searchParams.get('cursor') ?? undefined;
};

/** All pages of a list. Each page is fetched when it is needed. */
export async function* pagesOf<Fetched extends { readonly headers: Headers }>(
  fetchPage: (cursor: string | undefined) => Promise<Fetched>,
): AsyncGenerator<Fetched, void, undefined> {
  let cursor: string | undefined;
  do {
    const page = await fetchPage(cursor);
    yield page;
    cursor = nextCursor(page.headers);
  } while (cursor !== undefined);
}

/** All items of a list. Each page is fetched when its first item is needed. */
export async function* itemsOf<Item>(
  fetchPage: (cursor: string | undefined) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  for await (const { items } of pagesOf(fetchPage)) yield* items;
}
