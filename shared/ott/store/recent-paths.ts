import * as z from 'zod';
import { batchGet } from '../../platform/store/batch-get.ts';
import type { Table } from '../../platform/store/client.ts';
import { movedBy } from '../catalogue/event-mistakes.ts';
import type { EventChange, RecentPath, RecentPaths } from '../ports/catalogue.ts';
import { signedPlace } from '../streams/signed-path.ts';

/**
 * After this time the index of signed paths has a path. AWS says that indexes usually lag behind for less than a
 * second.
 */
const lagMilliseconds = 60_000;

/**
 * More paths would make the item so large that its writes exceed what DynamoDB lets one item have in a second
 * (1,000 units).
 */
const pathsAtMost = 500;
const bytesAtMost = 50_000;

export const pathsPrefix = 'PATHS#';
const pathsKey = (host: string) => ({ pk: `${pathsPrefix}${host}` });

/** `recent` is JSON, because nested attributes take ten times as long to read. */
const itemSchema = z.object({
  pk: z.string().startsWith(pathsPrefix),
  version: z.int(),
  recent: z.string(),
  incomplete_until: z.number().optional(),
});
const recentSchema = z.array(z.tuple([z.string(), z.string(), z.number()]));

/** A stream that a change puts into another place, or that can be played at another time. */
export interface MovedPath {
  readonly host: string;
  readonly id: string;
  readonly path: string;
}

export const movedPathOf = (change: EventChange): MovedPath | undefined => {
  const moved = movedBy(change);
  return moved && { id: moved.id, ...signedPlace(moved.after) };
};

export const readRecentPaths = async (
  { client, tableName }: Table,
  hosts: Iterable<string>,
): Promise<Map<string, RecentPaths>> => {
  const found = new Map<string, RecentPaths>();
  for (const host of hosts) found.set(host, { version: 0, paths: [] });
  const keys = [...found.keys()].map(pathsKey);
  for (const item of await batchGet({ client, tableName, keys })) {
    const { pk, version, recent, incomplete_until: incompleteUntil } = itemSchema.parse(item);
    found.set(pk.slice(pathsPrefix.length), {
      version,
      paths: recentSchema.parse(JSON.parse(recent)).map(([id, path, at]) => ({ id, path, at })),
      ...(incompleteUntil !== undefined && { incompleteUntil }),
    });
  }
  return found;
};

/** The state of a host's paths after these were moved. */
export const withMoved = (
  { version, paths, incompleteUntil = 0 }: RecentPaths,
  { moved, now }: { readonly moved: readonly MovedPath[]; readonly now: number },
): RecentPaths => {
  const ids = new Set(moved.map(({ id }) => id));
  const all: RecentPath[] = [
    ...paths.filter(({ id, at }) => at > now - lagMilliseconds && !ids.has(id)),
    ...moved.map(({ id, path }) => ({ id, path, at: now })),
  ];
  let [first, bytes] = [all.length, 0];
  for (const { id, path } of all.toReversed().slice(0, pathsAtMost)) {
    bytes += id.length + Buffer.byteLength(path);
    if (bytes > bytesAtMost) break;
    first -= 1;
  }
  const dropped = all[first - 1];
  const until = Math.max(incompleteUntil, dropped === undefined ? 0 : dropped.at + lagMilliseconds);
  return { version: version + 1, paths: all.slice(first), ...(until > now && { incompleteUntil: until }) };
};

/** Fails if somebody else has moved a path of the host since `before` was read. */
export const recentPathsWrite = (
  tableName: string,
  {
    host,
    before,
    after,
  }: { readonly host: string; readonly before: RecentPaths; readonly after: RecentPaths },
) => ({
  Put: {
    TableName: tableName,
    Item: {
      ...pathsKey(host),
      version: after.version,
      recent: JSON.stringify(after.paths.map(({ id, path, at }) => [id, path, at])),
      incomplete_until: after.incompleteUntil,
    },
    ...(before.version === 0
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : { ConditionExpression: 'version = :read', ExpressionAttributeValues: { ':read': before.version } }),
  },
});
