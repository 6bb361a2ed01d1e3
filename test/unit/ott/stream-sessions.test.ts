import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { SessionStore } from '../../../shared/ott/ports/session-store.ts';
import { createStreamSessions } from '../../../shared/ott/sessions/stream-sessions.ts';
import type { ViewerSessions } from '../../../shared/ott/sessions/viewer-sessions.ts';
import { createRenewals } from '../../../shared/ott/streams/renewal.ts';

const start = Date.parse('2026-11-23T20:00:00Z');
const sessionSeconds = 300;

/** A table that counts its calls. */
const countingStore = () => {
  const items = new Map<string, { readonly sessions: ViewerSessions; readonly version: number }>();
  const asked = { reads: 0, writes: 0 };
  const store: SessionStore = {
    find: async (userSub) => {
      asked.reads += 1;
      return items.get(userSub);
    },
    save: async (userSub, { before, sessions }) => {
      asked.writes += 1;
      if (items.get(userSub)?.version !== before) return false;
      items.set(userSub, { sessions, version: (before ?? 0) + 1 });
      return true;
    },
  };
  return { store, asked };
};

describe('the sessions of ten thousand viewers', () => {
  it('need one write per renewal, and their renewals are spread over time', async () => {
    let now = start;
    const { store, asked } = countingStore();
    const sessions = createStreamSessions({
      store,
      clock: () => now,
      newContinuation: randomUUID,
      logger: { warn: () => {} },
      sessionSeconds,
    });
    const viewers = Array.from({ length: 10_000 }, (_, at) => ({
      userSub: `viewer-${at}`,
      sessionId: randomUUID(),
      eventId: 'final',
      limits: new Map([['arena', 2]]),
      address: '192.0.2.1',
      isReadOnly: false,
    }));
    const renewalOf = createRenewals({ clock: () => now, random: Math.random, lifeSeconds: sessionSeconds });
    const begun = await Promise.all(
      viewers.map(async (viewer) => ({ viewer, held: await sessions.hold(viewer) })),
    );
    Object.assign(asked, { reads: 0, writes: 0 });

    const renewals = begun.map(({ viewer, held: { lease, endsAt, continuation } }) => ({
      viewer: { ...viewer, continuation },
      at: renewalOf({ from: lease.from, leaseEndsAt: lease.endsAt, endsAt }),
    }));
    for (const { viewer, at } of renewals.toSorted((one, other) => one.at - other.at)) {
      now = at;
      await sessions.hold(viewer);
    }

    expect(asked).toEqual({ reads: 10_000, writes: 10_000 });
    const bySecond = Object.groupBy(renewals, ({ at }) => Math.floor((at - start) / 1_000));
    const busiest = Math.max(...Object.values(bySecond).map((those = []) => those.length));
    expect(busiest).toBeLessThan(10_000 / 30);
  });
});
