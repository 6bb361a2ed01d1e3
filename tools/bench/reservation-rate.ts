import { setTimeout as delay } from 'node:timers/promises';
import { type System, startSystem } from '../../test/support/platform/system.ts';
import { registerFan } from './fan.ts';
import { httpCall } from './http-call.ts';
import { type Measurement, median, percentile } from './measurement.ts';
import { type MintAnswer, mintCalls, receiver } from './mint-calls.ts';
import { processTreeCpuMilliseconds } from './processes.ts';

const connections = 16;
const tokens = 200;
const rounds = 3;
const perSecondAtLeast = 50;

interface Round {
  readonly perSecond: number;
  /** Of all processes of the system, in milliseconds for one token. */
  readonly cpuMilliseconds: number;
  readonly answers: readonly MintAnswer[];
}

const isConfirmed = async (system: System, contract: string, id: string): Promise<boolean> => {
  const headers = { 'x-api-key': system.outputs.applications[0]?.api_key ?? '' };
  const path = `/api/v1/nft/contracts/${contract}/tokens/${id}`;
  return JSON.parse(await httpCall(`${system.outputs.base_url}${path}`, { headers })).is_confirmed;
};

/**
 * How many tokens of one limited collection are accepted in a second if they are reserved, and if they are minted. Both
 * take turns, and the mints are mined before the next turn begins.
 */
export const measureReservationRate = async (): Promise<Measurement[]> => {
  const system = await startSystem({ arguments: ['--empty'] });
  const calls = mintCalls(system, { connections, application: system.outputs.applications[0] });
  try {
    const fan = await registerFan(system, 'bench-fan');
    const contract = await calls.create({ max_supply: 2 * tokens * (rounds + 1) });
    const turn = async (destination: string): Promise<Round> => {
      const [began, cpuBefore] = [performance.now(), processTreeCpuMilliseconds(system.pid())];
      const answers = await calls.run(contract, tokens, destination);
      const perSecond = (tokens * 1_000) / (performance.now() - began);
      const cpuMilliseconds = (processTreeCpuMilliseconds(system.pid()) - cpuBefore) / tokens;
      const ids = new Set(answers.map(({ id }) => id));
      if (ids.size !== tokens) throw new Error(`${tokens} tokens have ${ids.size} ids`);
      return { perSecond, cpuMilliseconds, answers };
    };
    const settled = async ({ answers }: Round): Promise<void> => {
      for (const { id } of answers) while (!(await isConfirmed(system, contract, id))) await delay(500);
    };
    const [reserved, minted]: [Round[], Round[]] = [[], []];
    for (let round = 0; round <= rounds; round += 1) {
      const ofFan = await turn(fan);
      const ofWallet = await turn(receiver);
      await settled(ofWallet);
      // The first turns warm up the functions.
      if (round === 0) continue;
      reserved.push(ofFan);
      minted.push(ofWallet);
    }
    const rate = (side: readonly Round[]): number => median(side.map(({ perSecond }) => perSecond));
    const cpu = (side: readonly Round[]): number => median(side.map((each) => each.cpuMilliseconds));
    const slowest = (side: readonly Round[]): number =>
      percentile(
        side.flatMap(({ answers }) => answers.map(({ milliseconds }) => milliseconds)),
        0.95,
      );
    const ratio = rate(reserved) / rate(minted);
    return [
      {
        name: `reserved, of one limited collection (at least ${perSecondAtLeast})`,
        value: rate(reserved),
        unit: 'tokens/s',
        holds: rate(reserved) >= perSecondAtLeast,
      },
      { name: '  p95', value: slowest(reserved), unit: 'ms' },
      { name: '  processor time', value: cpu(reserved), unit: 'ms a token' },
      { name: 'accepted mints of the same collection', value: rate(minted), unit: 'tokens/s' },
      { name: '  p95', value: slowest(minted), unit: 'ms' },
      { name: '  processor time until all are accepted', value: cpu(minted), unit: 'ms a token' },
      { name: 'reserved, relative to mints (at least 1)', value: ratio, unit: '×', holds: ratio >= 1 },
    ];
  } finally {
    await calls.stop();
    await system.dispose();
  }
};
