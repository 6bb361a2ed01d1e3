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

/** All items of a list. Each page is fetched when its first item is needed. */
export async function* itemsOf<Item>(
  fetchPage: (cursor: string | undefined) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  let cursor: string | undefined;
  do {
    const { items, headers } = await fetchPage(cursor);
    yield* items;
    cursor = nextCursor(headers);
  } while (cursor !== undefined);
}
