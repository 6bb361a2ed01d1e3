import type { SQSRecord } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import {
  type Dependencies,
  runReplaysHandler,
} from '../../../functions/notifications/run-replays/handler.ts';
import type { Redelivery } from '../../../shared/notifications/redeliver/redelivery.ts';
import type { Replay } from '../../../shared/notifications/replay/replay.ts';
import { aLadder } from '../../support/notifications/recording.ts';

const hour = 3_600_000;
const day = 24 * hour;
const requestedAt = Date.parse('2026-11-20T12:00:00Z');
const replay: Replay = {
  applicationId: 'club',
  id: 'replay',
  from: requestedAt - hour,
  to: requestedAt,
  startedAt: requestedAt,
  looked: 0,
  published: 0,
};
const received = {
  messageId: 'message',
  receiptHandle: 'receipt',
  body: '',
  attributes: { SentTimestamp: String(requestedAt) },
} as SQSRecord;

/** Receives the message of a replay, for which another replay never makes room, until this time. */
const waitUntil = async (
  end: number,
): Promise<readonly { readonly age: number; readonly pause: number }[]> => {
  const looks: { readonly age: number; readonly pause: number }[] = [];
  let now = requestedAt;
  const replays = {
    find: async () => replay,
    hold: async () => false,
    release: async () => {},
  };
  const putOff: Dependencies['putOff'] = async ({ seconds }) => {
    looks.push({ age: now - requestedAt, pause: seconds * 1_000 });
    now += seconds * 1_000;
  };
  const handler = runReplaysHandler({
    clock: () => now,
    replayWorkIn: () => ({ kind: 'replay', applicationId: replay.applicationId, id: replay.id }),
    replays,
    putOff,
  } as unknown as Dependencies);
  while (now < end) await handler({ Records: [received] }, { getRemainingTimeInMillis: () => 60_000 });
  return looks;
};

describe('a replay that waits for another one', () => {
  it('is not given up before its message ends, and has receives left for its work', async () => {
    const all = await waitUntil(requestedAt + 14 * day);

    expect(all.length).toBeLessThan(800);
  });

  it('looks often enough to begin soon', async () => {
    const all = await waitUntil(requestedAt + day);

    expect(all[0]).toEqual({ age: 0, pause: 10_000 });
    expect(all.filter(({ age, pause }) => pause > Math.max(10_000, age / 20 + 1_000))).toEqual([]);
    expect(Math.max(...all.map(({ pause }) => pause))).toBe(hour / 2);
  });
});

describe('a redelivery whose last notifications may soon be accepted', () => {
  it('is looked at every five seconds, and less often after some minutes', async () => {
    const pauses = new Map<number, number>();
    let now = requestedAt;
    const redelivery: Redelivery = {
      since: requestedAt,
      attempt: 0,
      nextAt: now,
      isPaused: false,
      rowsChangedAt: 0,
      failureNotedAt: now,
      failures: 1,
    };
    const handler = runReplaysHandler({
      clock: () => now,
      ladder: aLadder(),
      replayWorkIn: () => ({ kind: 'redelivery', applicationId: 'club', endpointId: 'main' }),
      replays: { opened: async () => [], hold: async () => true, release: async () => {} },
      logger: { warn: () => {} },
      redeliveries: { looked: async () => true },
      undelivered: {
        suspected: async () => [],
        dismiss: async () => {},
        count: async () => 1,
        soonest: async (_: unknown, { until = Number.POSITIVE_INFINITY }: { readonly until?: number }) =>
          until > now ? [{ nextAt: now + 1_000 }] : [],
      },
      endpoints: { find: async () => ({ applicationId: 'club', id: 'main', redelivery }) },
      putOff: async ({ seconds }: { readonly seconds: number }) => {
        pauses.set((now - requestedAt) / 60_000, seconds);
      },
    } as unknown as Dependencies);
    for (const minutes of [0, 1, 10]) {
      now = requestedAt + minutes * 60_000;
      await handler({ Records: [received] }, { getRemainingTimeInMillis: () => 60_000 });
    }

    expect([...pauses]).toEqual([
      [0, 5],
      [1, 5],
      [10, 30],
    ]);
  });
});
