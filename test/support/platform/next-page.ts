/** The query parameters of the link to the next page. `undefined` on the last page. */
export const nextQuery = ({
  headers,
}: {
  readonly headers: Readonly<Record<string, unknown>>;
}): Record<string, string> | undefined => {
  const [, url] = /^<([^>]+)>; rel="next"$/.exec(String(headers.link ?? '')) ?? [];
  return url === undefined ? undefined : Object.fromEntries(new URL(url).searchParams);
};
