import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { attributeUpdate } from '../../platform/store/attribute-update.ts';
import { cancellationReasons, type Table, transactionWritesAtMost } from '../../platform/store/client.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { effectiveStatus, entriesAhead, instantOf } from '../events/effective.ts';
import type { Event } from '../events/event.ts';
import { isSameEvent } from '../events/event-record.ts';
import type { Catalogue, ChangeOutcome, EventChange, RecentPaths, StoredEvent } from '../ports/catalogue.ts';
import type { LoggedChange } from '../ports/event-history.ts';
import { type EventItem, itemsOf, newLife, partitionAttributes } from './event-items.ts';
import { endVersions, historyWrites, pastChangeOf } from './history.ts';
import { type MovedPath, movedPathOf, recentPathsWrite, withMoved } from './recent-paths.ts';

type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
type Paths = Map<string, RecentPaths>;

/** DynamoDB allows 4 MB in one transaction. */
const bytesAtMost = 3_000_000;

const attempts = 8;
const longestPauseMilliseconds = 2_000;

const isNew = 'attribute_not_exists(pk)';
const isTheVersionRead = 'version = :read AND life = :life';
/** Release 0.1 stores events without the attribute `life`. */
const isTheVersionReadOfOld = 'version = :read AND attribute_not_exists(life)';

const isStill = ({ version, life }: StoredEvent) =>
  life === undefined
    ? { ConditionExpression: isTheVersionReadOfOld, ExpressionAttributeValues: { ':read': version } }
    : {
        ConditionExpression: isTheVersionRead,
        ExpressionAttributeValues: { ':read': version, ':life': life },
      };

/** Every attribute that `itemsOf` can set. */
const knownAttributes = [
  'place',
  'version',
  'event',
  'own_mode',
  'own_countries',
  ...Object.values(partitionAttributes),
  'stream_host',
  'stream_path',
  'signed_path',
  'change_queue',
  'change_due',
] as const;

/**
 * Longer than the reads of a list take, and shorter than the time by which a list reads ahead, also if clocks differ.
 */
const keptMilliseconds = 15_000;

/**
 * The time under which the index of changes keeps an event after a write that changes it. If this write is the first to
 * store the status of an entry, or another one was a moment ago, the scheduled function finds the event there again,
 * but not at once. Otherwise a list whose reads are far apart could find the event neither there nor with its new
 * status.
 * @returns `undefined` if no status was stored first.
 */
const keptUntil = ({
  before,
  after,
  now,
}: {
  readonly before: StoredEvent | undefined;
  readonly after: Event;
  readonly now: number;
}): string | undefined => {
  if (before === undefined) return undefined;
  const end = instantOf(now + keptMilliseconds);
  const isStoredNow = effectiveStatus(before.event, now) !== before.presentStatus;
  if (!isStoredNow && (before.changeDue === undefined || before.changeDue > end)) return undefined;
  const next = entriesAhead(after, now)[0]?.at;
  return next !== undefined && next < end ? next : end;
};

interface Writing {
  readonly by: string;
  readonly clock: Clock;
  /** Is told of each change of an event, after its write. @default nobody is told */
  readonly tell?: ((change: LoggedChange) => void) | undefined;
}

export const catalogueWriter = (
  { client, tableName }: Table,
  { by, clock, tell }: Writing,
): Catalogue['write'] => {
  /** The writes of a change to an event as it is stored at `now`. */
  const writesOf = (
    { before, after, life = newLife() }: EventChange,
    {
      version,
      now,
      end,
      isSame,
    }: {
      readonly version: number;
      readonly now: number;
      readonly end: number | undefined;
      readonly isSame: boolean;
    },
  ): Write[] => {
    const old = before === undefined ? [] : itemsOf(before.event, { version: before.version, now });
    const due = after && !isSame ? keptUntil({ before, after, now }) : undefined;
    const fresh = after === undefined ? [] : itemsOf(after, { version, now, due });
    const kept = new Set(fresh.map(({ pk }) => pk));
    const condition = before === undefined ? { ConditionExpression: isNew } : isStill(before);
    const isEvent = ({ pk }: EventItem) => pk.startsWith('EVENT#');
    const conditionFor = (item: EventItem) => (isEvent(item) ? condition : {});
    return [
      ...fresh.map((item) => {
        const attributes = {
          ...Object.fromEntries(knownAttributes.map((name) => [name, item[name]])),
          ...(before === undefined && isEvent(item) && { life }),
        };
        return {
          Update: {
            TableName: tableName,
            Key: { pk: item.pk },
            ...attributeUpdate(attributes, conditionFor(item)),
          },
        };
      }),
      ...old
        .filter(({ pk }) => !kept.has(pk))
        .map((item) => ({
          Delete: { TableName: tableName, Key: { pk: item.pk }, ...conditionFor(item) },
        })),
      ...historyWrites(tableName, { before, after }, { by, now, version, end }),
    ];
  };

  /** The state of each host whose paths the changes move, after the changes. */
  const movedBy = (changes: readonly PlannedChange[], paths: Paths) =>
    [
      ...Map.groupBy(
        changes.flatMap(({ path }) => path ?? []),
        ({ host }) => host,
      ),
    ].map(([host, moved]) => {
      const before = paths.get(host);
      if (before === undefined) throw new Error(`The paths of ${host} were not read`);
      return { host, before, after: withMoved(before, { moved, now: clock() }) };
    });

  /**
   * Writes changes in one transaction. A change whose condition fails is reported as a conflict, and the other changes
   * are tried again without it.
   */
  const writeTogether = async (changes: readonly PlannedChange[], paths: Paths): Promise<void> => {
    let rest = changes;
    for (let attempt = 0; rest.length > 0; attempt += 1) {
      const hosts = movedBy(rest, paths);
      try {
        await client.transactWrite({
          TransactItems: [
            ...rest.flatMap(({ writes }) => writes),
            ...hosts.map((host) => recentPathsWrite(tableName, host)),
          ],
        });
        for (const { host, after } of hosts) paths.set(host, after);
        for (const { settle, version } of rest) settle({ outcome: 'written', version });
        return;
      } catch (error) {
        const refused = refusalsIn(error, { changes: rest, hosts: hosts.map(({ host }) => host) });
        for (const [{ settle }, outcome] of refused) settle({ outcome });
        rest = rest.filter((change) => !refused.has(change));
        if (refused.size > 0) continue;
        if (attempt + 1 < attempts && isPassing(error)) {
          await client.pause(attempt, longestPauseMilliseconds);
          continue;
        }
        const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
        for (const { settle } of rest) settle({ outcome: 'failed', reason });
        return;
      }
    }
  };

  /** Transactions that move paths wait for each other: at the same time, they would refuse each other. */
  let turn: Promise<void> = Promise.resolve();
  const inTurn = async (work: () => Promise<void>): Promise<void> => {
    const before = turn;
    turn = before.then(work, work);
    await turn;
  };

  return async (changes, paths) => {
    const outcomes: ChangeOutcome[] = [];
    const created = changes.flatMap(({ before, after }) => (before === undefined && after ? [after.id] : []));
    const ends = await endVersions({ client, tableName }, [...new Set(created)]);
    const planned = changes.map((change, index): PlannedChange => {
      const now = clock();
      const { before, after } = change;
      // An editor who has read the event must not be refused because it was only taken out of the index of changes.
      const isSame =
        before !== undefined &&
        after !== undefined &&
        before.presentStatus === effectiveStatus(after, now) &&
        isSameEvent(before.event, after);
      const end = ends.get(after?.id ?? '');
      const version = (before?.version ?? end ?? 0) + (isSame ? 0 : 1);
      const writes = writesOf(change, { version, now, end, isSame });
      return {
        writes,
        version,
        path: paths && movedPathOf(change),
        bytes: Buffer.byteLength(JSON.stringify(writes)),
        settle: (outcome) => {
          outcomes[index] = outcome;
          if (outcome.outcome !== 'written' && (outcome.outcome !== 'failed' || outcome.isTooLarge)) return;
          const past = pastChangeOf(change, { by, now, version });
          if (past !== undefined) tell?.({ ...past, isMade: outcome.outcome === 'written' });
        },
      };
    });
    for (const together of transactionsOf(planned)) {
      const write = () => writeTogether(together, paths ?? new Map());
      await (together.some(({ path }) => path !== undefined) ? inTurn(write) : write());
    }
    return outcomes;
  };
};

interface PlannedChange {
  readonly writes: readonly Write[];
  /** Of the event after the change. */
  readonly version: number;
  /** @default the change moves no path, or paths are not judged */
  readonly path: MovedPath | undefined;
  readonly bytes: number;
  readonly settle: (outcome: ChangeOutcome) => void;
}

/**
 * Packs as many changes as possible into each transaction. A change that is too large for one transaction is reported
 * as failed.
 */
function* transactionsOf(changes: readonly PlannedChange[]): Generator<readonly PlannedChange[]> {
  let together: PlannedChange[] = [];
  let hosts = new Set<string>();
  let [writes, bytes] = [0, 0];
  for (const change of changes) {
    // The paths of each host are one more write.
    const own = change.writes.length + (change.path === undefined || hosts.has(change.path.host) ? 0 : 1);
    if (own > transactionWritesAtMost) {
      const reason = `categories: the change needs ${own} writes, but at most ${transactionWritesAtMost} are possible at once; remove some categories first`;
      change.settle({ outcome: 'failed', reason, isTooLarge: true });
      continue;
    }
    if (writes + own > transactionWritesAtMost || bytes + change.bytes > bytesAtMost) {
      if (together.length > 0) yield together;
      [together, writes, bytes, hosts] = [[], 0, 0, new Set()];
    }
    together.push(change);
    writes += change.writes.length + (change.path === undefined || hosts.has(change.path.host) ? 0 : 1);
    if (change.path !== undefined) hosts.add(change.path.host);
    bytes += change.bytes;
  }
  if (together.length > 0) yield together;
}

/** The changes whose own condition failed, or that of their host's paths. */
const refusalsIn = (
  error: unknown,
  { changes, hosts }: { readonly changes: readonly PlannedChange[]; readonly hosts: readonly string[] },
): ReadonlyMap<PlannedChange, 'conflict' | 'paths-changed'> => {
  const reasons = (cancellationReasons(error) ?? []).map(({ Code }) => Code === 'ConditionalCheckFailed');
  const refused = new Map<PlannedChange, 'conflict' | 'paths-changed'>();
  let first = 0;
  for (const change of changes) {
    const own = reasons.slice(first, first + change.writes.length);
    first += change.writes.length;
    if (own.includes(true)) refused.set(change, 'conflict');
  }
  const changed = new Set(hosts.filter((_, index) => reasons[first + index] === true));
  for (const change of changes) {
    if (change.path !== undefined && changed.has(change.path.host) && !refused.has(change))
      refused.set(change, 'paths-changed');
  }
  return refused;
};

const passing = /TransactionConflict|Throttl|ProvisionedThroughputExceeded|TransactionInProgress/;

const isPassing = (error: unknown): boolean =>
  cancellationReasons(error)?.some(({ Code = '' }) => passing.test(Code)) ??
  (error instanceof Error && passing.test(error.name));
