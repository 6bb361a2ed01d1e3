import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signedCookies } from '../../../shared/ott/aws/playback-signer.ts';
import type { SessionStore } from '../../../shared/ott/ports/session-store.ts';
import { createStreamSessions } from '../../../shared/ott/sessions/stream-sessions.ts';
import type { ViewerSessions } from '../../../shared/ott/sessions/viewer-sessions.ts';
import { anEvent, anOttApplication } from '../../support/ott/builders.ts';
import { ottCalls } from '../../support/ott/calls.ts';
import { inMemoryEvents, toldEntitlement } from '../../support/ott/in-memory.ts';
import { seededRandom } from '../../support/platform/seeded-random.ts';

const second = 1_000;
const start = Date.parse('2026-05-01T19:00:00Z');
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

interface Ending {
  /** When a viewer's access ends, however often the page asks. */
  readonly endsAt: number;
  readonly access: 'free' | 'paid';
  readonly by: 'window' | 'entitlement service is out' | 'sessions are out';
  readonly lifeSeconds: number;
}

/** The calls of pages that each ask at the time in `renew_at` until they are refused. */
const callsOf = async (pages: number, { endsAt, access, by, lifeSeconds }: Ending): Promise<number[][]> => {
  const state = { now: start };
  const roundTripMilliseconds = lifeSeconds / 2;
  const clock = () => state.now;
  const items = new Map<string, { readonly sessions: ViewerSessions; readonly version: number }>();
  const isOut = () => state.now > endsAt - (lifeSeconds / 2) * second;
  const store: SessionStore = {
    find: async (userSub) => {
      if (by === 'sessions are out' && isOut())
        throw Object.assign(new Error('no answer'), { name: 'TimeoutError' });
      return items.get(userSub);
    },
    save: async (userSub, { before, sessions }) => {
      items.set(userSub, { sessions, version: (before ?? 0) + 1 });
      return true;
    },
  };
  const availableUntil = by === 'window' ? new Date(endsAt).toISOString() : undefined;
  const stream = {
    type: 'hls',
    url: 'https://streams.example.com/final/index.m3u8',
    availableUntil,
  } as const;
  const calls = ottCalls({
    events: inMemoryEvents([anEvent({ access, stream })]),
    applications: [anOttApplication({ streams_at_once: 2 })],
    entitlement: toldEntitlement(() => {
      if (by !== 'entitlement service is out' || !isOut()) return { outcome: 'success', vip: false };
      return state.now < endsAt ? { outcome: 'success', vip: false, endsAt } : { outcome: 'unavailable' };
    }),
    signer: signedCookies({
      secret: { read: async () => ({ key_pair_id: 'key', private_key }) },
      lifetimeSeconds: lifeSeconds,
      clock,
      domain: 'example.com',
    }),
    sessions: createStreamSessions({
      store,
      clock,
      newContinuation: randomUUID,
      logger: { warn: () => {} },
      sessionSeconds: lifeSeconds,
    }),
    lifeSeconds,
    random: seededRandom(7),
    clock,
  });

  const page = async (at: number): Promise<number[]> => {
    const times: number[] = [];
    const session = randomUUID();
    let continuation: string | undefined;
    for (let asks = at; times.length < 500; ) {
      state.now = asks;
      times.push(asks);
      const { status, body } = await calls.stream('final', {
        headers: { authorization: `Bearer viewer-${at}@web` },
        query: { session, ...(continuation !== undefined && { continuation }) },
      });
      if (status !== 200) return times;
      const answer = body as { readonly renew_at: string; readonly continuation?: string };
      continuation = answer.continuation ?? continuation;
      asks = Math.max(asks, Date.parse(answer.renew_at)) + roundTripMilliseconds;
    }
    return times;
  };
  const all: number[][] = [];
  for (let index = 0; index < pages; index += 1)
    all.push(await page(start + Math.floor((index / pages) * lifeSeconds * second)));
  return all;
};

describe.each([300, 2])('a page whose cookies live %d s', (lifeSeconds) => {
  it.each([
    { access: 'free', by: 'window' },
    { access: 'paid', by: 'window' },
    { access: 'paid', by: 'entitlement service is out' },
    { access: 'paid', by: 'sessions are out' },
  ] as const)(
    'asks a few times, and neither in a loop nor together with all others, before $access access ends because of: $by',
    async ({ access, by }) => {
      const endsAt = start + 5 * lifeSeconds * second;
      const pages = 200;

      const calls = await callsOf(pages, { endsAt, access, by, lifeSeconds });

      const last = calls.map((times) => times.filter((at) => at > endsAt - lifeSeconds * second).length);
      expect(Math.max(...last)).toBeLessThan(10);
      const near = calls.flat().filter((at) => at > endsAt - lifeSeconds * second);
      const slice = (lifeSeconds * second) / 300;
      const bySlice = Object.groupBy(near, (at) => Math.floor(at / slice));
      const busiest = Math.max(...Object.values(bySlice).map((those = []) => those.length));
      expect(busiest).toBeLessThan(pages / 10);
    },
  );
});
