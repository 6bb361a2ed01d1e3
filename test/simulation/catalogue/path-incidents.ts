/** What happens to the tables of a world besides what editors and the operator do: a loss, and an index that stands still. */
import { eventRecordSchema } from '../../../shared/ott/events/event-record.ts';
import { indexes, itemsOf } from '../../../shared/ott/store/event-items.ts';
import { anEvent } from '../../support/ott/builders.ts';
import type { Store } from '../store.ts';
import type { createEditors } from './editors.ts';
import type { Ledger } from './ledger.ts';
import type { LaterEvent, PathHistory } from './path-histories.ts';
import { environment } from './service.ts';

const { EVENTS_TABLE: events } = environment;
const earlier = `${events} of an earlier moment`;

/** Stores an event as a later release does, before anything else happens. */
export const storeLater = (store: Store, { id, stream }: LaterEvent, now: number): void => {
  const known = { event_id: id, title: id, status: 'FINISHED', access: 'free' };
  const starts_at = new Date(now).toISOString();
  const record = { ...known, starts_at, stream: { type: 'hls', url: stream.url } };
  const [item] = itemsOf(anEvent(eventRecordSchema.parse(record)), { version: 1, now });
  store.put({ TableName: events, Item: { ...item, event: JSON.stringify({ ...record, stream }) } });
};

interface Incidents {
  readonly store: Store;
  readonly ledger: Ledger;
  readonly editing: Pick<ReturnType<typeof createEditors>, 'restore'>;
  readonly pathHistory: PathHistory | undefined;
  readonly isAsked: (part: string) => boolean;
  /** Does something at a time of the world. */
  readonly begin: (at: number, work: () => Promise<void>) => void;
}

export const createPathIncidents = ({
  store,
  ledger,
  editing,
  pathHistory,
  isAsked,
  begin,
}: Incidents): void => {
  switch (pathHistory?.kind) {
    case undefined:
    case 'signing':
    case 'later release':
      return;
    case 'restore': {
      if (!isAsked('loss of events')) return;
      const { takenAt, lostAt, restoredAt, isLost } = pathHistory;
      const known = new Map<string, NonNullable<ReturnType<Ledger['last']>['event']>>();
      begin(takenAt, async () => {
        store.copy(events, earlier);
        for (const id of ledger.ids()) {
          const { event } = ledger.last(id);
          if (event !== undefined) known.set(id, event);
        }
      });
      begin(lostAt, async () => {
        store.lose(events, ({ pk }) => isLost(String(pk).replace(/^EVENT#/, '')));
        ledger.lose(isLost);
      });
      begin(restoredAt, () => editing.restore(earlier, known));
      return;
    }
    case 'late index': {
      if (!isAsked('late index')) return;
      const name = { table: events, index: indexes.signedPaths };
      begin(pathHistory.from, async () => store.holdIndex(name, store.items(events)));
      begin(pathHistory.to, async () => store.releaseIndex(name));
    }
  }
};
