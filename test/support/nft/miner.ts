import type { Anvil } from './anvil.ts';

const blockMilliseconds = 200;

export interface Miner {
  /** Mines no blocks while `work` runs. */
  holdBack<Result>(work: () => Promise<Result>): Promise<Result>;
  stop(): Promise<void>;
}

/**
 * Mines the blocks of a chain that was started with `noMining`. Anvil's own interval mining is not used, because after
 * a stop it can be resumed only with an interval in whole seconds.
 */
export const startMiner = ({ rpc }: Pick<Anvil, 'rpc'>): Miner => {
  let mined: Promise<unknown> = Promise.resolve();
  const begin = () =>
    setInterval(() => {
      mined = mined.then(() => rpc('evm_mine'));
    }, blockMilliseconds);
  let timer = begin();
  const pause = async (): Promise<void> => {
    clearInterval(timer);
    await mined;
  };
  return {
    holdBack: async (work) => {
      await pause();
      try {
        return await work();
      } finally {
        timer = begin();
      }
    },
    stop: pause,
  };
};
