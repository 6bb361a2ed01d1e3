import { readEventFile } from '../../../operator/ott/events/event-file.ts';
import {
  type ImportDependencies,
  type ImportInput,
  importEventFile,
} from '../../../operator/ott/events/import-event-file.ts';
import { setEventStatus } from '../../../shared/ott/catalogue/set-event-status.ts';
import type { Event } from '../../../shared/ott/events/event.ts';
import type { Catalogue } from '../../../shared/ott/ports/catalogue.ts';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import type { InMemoryEvents } from './in-memory.ts';

/** Events of which another writer changes the status just before they are read for the second time. */
export const statusSetMeanwhile = (
  catalogue: InMemoryEvents,
  change: Pick<Event, 'id' | 'status'>,
): InMemoryEvents => {
  let reads = 0;
  return {
    ...catalogue,
    findAllStored: async (ids) => {
      reads += 1;
      if (reads === 2) await setEventStatus({ catalogue, clock: systemClock }, change);
      return catalogue.findAllStored(ids);
    },
  };
};

/** Imports records as `events import` does, on a stage that signs with cookies. Unless `holdings` says otherwise, every contract is an ERC-721 collection. */
export const importing = (
  catalogue: Catalogue,
  records: unknown,
  {
    requireConsent,
    clock = systemClock,
    holdings = { notErc721: async () => [] },
    ...options
  }: Partial<ImportInput> & Partial<Pick<ImportDependencies, 'requireConsent' | 'clock' | 'holdings'>> = {},
) =>
  importEventFile(
    { catalogue, clock, holdings, showProgress: () => {}, requireConsent },
    {
      entries: readEventFile({ file: 'events.json', text: JSON.stringify(records) }),
      signing: 'cookies',
      overwriteStatus: false,
      deleteMissing: false,
      force: [],
      dryRun: false,
      ...options,
    },
  );
