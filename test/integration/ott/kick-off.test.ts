import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readEventFile } from '../../../operator/ott/events/event-file.ts';
import { importEventFile } from '../../../operator/ott/events/import-event-file.ts';
import { signedCookies } from '../../../shared/ott/aws/playback-signer.ts';
import { EventChangedError } from '../../../shared/ott/catalogue/errors.ts';
import { setEventStatus } from '../../../shared/ott/catalogue/set-event-status.ts';
import { effective } from '../../../shared/ott/events/effective.ts';
import type { Event } from '../../../shared/ott/events/event.ts';
import { dynamoDbCatalogue } from '../../../shared/ott/store/catalogue.ts';
import { dynamoDbEvents } from '../../../shared/ott/store/events.ts';
import type { Geoblocking } from '../../../shared/ott/viewers/geoblocking.ts';
import { anEvent, anOttApplication, fileRecord } from '../../support/ott/builders.ts';
import { type Answer, ottCalls } from '../../support/ott/calls.ts';
import { saveEvent, toldGeolocation } from '../../support/ott/in-memory.ts';
import { createTables, startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

const addresses = { blocked: '203.0.113.1', open: '203.0.113.2' } as const;
const countries = { [addresses.blocked]: 'CH', [addresses.open]: 'NO' };

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const now = Date.parse('2026-05-01T19:00:00Z');

const liveIsBlocked: Geoblocking = { enabled: true, mode: 'block', countries: ['CH'], statuses: ['LIVE'] };
const stream = { type: 'hls', url: 'https://streams.example.com/final/index.m3u8' } as const;

/** Which rule blocks the country while the match is LIVE: the event's, the stream's, or none. */
type Rule = 'of the event' | 'of the stream' | 'of nobody';

const match = (status: Event['status'], rule: Rule): Event =>
  anEvent({
    access: 'paid',
    status,
    ...(rule === 'of the event' && { geoblocking: liveIsBlocked }),
    stream: { ...stream, ...(rule === 'of the stream' && { geoblocking: liveIsBlocked }) },
  });

type Act =
  | { readonly act: 'set-status'; readonly status: Event['status'] }
  | {
      readonly act: 'import';
      readonly status: Event['status'];
      readonly rule: Rule;
      readonly overwriteStatus: boolean;
    }
  | { readonly act: 'ask'; readonly from: keyof typeof addresses; readonly viewer: 'fan' | 'vip' };

const status = fc.constantFrom<Event['status']>('UPCOMING', 'LIVE');
const rule = fc.constantFrom<Rule>('of the event', 'of the event', 'of the stream', 'of nobody');
const anAct: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ act: fc.constant('set-status' as const), status }),
  fc.record({ act: fc.constant('import' as const), status, rule, overwriteStatus: fc.boolean() }),
  fc.record({
    act: fc.constant('ask' as const),
    from: fc.constantFrom('blocked' as const, 'open' as const),
    viewer: fc.constantFrom('fan' as const, 'vip' as const),
  }),
);

const blocks = ({ geoblocking, stream: its }: Pick<Event, 'geoblocking' | 'stream'>): boolean =>
  geoblocking?.enabled === true || its?.geoblocking?.enabled === true;

/** Covers each kind of answer that `seen` counts, which forty random runs may not. */
const oneOfEach: [boolean, Act[][]] = [
  false,
  [
    [{ act: 'ask', from: 'blocked', viewer: 'vip' }],
    [{ act: 'ask', from: 'open', viewer: 'vip' }],
    [{ act: 'import', status: 'LIVE', rule: 'of nobody', overwriteStatus: true }],
    [{ act: 'ask', from: 'blocked', viewer: 'vip' }],
  ],
];

describe('the start of a geoblocked event', () => {
  let database: TestDatabase;
  let count = 0;
  beforeAll(async () => {
    database = await startDatabase();
  });
  afterAll(() => database.stop());

  const setUp = async ({ clientBlocks }: { readonly clientBlocks: boolean }) => {
    count += 1;
    const { Events: tableName } = await createTables(database, ['Events'], `run-${count}`);
    const store = { client: database.documents, tableName };
    const catalogue = dynamoDbCatalogue(store);
    await saveEvent(catalogue, match('UPCOMING', 'of the event'));
    const calls = ottCalls({
      events: dynamoDbEvents(store),
      applications: [anOttApplication(clientBlocks ? { geoblocking: liveIsBlocked } : {})],
      entitlement: {
        check: async ({ userSub }) => ({ outcome: 'success' as const, vip: userSub === 'vip' }),
      },
      geolocation: toldGeolocation(() => countries),
      signer: signedCookies({
        secret: { read: async () => ({ key_pair_id: 'K2JCJMDEHXQW5F', private_key }) },
        lifetimeSeconds: 900,
        clock: () => now,
        domain: 'example.com',
      }),
      clock: () => now,
    });
    const ask = (from: keyof typeof addresses, viewer: string) =>
      calls.stream('final', {
        sourceIp: addresses[from],
        headers: { authorization: `Bearer ${viewer}@web` },
      });
    const change = async (act: Exclude<Act, { readonly act: 'ask' }>): Promise<void> => {
      if (act.act === 'import') {
        const record = fileRecord(match(act.status, act.rule));
        const none = { geoblocking: null };
        const text = JSON.stringify([{ ...none, ...record, stream: { ...none, ...record.stream } }]);
        await importEventFile(
          { catalogue, clock: () => now, holdings: { notErc721: async () => [] }, showProgress: () => {} },
          {
            entries: readEventFile({ file: 'events.json', text }),
            signing: 'cookies',
            overwriteStatus: act.overwriteStatus,
            deleteMissing: false,
            force: [],
            dryRun: false,
          },
        );
        return;
      }
      await setEventStatus({ catalogue, clock: () => now }, { id: 'final', status: act.status }).catch(
        (error: unknown) => {
          // The operator is told to try again if another change was faster.
          if (!(error instanceof EventChangedError)) throw error;
        },
      );
    };
    const stored = async () => {
      const found = await catalogue.findStored('final');
      return effective(found?.event ?? match('UPCOMING', 'of nobody'), now);
    };
    return { ask, change, stored };
  };

  const givesNothing = ({ status: code, text, multiValueHeaders }: Answer): boolean =>
    code === 404 && multiValueHeaders['set-cookie'] === undefined && !/example\.com|signature/i.test(text);

  it('gives a blocked country no access, for any order of changes and requests', async () => {
    const seen = { blocked: 0, played: 0, playedWhereNobodyBlocks: 0 };

    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        // The acts of an inner array start at the same moment.
        fc.array(fc.array(anAct, { minLength: 1, maxLength: 3 }), { minLength: 4, maxLength: 10 }),
        async (clientBlocks, moments) => {
          const { ask, change, stored } = await setUp({ clientBlocks });
          for (const acts of moments) {
            const before = await stored();
            const changes = acts.filter((act) => act.act !== 'ask');
            const isBlocked =
              clientBlocks ||
              (blocks(before) &&
                changes.every((act) => act.act !== 'import' || blocks(match(act.status, act.rule))));

            const asked = acts.filter((act) => act.act === 'ask');
            const [answers] = await Promise.all([
              Promise.all(asked.map(({ from, viewer }) => ask(from, viewer))),
              Promise.all(changes.map(change)),
            ]);

            for (const [index, { from, viewer }] of asked.entries()) {
              const answer = answers[index] as Answer;
              if (from === 'blocked' && isBlocked) {
                seen.blocked += 1;
                expect(givesNothing(answer), answer.text).toBe(true);
              } else if (changes.length === 0) {
                const plays = viewer === 'vip' || before.status === 'LIVE';
                expect(answer.status).toBe(plays ? 200 : 404);
                if (plays) seen[from === 'open' ? 'played' : 'playedWhereNobodyBlocks'] += 1;
              }
            }
          }
        },
      ),
      { numRuns: 20, examples: [oneOfEach] },
    );
    // If one of these never happened, the test has shown nothing about it.
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(0);
  });
});
