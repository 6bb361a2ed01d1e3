import * as z from 'zod';
import type { Page } from '../page.ts';
import { type CursorScope, openCursor, sealCursor } from './cursor.ts';
import type { HttpResponse } from './http-function.ts';
import { nextLink } from './page.ts';

const positionSchema = z.string();

/**
 * One page of a list as an answer. The cursor is bound to `scope`, so it does not open in another list or application.
 */
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
  /**
   * The caller's other parameters, which it must send again with the cursor; they are part of `scope`. @default none
   */
  readonly filters?: Readonly<Record<string, string | undefined>>;
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
    headers: nextLink({ url, query: { ...filters, limit: String(limit) }, cursor: next }),
    body: page.items.map(present),
  };
};
