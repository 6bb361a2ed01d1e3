/** Sends a GET without credentials and without a header, which a browser sends without asking the server first. */
const reaches = async (
  fetch: typeof globalThis.fetch,
  url: string,
  options: { readonly mode: 'cors' | 'no-cors'; readonly signal: AbortSignal },
): Promise<boolean> => {
  try {
    await fetch(url, {
      ...options,
      method: 'GET',
      credentials: 'omit',
      cache: 'no-store',
    });
    return true;
  } catch {
    return false;
  }
};

/**
 * The origin of this page, if the browser refuses it the responses from a URL because the server does not allow the
 * origin. To a page, such a refusal looks like a broken connection. `undefined` outside of browsers, and if the server
 * cannot be reached at all.
 */
export const refusedOrigin = async (
  fetch: typeof globalThis.fetch,
  url: string,
  signal: AbortSignal,
): Promise<string | undefined> => {
  const origin: unknown = (globalThis as { readonly location?: { readonly origin?: unknown } }).location
    ?.origin;
  if (typeof origin !== 'string' || origin === new URL(url).origin) return undefined;
  if (await reaches(fetch, url, { mode: 'cors', signal })) return undefined;
  return (await reaches(fetch, url, { mode: 'no-cors', signal })) ? origin : undefined;
};
