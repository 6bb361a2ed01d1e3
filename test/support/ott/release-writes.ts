import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { readEventFile } from '../../../operator/ott/events/event-file.ts';
import { importEventFile } from '../../../operator/ott/events/import-event-file.ts';
import { ChainUnavailableError } from '../../../shared/chain/errors.ts';
import { signedCookies } from '../../../shared/ott/aws/playback-signer.ts';
import { deleteEvent } from '../../../shared/ott/catalogue/delete-event.ts';
import { setEventStatus } from '../../../shared/ott/catalogue/set-event-status.ts';
import type { Event } from '../../../shared/ott/events/event.ts';
import type { EntitlementAnswer } from '../../../shared/ott/ports/entitlement.ts';
import { createStreamSessions } from '../../../shared/ott/sessions/stream-sessions.ts';
import { dynamoDbCatalogue } from '../../../shared/ott/store/catalogue.ts';
import { dynamoDbEvents } from '../../../shared/ott/store/events.ts';
import { dynamoDbGrants, dynamoDbTicketGrants } from '../../../shared/ott/store/grants.ts';
import { dynamoDbSessions } from '../../../shared/ott/store/sessions.ts';
import { withLastKnownGood } from '../../../shared/ott/streams/last-known-good.ts';
import { cachedHoldings } from '../../../shared/ott/tickets/check-tickets.ts';
import { ticketTokens } from '../../../shared/ott/tickets/reserved-tickets.ts';
import { dynamoDbOutages } from '../../../shared/platform/store/outages.ts';
import { createTables, startDatabase, type TestDatabase } from '../platform/dynamodb.ts';
import { nextQuery } from '../platform/next-page.ts';
import { type Release, recordWrites } from '../platform/release-writes.ts';
import { anEvent, anOttApplication, fileRecord } from './builders.ts';
import { ottCalls } from './calls.ts';
import { inMemoryHeldTokens, toldGeolocation } from './in-memory.ts';
import { newWallet } from './tickets/tickets-over-http.ts';
import { walletWorld } from './tickets/wallet-world.ts';
import { voidMarks } from './void-marks.ts';

/** The data that the functions of a release wrote about events and viewers, and the lists that they returned. */
export interface OttRelease extends Release {
  readonly lists: readonly unknown[];
}

export const boundSeconds = 120;
export const sessionSeconds = 300;

export const ticketContract = '0x7777777777777777777777777777777777777777';

const viewersCountries = { '203.0.113.1': 'CH', '203.0.113.2': 'NO' };

/** A session id that ends in a letter from `a` to `f`. */
export const sessionOf = (letter: string): string => `00000000-0000-4000-8000-00000000000${letter}`;

export const streamOf = (id: string) =>
  ({ type: 'hls', url: `https://streams.example.com/${id}/index.m3u8` }) as const;

/**
 * The events of the release. At `now`, the first one has been running for an hour. Together they have every field.
 */
export const oldEvents = (now: number): readonly Event[] => {
  const at = (hours: number) => new Date(now + hours * 3_600_000).toISOString();
  const final = { ...anEvent(), startsAt: at(-1), endsAt: at(1) };
  return [
    anEvent({
      ...final,
      access: 'paid',
      categories: ['football', 'cup'],
      tickets: [{ contractAddress: ticketContract }],
      stream: { ...streamOf('final'), availableFrom: at(-2), availableUntil: at(3) },
    }),
    anEvent({
      ...final,
      id: 'match',
      title: 'A match',
      status: 'UPCOMING',
      startsAt: at(5),
      endsAt: null,
      stream: streamOf('match'),
    }),
    anEvent({
      ...final,
      id: 'derby',
      status: 'FINISHED',
      access: 'paid',
      startsAt: at(-30),
      geoblocking: { enabled: true, mode: 'block', countries: ['CH'] },
      stream: streamOf('derby'),
    }),
    anEvent({ ...final, id: 'lifted', geoblocking: { enabled: false }, stream: streamOf('lifted') }),
    anEvent({
      ...final,
      id: 'whole',
      access: 'paid',
      status: 'UPCOMING',
      startsAt: at(-3),
      endsAt: at(1),
      geoblocking: { enabled: true, mode: 'block', countries: ['SE'] },
      tickets: [{ contractAddress: ticketContract }],
      stream: {
        ...streamOf('whole'),
        signedPath: 'https://streams.example.com/whole/*',
        availableFrom: at(-3),
        availableUntil: at(3),
        geoblocking: { enabled: true, mode: 'block', countries: ['FI'] },
      },
      hand: { status: { value: 'LIVE', at: at(-2) }, endsAt: at(2), availableUntil: at(4) },
    }),
  ];
};

/** Events with fields that the release before does not know. */
export const newEvents = (now: number): Event[] => {
  const at = (hours: number) => new Date(now + hours * 3_600_000).toISOString();
  const schedule: Event['schedule'] = [
    { at: at(-1), status: 'LIVE' },
    { at: at(1), status: 'FINISHED' },
  ];
  const scheduled = { startsAt: at(-1), endsAt: null, schedule };
  return [
    anEvent({ ...scheduled, id: 'scheduled', status: 'UPCOMING', stream: streamOf('scheduled') }),
    anEvent({
      ...scheduled,
      id: 'scheduled-by-hand',
      status: 'UPCOMING',
      schedule: [
        { at: at(-1), status: 'LIVE' },
        { at: at(0.5), status: 'FINISHED' },
      ],
      stream: streamOf('scheduled-by-hand'),
      hand: { status: { value: 'VOD', at: at(-0.5) }, schedule },
    }),
  ];
};

/** Events and viewers in one database. The test plays the entitlement service and the chain. */
export const startOttWorld = async (database: TestDatabase) => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const wallets = await walletWorld(database, { prefix: 'test', contracts: { isValid: async () => false } });
  const tables = { ...wallets.tables, ...(await createTables(database, ['Sessions'])) };
  const client = database.documents;
  const store = { client, tableName: tables.Events };
  const grants = { client, tableName: tables.Grants };
  const events = { ...dynamoDbEvents(store), ...dynamoDbCatalogue(store) };
  const voidTickets = voidMarks(client, tables);
  const sessions = dynamoDbSessions({ client, tableName: tables.Sessions });
  const { clock } = wallets;
  const logger = { warn: () => {}, error: () => {} };
  const boundMilliseconds = boundSeconds * 1_000;
  /** The answers of the entitlement service. The users listed in `without` have bought nothing. */
  const state = { isOut: false, without: ['berta', 'tina'], isChainOut: false, heldToken: '1' };

  const calls = ottCalls({
    events,
    applications: [
      anOttApplication({
        streams_at_once: 2,
        geoblocking: { enabled: true, mode: 'block', countries: ['CH'], statuses: ['LIVE'] },
      }),
    ],
    entitlement: withLastKnownGood({
      entitlement: {
        check: async ({ userSub }): Promise<EntitlementAnswer> => {
          if (state.isOut) return { outcome: 'unavailable' };
          if (userSub === 'carl') return { outcome: 'denied', reason: 'denied', vip: false };
          if (!state.without.includes(userSub)) return { outcome: 'success', vip: false };
          return { outcome: 'denied', reason: 'no_purchase', vip: false };
        },
      },
      grants: dynamoDbGrants(grants),
      boundMilliseconds,
      clock,
      logger,
    }),
    geolocation: toldGeolocation(() => viewersCountries),
    signer: signedCookies({
      secret: { read: async () => ({ key_pair_id: 'K2JCJMDEHXQW5F', private_key }) },
      lifetimeSeconds: 14_400,
      clock,
      domain: 'example.com',
    }),
    tickets: {
      users: wallets.users,
      wallets: wallets.wallets,
      voidTickets,
      ...ticketTokens(inMemoryHeldTokens(), { clock }),
      holdings: cachedHoldings(
        {
          isHeld: async ({ contracts, voidTokens }) => {
            if (state.isChainOut) throw new ChainUnavailableError({ message: 'out' });
            return contracts.some((contract) => !voidTokens.get(contract)?.includes(state.heldToken));
          },
        },
        { clock },
      ),
      memory: { grants: dynamoDbTicketGrants(grants), boundMilliseconds },
      clock,
      logger,
      ticketSeconds: sessionSeconds,
    },
    sessions: createStreamSessions({
      store: sessions,
      clock,
      newContinuation: randomUUID,
      logger,
      sessionSeconds,
    }),
    clock,
  });

  const listAll = async (sourceIp: string, query: Record<string, string>) => {
    const listed: unknown[] = [];
    for (let next: Record<string, string> | undefined = query; next !== undefined; ) {
      const page = await calls.list({ query: next, sourceIp });
      if (page.status !== 200) throw new Error(page.text);
      listed.push(...(page.body as unknown[]));
      next = nextQuery(page);
    }
    return listed as { readonly event_id: string }[];
  };
  const asViewer = (viewer: string) => ({
    headers: { authorization: `Bearer ${viewer}@web`, 'content-type': 'application/json' },
    sourceIp: '203.0.113.2',
  });

  return {
    tables,
    wallets,
    events,
    voidTickets,
    sessions,
    // On a busy machine, the database takes longer than viewers would wait.
    outages: dynamoDbOutages({ ...grants, timeoutMilliseconds: 60_000 }),
    state,
    calls,

    /** The list of all events and several filtered lists, as seen from each country. */
    lists: async (): Promise<readonly (readonly { readonly event_id: string }[])[]> => {
      const queries: Record<string, string>[] = [
        { limit: '2' },
        { category: 'cup' },
        { category: 'football' },
        { status: 'LIVE' },
        { access: 'paid' },
      ];
      return Promise.all(
        Object.keys(viewersCountries).flatMap((address) => queries.map((query) => listAll(address, query))),
      );
    },

    play: async (
      viewer: string,
      letter: string,
      over: { eventId?: string; take_over?: string; continuation?: string } = {},
    ) => {
      const { eventId = 'final', ...query } = over;
      const answer = await calls.stream(eventId, {
        ...asViewer(viewer),
        query: { ...query, session: sessionOf(letter) },
      });
      return { status: answer.status, body: answer.body as Record<string, unknown> };
    },

    end: (viewer: string, letter: string, eventId = 'final') =>
      calls.end(eventId, { ...asViewer(viewer), body: { session: sessionOf(letter) } }),

    importFile: (file: readonly Event[]) =>
      importEventFile(
        { catalogue: events, clock, holdings: { notErc721: async () => [] }, showProgress: () => {} },
        {
          entries: readEventFile({ file: 'events.json', text: JSON.stringify(file.map(fileRecord)) }),
          signing: 'cookies',
          overwriteStatus: false,
          deleteMissing: false,
          force: [],
          dryRun: false,
        },
      ),
  };
};

export type OttWorld = Awaited<ReturnType<typeof startOttWorld>>;

/** Runs the functions of this release and records what they write. */
export const keepOttRelease = async (): Promise<OttRelease> => {
  const database = await startDatabase();
  let tables = {};
  const { documents, writes } = recordWrites(database.documents, () => tables);
  const world = await startOttWorld({ ...database, documents });
  tables = world.tables;
  const { wallets, events: catalogue, voidTickets } = world;
  const { clock } = wallets;
  const startedAt = wallets.time.now;
  try {
    const file = oldEvents(startedAt);
    await world.importFile([
      ...file.map((event) => ({ ...event, title: 'To be changed', categories: ['football'] })),
      anEvent({ id: 'gone', status: 'UPCOMING', stream: streamOf('gone') }),
    ]);
    await world.importFile([...file, ...newEvents(startedAt)]);
    await setEventStatus({ catalogue, clock }, { id: 'match', status: 'LIVE' });
    await deleteEvent({ catalogue, clock }, { id: 'gone' });

    await world.play('anna', 'a');
    await world.play('anna', 'b');
    await world.play('anna', 'c', { take_over: sessionOf('a') });
    for (const viewer of ['berta', 'carl', 'dave']) await world.play(viewer, 'a');
    await world.end('dave', 'a');
    await wallets.register('tina');
    await wallets.link('tina', newWallet());
    await world.play('tina', 'a');
    await world.outages.report({ service: 'entitlement', at: startedAt - 5 });
    await world.outages.report({ service: 'entitlement', at: startedAt });
    for (const tokenId of ['7', '8']) {
      await voidTickets.add({ contract: ticketContract, tokenId, voidedAt: clock() });
    }
    await voidTickets.remove({ contract: ticketContract, tokenId: '8' });
    return { startedAt, writes, lists: await world.lists() };
  } finally {
    await database.stop();
  }
};
