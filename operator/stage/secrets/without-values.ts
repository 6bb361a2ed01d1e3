/** Shorter pieces are not replaced: they would also replace parts of ordinary words. */
const shortestSecret = 4;

/** All texts in a value, and the parts of URLs that can contain a key: user, password, path and query. */
const piecesOf = (value: unknown): string[] => {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(piecesOf);
  if (typeof value !== 'string') return [];
  const url = URL.parse(value);
  if (url === null) return [value];
  const parts = [url.username, url.password, ...url.pathname.split('/'), ...url.searchParams.values()];
  return [value, url.search, ...parts, ...parts.map((part) => decodeURIComponent(part))];
};

/** A text in which each piece of a secret's value is replaced, because other services may quote what they received. */
export const withoutValues = (text: string, value: unknown): string =>
  piecesOf(value)
    .filter((piece) => piece.length >= shortestSecret)
    .sort((one, other) => other.length - one.length)
    .reduce((kept, piece) => kept.replaceAll(piece, '…'), text);
