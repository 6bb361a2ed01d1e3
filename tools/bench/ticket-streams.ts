import { setTimeout } from 'node:timers/promises';
import { holderCalls, type Outward } from '../../test/support/ott/tickets/holder-calls.ts';
import { startDatabase } from '../../test/support/platform/dynamodb.ts';
import { synthesizeTemplate } from '../../test/support/platform/local-assembly.ts';
import { interleaved, type Measurement } from './measurement.ts';

/** Usual durations of AWS's calls within a Region, in milliseconds. */
const latencies: Readonly<Record<string, number>> = { entitlement: 30, put: 8, update: 8 };
const readMilliseconds = 5;
const rounds = 200;
const slowerAtMost = 1.1;

/**
 * Compares the stream calls of a viewer who has bought an event, and of one for whom a ticket is reserved, if each call
 * to the database takes as long as on AWS.
 */
export const measureTicketStreams = async (): Promise<Measurement[]> => {
  await synthesizeTemplate();
  const database = await startDatabase();
  const counts = new Map<string, number>();
  const outward: Outward = async (what, call) => {
    counts.set(what, (counts.get(what) ?? 0) + 1);
    await setTimeout(latencies[what] ?? readMilliseconds);
    return call();
  };
  const chainCalls = (): number => counts.get('chain') ?? 0;
  const requests = (): number =>
    [...counts].reduce((sum, [what, count]) => sum + (what === 'entitlement' ? 0 : count), 0);
  try {
    const measured: Measurement[] = [];
    for (const [stage, lastKnownGoodSeconds] of [
      ['a stage that remembers no grants', 0],
      ['a stage that remembers grants', 60],
    ] as const) {
      const prefix = `remembers-${lastKnownGoodSeconds}`;
      const { start } = await holderCalls(database, { outward, lastKnownGoodSeconds, prefix });
      const play = start();
      const requestsOf = async (call: () => Promise<void>): Promise<number> => {
        const before = requests();
        await call();
        return requests() - before;
      };
      const first = await requestsOf(() => play('holder'));
      const bought = await requestsOf(() => play('buyer'));
      const renewed = await requestsOf(() => play('holder'));
      const [ofBuyer, ofHolder, ofFirst] = await interleaved({
        rounds,
        tasks: [() => play('buyer'), () => play('holder'), () => start()('holder')],
      });
      measured.push(
        { name: `stream of a purchase, ${stage}`, value: ofBuyer, unit: `ms, ${bought} requests` },
        { name: '  of a reserved ticket', value: ofHolder, unit: `ms, ${renewed} requests` },
        {
          name: `    ratio (at most ${slowerAtMost})`,
          value: ofHolder / ofBuyer,
          unit: '×',
          holds: ofHolder <= slowerAtMost * ofBuyer,
        },
        {
          name: '  of one that this environment has not seen before',
          value: ofFirst,
          unit: `ms, ${first} requests`,
        },
        { name: '    ratio', value: ofFirst / ofBuyer, unit: '×' },
      );
    }
    return [
      ...measured,
      { name: 'calls to the chain', value: chainCalls(), unit: '', holds: chainCalls() === 0 },
    ];
  } finally {
    await database.stop();
  }
};
