import { queryPages, type Table } from '../../platform/store/client.ts';
import type { SignedPathQuery } from '../ports/catalogue.ts';
import { eventIdOf, indexes } from './event-items.ts';

const isAt = 'stream_host = :host AND signed_path = :path';
const isUnder = 'stream_host = :host AND begins_with(signed_path, :path)';
const isNotAfter = 'stream_host = :host AND signed_path <= :path';

const queryOf = (
  { tableName }: Table,
  { condition, host, path }: { readonly condition: string; readonly host: string; readonly path: string },
) => ({
  TableName: tableName,
  IndexName: indexes.signedPaths,
  KeyConditionExpression: condition,
  ExpressionAttributeValues: { ':host': host, ':path': path },
});

/**
 * The ids of events whose signed path is a prefix of `path`. If `below` is set, also the ids of events whose signed
 * path begins with `path`.
 */
export async function* eventsSignedNear(
  store: Table,
  { host, path, below }: SignedPathQuery,
): AsyncGenerator<string> {
  if (below) yield* idsIn(store, { condition: isUnder, host, path });
  let bound = below ? path.slice(0, -1) : path;
  // `bound` is always a prefix of `path`. Each query finds the last stored path that is not after `bound`: `found`.
  // Whatever is sorted between a prefix of `bound` and `bound` itself begins with that prefix. So `found` begins with
  // every stored prefix of `bound`. If `found` is not a prefix of `path`, the search therefore continues with the
  // common beginning of `found` and `bound`. A few queries find all prefixes, however many paths are stored.
  while (bound !== '') {
    const { Items: [last] = [] } = await store.client.query({
      ...queryOf(store, { condition: isNotAfter, host, path: bound }),
      ScanIndexForward: false,
      Limit: 1,
    });
    if (last === undefined) return;
    const found = String(last.signed_path);
    if (path.startsWith(found)) {
      yield* idsIn(store, { condition: isAt, host, path: found });
      bound = found.slice(0, -1);
    } else bound = commonBeginning(found, bound);
  }
}

async function* idsIn(store: Table, query: Parameters<typeof queryOf>[1]): AsyncGenerator<string> {
  for await (const { Items = [] } of queryPages(store.client, queryOf(store, query))) {
    for (const { pk } of Items) yield eventIdOf(pk);
  }
}

const commonBeginning = (a: string, b: string): string => {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return a.slice(0, length);
};
