import * as z from 'zod';
import type { Page } from '../page.ts';
import { type CursorScope, openCursor, sealCursor } from './cursor.ts';
import type { HttpResponse } from './http-function.ts';
import { nextLink } from './page-query.ts';

const positionSchema = z.string();

interface PagePlace {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * One page of a list. The cursor is bound to `scope` and `filters`, so it cannot be used for another list, application
 * or filter.
 */
export const pageAnswer = async <Item, Query extends PagePlace>({
  query: { limit, cursor },
  filters = {},
  scope: { list, filters: own },
  secret,
  url,
  read,
  present,
}: {
  /** A query with other parameters does not compile: they are `filters`. */
  readonly query: Query & Readonly<Record<Exclude<keyof Query, keyof PagePlace>, never>>;
  /** The caller's other query parameters, which `read` applies. They are in the link to the next page. @default none */
  readonly filters?: Readonly<Record<string, string | undefined>>;
  readonly scope: CursorScope;
  readonly secret: string;
  readonly url: string;
  readonly read: (page: { readonly limit: number; readonly after?: string }) => Promise<Page<Item>>;
  readonly present: (item: Item) => unknown;
}): Promise<HttpResponse> => {
  const scope: CursorScope = { list, filters: { ...filters, ...own } };
  const after =
    cursor === undefined ? undefined : positionSchema.parse(openCursor({ secret, scope, cursor }));
  const page = await read({ limit, after });
  const next = page.next === undefined ? undefined : sealCursor({ secret, scope, position: page.next });
  return {
    status: 200,
    headers: nextLink({ url, query: { ...filters, limit: String(limit) }, cursor: next }),
    body: page.items.map(present),
  };
};
