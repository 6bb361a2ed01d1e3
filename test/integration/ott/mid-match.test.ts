import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prod } from '../../../config/prod.ts';
import { parseStage } from '../../../config/stage.ts';
import { judge } from '../../../local/fakes/distribution/signature.ts';
import { readEventFile } from '../../../operator/ott/events/event-file.ts';
import { importEventFile } from '../../../operator/ott/events/import-event-file.ts';
import { configureApplication } from '../../../operator/stage/applications/configure-application.ts';
import { signedCookies } from '../../../shared/ott/aws/playback-signer.ts';
import { setEventStatus } from '../../../shared/ott/catalogue/set-event-status.ts';
import { dynamoDbCatalogue } from '../../../shared/ott/store/catalogue.ts';
import { dynamoDbEvents } from '../../../shared/ott/store/events.ts';
import type { Geoblocking } from '../../../shared/ott/viewers/geoblocking.ts';
import type { Application } from '../../../shared/platform/applications/application.ts';
import { anEvent, anOttApplication, fileRecord } from '../../support/ott/builders.ts';
import { ottCalls } from '../../support/ott/calls.ts';
import { saveEvent, toldGeolocation } from '../../support/ott/in-memory.ts';
import { createTables, startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

const minute = 60_000;
const kickOff = Date.parse('2026-05-01T18:00:00Z');
const finalWhistle = kickOff + 50 * minute;
/** When the country is blocked or the event is cancelled. */
const changedAt = kickOff + 23 * minute;
const segmentMilliseconds = 10_000;

/** How long cookies are valid on a stage without a setting of its own. */
const lifetimeSeconds = (() => {
  const { playback } = parseStage('prod', prod).ott;
  if (playback.signing !== 'cookies') throw new Error('prod must sign with cookies');
  return playback.lifetimeSeconds;
})();

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const key = {
  keyPairId: 'K2JCJMDEHXQW5F',
  publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
};

const folder = 'https://streams.example.com/final';
const match = (access: 'free' | 'paid') =>
  anEvent({ access, stream: { type: 'hls', url: `${folder}/index.m3u8` } });
const swissLive: Geoblocking = { enabled: true, mode: 'block', countries: ['CH'], statuses: ['LIVE'] };

const viewers = { swiss: '203.0.113.1', norwegian: '203.0.113.2' } as const;
type ViewerName = keyof typeof viewers;

const jarOf = (cookies: readonly unknown[]): ReadonlyMap<string, string> =>
  new Map(
    cookies.map((cookie): [string, string] => {
      const [, name = '', value = ''] = /^CloudFront-([^=]+)=([^;]*)/.exec(String(cookie)) ?? [];
      return [name, value];
    }),
  );

describe('a change in the middle of a match', () => {
  let database: TestDatabase;
  let count = 0;
  beforeAll(async () => {
    database = await startDatabase();
  });
  afterAll(() => database.stop());

  const setUp = async (access: 'free' | 'paid') => {
    count += 1;
    const { Events: tableName } = await createTables(database, ['Events'], `match-${count}`);
    const store = { client: database.documents, tableName };
    const catalogue = dynamoDbCatalogue(store);
    await saveEvent(catalogue, match(access));
    const applications: Application[] = [anOttApplication()];
    const state = { now: kickOff };
    const clock = () => state.now;
    const calls = ottCalls({
      events: dynamoDbEvents(store),
      applications,
      geolocation: toldGeolocation(() => ({ [viewers.swiss]: 'CH', [viewers.norwegian]: 'NO' })),
      signer: signedCookies({
        secret: { read: async () => ({ key_pair_id: key.keyPairId, private_key }) },
        lifetimeSeconds,
        clock,
        domain: 'example.com',
      }),
      clock,
    });
    const changes = {
      setStatus: () => setEventStatus({ catalogue, clock }, { id: 'final', status: 'CANCELLED' }),
      import: (fields: Parameters<typeof anEvent>[0]) =>
        importEventFile(
          { catalogue, clock, holdings: { notErc721: async () => [] }, showProgress: () => {} },
          {
            entries: readEventFile({
              file: 'events.json',
              text: JSON.stringify([fileRecord(anEvent({ ...match(access), ...fields }))]),
            }),
            signing: 'cookies',
            overwriteStatus: false,
            deleteMissing: false,
            force: [],
            dryRun: false,
          },
        ),
      configure: () =>
        configureApplication({
          id: 'fan-app',
          configuration: { ott: { rules: [{ id: 'everything', enabled: true }], geoblocking: swissLive } },
          applications: {
            find: async () => applications[0],
            save: async (after) => {
              applications[0] = after;
              return after;
            },
          },
        }),
    };
    return { state, calls, changes };
  };
  type World = Awaited<ReturnType<typeof setUp>>;
  type Changes = World['changes'];

  /**
   * Both viewers keep every cookie. Their pages request the stream at the time that the last answer named, and every
   * minute after a refusal. Returns the times at which the distribution served segments, and the times at which it
   * refused them.
   */
  const watch = async ({ state, calls }: World, changing: () => Promise<unknown>) => {
    const aPage = () => ({
      askAt: kickOff,
      jar: [] as ReadonlyMap<string, string>[],
      served: [] as number[],
      refused: [] as number[],
    });
    const pages = { swiss: aPage(), norwegian: aPage() };
    let isChanged = false;
    for (let now = kickOff; now < finalWhistle; now += segmentMilliseconds) {
      state.now = now;
      if (now >= changedAt && !isChanged) {
        isChanged = true;
        await changing();
      }
      const segment = `${folder}/${(now - kickOff) / segmentMilliseconds}.m4s`;
      for (const [name, page] of Object.entries(pages)) {
        if (now >= page.askAt) {
          const { status, body, multiValueHeaders } = await calls.stream('final', {
            sourceIp: viewers[name as ViewerName],
            headers: { authorization: 'Bearer fan@web' },
          });
          const answer = body as { readonly renew_at?: string; readonly expires_at: string };
          page.askAt = status === 200 ? Date.parse(answer.renew_at ?? answer.expires_at) : now + minute;
          const cookies = multiValueHeaders['set-cookie'];
          if (cookies !== undefined) page.jar.push(jarOf(cookies));
        }
        // Cookies that were refused once have expired, and are never accepted again.
        page.jar = page.jar.filter(
          (cookies) => judge({ url: segment, value: (part) => cookies.get(part) }, { ...key, now }).admitted,
        );
        (page.jar.length > 0 ? page.served : page.refused).push(now);
      }
    }
    return pages;
  };

  const everyChange: [what: string, change: (changes: Changes) => Promise<unknown>, ends: ViewerName[]][] = [
    ['an event is cancelled by hand', (c) => c.setStatus(), ['swiss', 'norwegian']],
    ['an event is cancelled by an import', (c) => c.import({ status: 'CANCELLED' }), ['swiss', 'norwegian']],
    ['a country is blocked for the application', (c) => c.configure(), ['swiss']],
    ['a country is blocked by an import', (c) => c.import({ geoblocking: swissLive }), ['swiss']],
    [
      'the stream is blocked by an import',
      (c) => c.import({ stream: { type: 'hls', url: `${folder}/index.m3u8`, geoblocking: swissLive } }),
      ['swiss'],
    ],
  ];

  it.each(
    everyChange.flatMap(([what, change, ends]) =>
      (['free', 'paid'] as const).map((access) => ({ what, access, change, ends })),
    ),
  )(
    'ends a $access stream within ten minutes after $what, if it ends access at all',
    async ({ access, change, ends }) => {
      const world = await setUp(access);

      const pages = await watch(world, () => change(world.changes));

      for (const name of ['swiss', 'norwegian'] as const) {
        const { served, refused } = pages[name];
        if (ends.includes(name)) {
          const last = served.at(-1) ?? 0;
          expect(last).toBeGreaterThanOrEqual(changedAt - segmentMilliseconds);
          expect(last - changedAt).toBeLessThan(10 * minute);
        } else expect([served.length > 0, refused]).toEqual([true, []]);
      }
    },
  );
});
