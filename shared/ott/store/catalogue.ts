import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { type Clock, systemClock } from '../../platform/clock.ts';
import { batchGet } from '../../platform/store/batch-get.ts';
import { cancellationReasons, queryPages, scanPages, type Table } from '../../platform/store/client.ts';
import { setting } from '../../platform/store/setting.ts';
import type { Catalogue, ChangeOutcome, EventChange, StoredEvent } from '../ports/catalogue.ts';
import { settled } from '../schedule.ts';
import {
  dueQuery,
  type EventItem,
  eventIdOf,
  eventKey,
  eventOf,
  itemsOf,
  partitionAttributes,
} from './event-items.ts';
import { eventsSignedNear } from './signed-paths.ts';

type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** DynamoDB allows 100 writes and 4 MB in one transaction. */
const writesAtMost = 100;
const bytesAtMost = 3_000_000;

const attempts = 8;
const longestPauseMilliseconds = 2_000;

const isNew = 'attribute_not_exists(pk)';
const isTheVersionRead = 'version = :read';

const readsAtMost = 100;

const versionSchema = z.int();

/** `undefined` if this release cannot read the event. */
const storedOf = ({ event: text, version }: Readonly<Record<string, unknown>>): StoredEvent | undefined => {
  const event = eventOf(text);
  return event && { event, version: versionSchema.parse(version) };
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

/** `clock` says for which time statuses are stored. */
export const dynamoDbCatalogue = (
  { client, tableName }: Table,
  { clock = systemClock }: { readonly clock?: Clock } = {},
): Catalogue => {
  const writesOf = ({ before, after }: EventChange): Write[] => {
    const now = clock();
    const old = before === undefined ? [] : itemsOf(before.event, { version: before.version, now });
    const fresh =
      after === undefined ? [] : itemsOf(settled(after, now), { version: (before?.version ?? 0) + 1, now });
    const kept = new Set(fresh.map(({ pk }) => pk));
    const condition =
      before === undefined
        ? { ConditionExpression: isNew }
        : { ConditionExpression: isTheVersionRead, ExpressionAttributeValues: { ':read': before.version } };
    const conditionFor = ({ pk }: EventItem) => (pk.startsWith('EVENT#') ? condition : {});
    return [
      ...fresh.map((item) => {
        const attributes = Object.fromEntries(knownAttributes.map((name) => [name, item[name]]));
        return {
          Update: { TableName: tableName, Key: { pk: item.pk }, ...setting(attributes, conditionFor(item)) },
        };
      }),
      ...old
        .filter(({ pk }) => !kept.has(pk))
        .map((item) => ({
          Delete: { TableName: tableName, Key: { pk: item.pk }, ...conditionFor(item) },
        })),
    ];
  };

  /**
   * Writes changes in one transaction. A change whose condition fails is reported as a conflict, and the other changes
   * are tried again without it.
   */
  const writeTogether = async (changes: readonly PlannedChange[]): Promise<void> => {
    let rest = changes;
    for (let attempt = 0; rest.length > 0; attempt += 1) {
      try {
        await client.transactWrite({ TransactItems: rest.flatMap(({ writes }) => writes) });
        for (const { settle } of rest) settle({ outcome: 'written' });
        return;
      } catch (error) {
        const conflicting = conflictsIn(error, rest);
        for (const { settle } of conflicting) settle({ outcome: 'conflict' });
        rest = rest.filter((change) => !conflicting.has(change));
        if (conflicting.size > 0) continue;
        if (attempt + 1 < attempts && isPassing(error)) {
          await pause(Math.random() * Math.min(longestPauseMilliseconds, 50 * 2 ** attempt));
          continue;
        }
        const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
        for (const { settle } of rest) settle({ outcome: 'failed', reason });
        return;
      }
    }
  };

  return {
    findStored: async (id) => {
      const { Item } = await client.get({ TableName: tableName, Key: eventKey(id), ConsistentRead: true });
      return Item === undefined ? undefined : storedOf(Item);
    },

    findAllStored: async (ids) => {
      const found = new Map<string, StoredEvent>();
      const unique = [...new Set(ids)];
      for (let from = 0; from < unique.length; from += readsAtMost) {
        const keys = unique.slice(from, from + readsAtMost).map(eventKey);
        const items = await batchGet({ client, tableName, keys, attributes: ['event', 'version'] });
        for (const stored of items.flatMap((item) => storedOf(item) ?? []))
          found.set(stored.event.id, stored);
      }
      return found;
    },

    idsSignedNear: (query) => eventsSignedNear({ client, tableName }, query),

    changesDue: async function* ({ until }) {
      const pages = queryPages(client, {
        ...dueQuery({ tableName, until }),
        ProjectionExpression: 'pk, change_due',
      });
      for await (const { Items = [] } of pages) {
        for (const { pk, change_due: due } of Items) yield { eventId: eventIdOf(pk), due: String(due) };
      }
    },

    all: async function* () {
      const pages = scanPages(client, {
        TableName: tableName,
        ConsistentRead: true,
        FilterExpression: 'begins_with(pk, :event)',
        ExpressionAttributeValues: { ':event': 'EVENT#' },
        ProjectionExpression: '#event, version',
        ExpressionAttributeNames: { '#event': 'event' },
      });
      for await (const { Items = [] } of pages) yield* Items.flatMap((item) => storedOf(item) ?? []);
    },

    write: async (changes) => {
      const outcomes: ChangeOutcome[] = [];
      const planned = changes.map((change, index): PlannedChange => {
        const writes = writesOf(change);
        return {
          writes,
          bytes: Buffer.byteLength(JSON.stringify(writes)),
          settle: (outcome) => {
            outcomes[index] = outcome;
          },
        };
      });
      for (const together of transactionsOf(planned)) await writeTogether(together);
      return outcomes;
    },
  };
};

interface PlannedChange {
  readonly writes: readonly Write[];
  readonly bytes: number;
  readonly settle: (outcome: ChangeOutcome) => void;
}

/**
 * Packs as many changes as possible into each transaction. A change that is too large for one transaction is reported
 * as failed.
 */
function* transactionsOf(changes: readonly PlannedChange[]): Generator<readonly PlannedChange[]> {
  let together: PlannedChange[] = [];
  let writes = 0;
  let bytes = 0;
  for (const change of changes) {
    if (change.writes.length > writesAtMost) {
      const reason = `categories: the change needs ${change.writes.length} writes, but at most ${writesAtMost} are possible at once; remove some categories first`;
      change.settle({ outcome: 'failed', reason });
      continue;
    }
    if (writes + change.writes.length > writesAtMost || bytes + change.bytes > bytesAtMost) {
      if (together.length > 0) yield together;
      [together, writes, bytes] = [[], 0, 0];
    }
    together.push(change);
    writes += change.writes.length;
    bytes += change.bytes;
  }
  if (together.length > 0) yield together;
}

const conflictsIn = (error: unknown, changes: readonly PlannedChange[]): ReadonlySet<PlannedChange> => {
  const reasons = cancellationReasons(error) ?? [];
  let first = 0;
  return new Set(
    changes.filter(({ writes }) => {
      const own = reasons.slice(first, first + writes.length);
      first += writes.length;
      return own.some(({ Code }) => Code === 'ConditionalCheckFailed');
    }),
  );
};

const passing = /TransactionConflict|Throttl|ProvisionedThroughputExceeded|TransactionInProgress/;

const isPassing = (error: unknown): boolean =>
  cancellationReasons(error)?.some(({ Code = '' }) => passing.test(Code)) ??
  (error instanceof Error && passing.test(error.name));

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
