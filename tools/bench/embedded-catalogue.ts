import type { Event } from '../../shared/ott/events/event.ts';
import type { EventRepository } from '../../shared/ott/ports/event-repository.ts';
import { itemsOf } from '../../shared/ott/store/event-items.ts';
import { dynamoDbEvents } from '../../shared/ott/store/events.ts';
import { type EmbeddedTables, embeddedTables } from './embedded-tables.ts';

export interface EmbeddedCatalogues extends AsyncDisposable, Pick<EmbeddedTables, 'requests'> {
  readonly catalogues: readonly EventRepository[];
}

export const embeddedCatalogues = async (
  sizes: readonly number[],
  eventOf: (index: number) => Event,
): Promise<EmbeddedCatalogues> => {
  const tableName = (size: number) => `events-${size}`;
  const { documents, requests, ...tables } = await embeddedTables(
    sizes.map((size) => ({
      declaredAs: 'Events',
      tableName: tableName(size),
      items: Array.from({ length: size }, (_, index) =>
        itemsOf(eventOf(index), { version: 1, now: Date.now() }),
      ).flat(),
    })),
  );
  return {
    requests,
    catalogues: sizes.map((size) => dynamoDbEvents({ client: documents, tableName: tableName(size) })),
    [Symbol.asyncDispose]: () => tables[Symbol.asyncDispose](),
  };
};
