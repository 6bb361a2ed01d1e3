import type { Chain } from '../ports/chain.ts';
import type { SignerMeasures } from '../ports/events.ts';
import type { Signers } from '../ports/signers.ts';
import type { Pass } from './pass-state.ts';

export interface MeasuresDependencies {
  readonly chain: Pick<Chain, 'balance'>;
  readonly signers: Pick<Signers, 'find'>;
}

export const weiOfCoin = 1e18;
const weiOfGwei = 1e9;

/** A signer's metrics. */
export const measuresOf = async (pass: Pass<MeasuresDependencies>): Promise<SignerMeasures> => {
  const { chain, signers } = pass;
  const state = await signers.find(pass.id);
  return {
    BalanceCoins: Number(await chain.balance(pass.address)) / weiOfCoin,
    GasPriceGwei:
      state?.fees && Number(state.fees.baseFeePerGas + state.fees.maxPriorityFeePerGas) / weiOfGwei,
    Mined: pass.done.mined,
    SecondsToConfirmation: pass.done.secondsToConfirmation,
  };
};
