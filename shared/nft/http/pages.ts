import * as z from 'zod';
import { type CursorScope, openCursor, sealCursor } from '../../http/cursor.ts';
import type { HttpResponse } from '../../http/http-function.ts';
import { nextLink } from '../../http/page.ts';
import type { Page } from '../ports/contracts.ts';
import type { PageQuery } from './operations.ts';

const positionSchema = z.string();

/** One page of a list as an answer. The cursor is bound to `scope`, so another list's or application's does not open. */
export const pageAnswer = async <Item>({
  query: { limit, cursor },
  scope,
  secret,
  url,
  read,
  present,
}: {
  readonly query: PageQuery;
  readonly scope: CursorScope;
  readonly secret: string;
  /** The list's public address. */
  readonly url: string;
  readonly read: (page: { readonly limit: number; readonly after?: string }) => Promise<Page<Item>>;
  readonly present: (item: Item) => unknown;
}): Promise<HttpResponse> => {
  const after =
    cursor === undefined ? undefined : positionSchema.parse(openCursor({ secret, scope, cursor }));
  const page = await read({ limit, ...(after === undefined ? {} : { after }) });
  const next = page.next === undefined ? undefined : sealCursor({ secret, scope, position: page.next });
  return {
    status: 200,
    headers: nextLink({ url, query: { limit: String(limit) }, cursor: next }),
    body: page.items.map(present),
  };
};
