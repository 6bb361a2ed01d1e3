import * as z from 'zod';
import { batchGet } from '../../platform/store/batch-get.ts';
import { scanPages, type Table } from '../../platform/store/client.ts';
import { queryNewIndex } from '../../platform/store/new-index.ts';
import { type Clock, systemClock } from '../../platform/time/clock.ts';
import type { Catalogue, StoredEvent } from '../ports/catalogue.ts';
import type { LoggedChange } from '../ports/event-history.ts';
import { catalogueWriter } from './catalogue-writes.ts';
import { dueQuery, eventIdOf, eventKey, stateOf } from './event-items.ts';
import { readRecentPaths } from './recent-paths.ts';
import { eventsSignedNear } from './signed-paths.ts';

const versionSchema = z.int();
const lifeSchema = z.string().optional();
const dueSchema = z.string().optional();

/** `undefined` if this release cannot read the event. */
const storedOf = ({
  event: text,
  version,
  life,
  change_due: changeDue,
}: Readonly<Record<string, unknown>>): StoredEvent | undefined => {
  const state = stateOf(text);
  return (
    state && {
      ...state,
      version: versionSchema.parse(version),
      life: lifeSchema.parse(life),
      changeDue: dueSchema.parse(changeDue),
    }
  );
};

export interface CatalogueOptions {
  /** Who changes the catalogue, for the history of its events. @default nobody is named */
  readonly by?: string;
  readonly clock?: Clock;
  /** Is told of each change. @default nobody is told */
  readonly tell?: (change: LoggedChange) => void;
}

export const dynamoDbCatalogue = (
  { client, tableName }: Table,
  { by = 'unknown', clock = systemClock, tell }: CatalogueOptions = {},
): Catalogue => {
  return {
    findStored: async (id) => {
      const { Item } = await client.get({ TableName: tableName, Key: eventKey(id), ConsistentRead: true });
      return Item === undefined ? undefined : storedOf(Item);
    },

    findAllStored: async (ids) => {
      const keys = [...new Set(ids)].map(eventKey);
      const items = await batchGet({
        client,
        tableName,
        keys,
        attributes: ['event', 'version', 'life', 'change_due'],
      });
      return new Map(
        items.flatMap((item) => storedOf(item) ?? []).map((stored) => [stored.event.id, stored]),
      );
    },

    idsSignedNear: (query) => eventsSignedNear({ client, tableName }, query),

    changesDue: async function* ({ until }) {
      const pages = queryNewIndex(client, {
        ...dueQuery({ tableName, until }),
        ProjectionExpression: 'pk, change_due',
      });
      for await (const { Items = [] } of pages) {
        for (const { pk, change_due: due } of Items) yield { eventId: eventIdOf(pk), due: String(due) };
      }
    },

    recentPaths: (hosts) => readRecentPaths({ client, tableName }, hosts),

    all: async function* () {
      const pages = scanPages(client, {
        TableName: tableName,
        ConsistentRead: true,
        FilterExpression: 'begins_with(pk, :event)',
        ExpressionAttributeValues: { ':event': 'EVENT#' },
        ProjectionExpression: '#event, version, life, change_due',
        ExpressionAttributeNames: { '#event': 'event' },
      });
      for await (const { Items = [] } of pages) yield* Items.flatMap((item) => storedOf(item) ?? []);
    },

    write: catalogueWriter({ client, tableName }, { by, clock, tell }),
  };
};
