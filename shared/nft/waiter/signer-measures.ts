import type { Chain } from '../ports/chain.ts';
import type { SignerMeasures } from '../ports/metrics.ts';
import type { Signers } from '../ports/signers.ts';
import { coinsOf } from '../transactions/signer-funds.ts';
import type { Pass } from './pass-state.ts';

export interface MeasuresDependencies {
  readonly chain: Pick<Chain, 'balance'>;
  readonly signers: Pick<Signers, 'find'>;
}

const weiOfGwei = 1e9;

/** One signer's metrics, which graphs and `status` show. Alarms watch those of the stage: `stage-measures.ts`. */
export const measuresOf = async (pass: Pass<MeasuresDependencies>): Promise<SignerMeasures> => {
  const { chain, signers } = pass;
  const state = await signers.find(pass.id);
  return {
    BalanceCoins: coinsOf(await chain.balance(pass.address)),
    GasPriceGwei:
      state?.fees && Number(state.fees.baseFeePerGas + state.fees.maxPriorityFeePerGas) / weiOfGwei,
    Mined: pass.done.mined,
    SecondsToConfirmation: pass.done.secondsToConfirmation,
  };
};
