import type { Event } from '../event.ts';
import type { Shelf } from '../shelves.ts';

export interface ShelfSlice {
  /** Newest start first. */
  readonly events: readonly Event[];
  /** Whether the shelf may hold more events further down. */
  readonly more: boolean;
}

export interface ShelfRange {
  readonly shelf: Shelf;
  /** Only events that sort after this place. */
  readonly after?: string | undefined;
  /** Earliest start, inclusive. */
  readonly from?: string | undefined;
  /** Latest start, exclusive. */
  readonly to?: string | undefined;
  readonly limit: number;
}

export interface EventRepository {
  find(id: string): Promise<Event | undefined>;
  readShelf(range: ShelfRange): Promise<ShelfSlice>;
  /** Writes the whole event at once. `unchanged` when it was stored exactly so before. */
  save(event: Event): Promise<'created' | 'replaced' | 'unchanged'>;
}
