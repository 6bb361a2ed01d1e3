import { setImmediate as yieldOnce } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { holderCalls, type Outward } from '../../support/ott/tickets/holder-calls.ts';
import { startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

/**
 * Lets calls that are made at the same time end at the same time, and keeps them as one round. As many rounds as there
 * are, so often a caller waits.
 */
const newRounds = () => {
  const rounds: string[][] = [];
  let waiting: { readonly what: string; readonly begin: () => Promise<() => void> }[] = [];
  let isRunning = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    for (;;) {
      for (let turn = 0; turn < 5; turn += 1) await yieldOnce();
      const round = waiting;
      waiting = [];
      if (round.length === 0) break;
      rounds.push(round.map(({ what }) => what).toSorted());
      for (const end of await Promise.all(round.map(({ begin }) => begin()))) end();
    }
    isRunning = false;
  };
  const outward: Outward = (what, call) =>
    new Promise((resolve, reject) => {
      const begin = () =>
        call().then(
          (result) => () => resolve(result),
          (error: unknown) => () => reject(error),
        );
      waiting.push({ what, begin });
      if (!isRunning) void run();
    });
  return {
    outward,
    of: async (call: () => Promise<unknown>): Promise<readonly (readonly string[])[]> => {
      rounds.length = 0;
      await call();
      return [...rounds];
    },
  };
};

describe('the stream call of a holder of a reserved ticket', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await startDatabase();
  });
  afterAll(() => database.stop());

  /** The entitlement service is asked while the event is read. */
  const asked = ['entitlement', 'get'];

  it('waits for the tables as often as the call of a buyer, and calls no RPC endpoint', async () => {
    const rounds = newRounds();
    const { start } = await holderCalls(database, { ...rounds, prefix: 'plain', lastKnownGoodSeconds: 0 });
    const play = start();

    expect(await rounds.of(() => play('buyer'))).toEqual([asked, ['query']]);
    expect(await rounds.of(() => play('holder'))).toEqual([
      asked,
      ['batchGet', 'query'],
      ['query'],
      ['batchGet'],
    ]);
    expect(await rounds.of(() => play('holder'))).toEqual([asked, ['batchGet', 'query']]);
  });

  it('writes one item, as the call of a buyer does, on a stage that remembers grants', async () => {
    const rounds = newRounds();
    const { start } = await holderCalls(database, { ...rounds, prefix: 'grants', lastKnownGoodSeconds: 60 });
    const play = start();
    await play('holder');

    expect(await rounds.of(() => play('buyer'))).toEqual([asked, ['put'], ['query']]);
    expect(await rounds.of(() => play('holder'))).toEqual([asked, ['put'], ['batchGet', 'query']]);
  });

  it('is answered while the entitlement service is out, if its last answer was not a denial', async () => {
    const rounds = newRounds();
    const { start, setAnswer } = await holderCalls(database, {
      ...rounds,
      prefix: 'out',
      lastKnownGoodSeconds: 60,
    });
    const play = start();

    setAnswer({ outcome: 'unavailable' });
    await expect(play('holder')).rejects.toThrow('503');
    setAnswer({ outcome: 'denied', reason: 'no_purchase', vip: false });
    await play('holder');
    setAnswer({ outcome: 'unavailable' });
    await play('holder');
    setAnswer({ outcome: 'denied', reason: 'denied', vip: false });
    await expect(play('holder')).rejects.toThrow('403');
    setAnswer({ outcome: 'unavailable' });
    await expect(play('holder')).rejects.toThrow('503');
  });

  it('is refused after the ticket was taken away, by the function that has found it before', async () => {
    const rounds = newRounds();
    const { start, takeAway } = await holderCalls(database, {
      ...rounds,
      prefix: 'taken',
      lastKnownGoodSeconds: 0,
    });
    const play = start();
    await play('holder');

    await takeAway();

    await expect(play('holder')).rejects.toThrow('403');
  });
});
