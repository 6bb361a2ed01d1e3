import { setTimeout as delay } from 'node:timers/promises';
import { startSystem } from '../test/support/system.ts';
import { type Measurement, percentile } from './measurement.ts';
import { type MintAnswer, type MintCalls, mintCalls } from './mint-calls.ts';

const noisyConnections = 32;
const quietMints = 60;
const betweenQuietMintsMilliseconds = 100;
const warmUpMints = 100;
const rounds = 3;

const quietRound = async (quiet: MintCalls, contract: string): Promise<MintAnswer[]> => {
  const answers: MintAnswer[] = [];
  for (let mint = 0; mint < quietMints; mint += 1) {
    answers.push(...(await quiet.run(contract, 1)));
    await delay(betweenQuietMintsMilliseconds);
  }
  return answers;
};

/** One application's mints while another mints as fast as it can, in turns with the same without the other. */
export const measureNeighbour = async (): Promise<Measurement[]> => {
  await using cleanup = new AsyncDisposableStack();
  const system = await startSystem({ arguments: ['--empty'] });
  cleanup.defer(() => system.dispose());
  const [first, second] = system.outputs.applications;
  const quiet = mintCalls(system, { connections: 1, keys: false, application: first });
  const noisy = mintCalls(system, { connections: noisyConnections, keys: false, application: second });
  cleanup.defer(() => quiet.stop());
  cleanup.defer(() => noisy.stop());
  const [mine, theirs] = [await quiet.create(), await noisy.create()];
  await noisy.run(theirs, warmUpMints);

  const [alone, beside, neighbour]: MintAnswer[][] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    alone?.push(...(await quietRound(quiet, mine)));
    let goesOn = true;
    const noise = noisy.runWhile(theirs, () => goesOn);
    beside?.push(...(await quietRound(quiet, mine)));
    goesOn = false;
    neighbour?.push(...(await noise));
  }
  const at = (share: number, answers: readonly MintAnswer[] = []) =>
    percentile(
      answers.map(({ milliseconds }) => milliseconds),
      share,
    );
  return [0.5, 0.95].flatMap((share) => [
    {
      name: `accepting beside an application with ${noisyConnections} connections, p${share * 100}, of alone`,
      value: at(share, beside) / at(share, alone),
      unit: '×',
    },
    { name: '  of what the other waits', value: at(share, beside) / at(share, neighbour), unit: '×' },
    { name: '  alone', value: at(share, alone), unit: 'ms' },
    { name: '  beside it', value: at(share, beside), unit: 'ms' },
  ]);
};
