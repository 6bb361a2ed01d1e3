import type { Address } from '../../../shared/chain/hex.ts';
import { reservationHolder } from '../../../shared/nft/reservations/holder.ts';
import { standInOf, unminted } from '../../../shared/nft/reservations/stand-in.ts';
import type { Nft } from '../../../shared/nft/tokens/nft.ts';
import type { StoredOttConfiguration } from '../../../shared/ott/configuration.ts';
import { effective } from '../../../shared/ott/events/effective.ts';
import type { Event } from '../../../shared/ott/events/event.ts';
import { eventRecord, eventRecordSchema } from '../../../shared/ott/events/event-record.ts';
import type { Application } from '../../../shared/platform/applications/application.ts';
import { someMetadata } from '../nft/metadata.ts';

/** An event as a file has it that gives all its values, before any entry of its schedule. */
export const fileRecord = (event: Event) => eventRecord(event, 0);

/** The event as it is before any entry of its schedule. */
export const present = (event: Event) => effective(event, 0);

/** A free, live event without a geoblocking rule of its own. */
export const anEvent = ({ hand = {}, ...fields }: Partial<Event> = {}): Event => ({
  ...eventRecordSchema.parse(
    fileRecord({
      id: 'final',
      title: 'The final',
      description: 'The last match of the season',
      status: 'LIVE',
      access: 'free',
      startsAt: '2026-05-01T18:00:00.000Z',
      endsAt: '2026-05-01T20:00:00.000Z',
      image: 'https://images.example.com/final.jpg',
      categories: ['football'],
      stream: { type: 'hls', url: 'https://streams.example.com/final/index.m3u8' },
      ...fields,
      hand: {},
    }),
  ),
  hand,
});

/** An application whose client is `web` and whose one rule shows everything. */
export const anOttApplication = (ott: Partial<StoredOttConfiguration> = {}, id = 'fan-app'): Application => ({
  id,
  name: 'Fan app',
  apiKeyIds: [],
  clientIds: [id === 'fan-app' ? 'web' : `${id}-web`],
  audience: 'all',
  tier: 'standard',
  limits: { contractsPerDay: 1, mintsPerDay: 1 },
  ott: { rules: [{ id: 'everything', enabled: true }], ...ott },
  version: 1,
});

export const ticketCollection: Address = `0x${'7'.repeat(40)}`;

/** A token of `ticketCollection` that is reserved for the user with this registration. */
export const aReservedToken = (registrationId: string, fields: Partial<Nft> = {}): Nft => {
  const contract = fields.contract ?? ticketCollection;
  const destination = standInOf('1'.repeat(32));
  return {
    applicationId: 'fan-app',
    contract,
    tokenId: '1',
    destination,
    reservedFor: destination,
    holder: reservationHolder({ registrationId, contract }),
    version: 0,
    metadata: someMetadata(),
    ...unminted,
    status: 'reserved',
    createdAt: '2026-04-01T00:00:00.000Z',
    hasHistory: true,
    ...fields,
  };
};
