import type { Anvil } from '../anvil.ts';

const blockMilliseconds = 200;

export interface Miner {
  /** Nothing is mined while this works. */
  holdBack<Result>(work: () => Promise<Result>): Promise<Result>;
  stop(): Promise<void>;
}

/** Mines a chain that was started with `noMining`: its own interval is whole seconds once it was stopped. */
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
