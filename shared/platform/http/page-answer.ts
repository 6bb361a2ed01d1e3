import * as z from 'zod';
import type { Page } from '../page.ts';
import { type CursorScope, openCursor, sealCursor } from './cursor.ts';
import type { HttpResponse } from './http-function.ts';
import { nextLink } from './page.ts';

const positionSchema = z.string();

/** One page of a list. The cursor is bound to `scope`, so it cannot be used for another list or application. */
export const pageAnswer = async <Item>({
  query: { limit, cursor },
  filters = {},
  scope,
  secret,
  url,
  read,
  present,
}: {
  readonly query: { readonly limit: number; readonly cursor?: string | undefined };
  /** The caller's other query parameters, for the link to the next page. They must be part of `scope`. @default none */
  readonly filters?: Readonly<Record<string, string | undefined>>;
  readonly scope: CursorScope;
  readonly secret: string;
  readonly url: string;
  readonly read: (page: { readonly limit: number; readonly after?: string }) => Promise<Page<Item>>;
  readonly present: (item: Item) => unknown;
}): Promise<HttpResponse> => {
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
