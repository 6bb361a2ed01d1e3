import type { Clock } from '../../clock.ts';
import { firstSignedAt } from '../entry.ts';
import type { Chain } from '../ports/chain.ts';
import type { SignerMeasures } from '../ports/events.ts';
import type { Signers } from '../ports/signers.ts';
import type { Pass } from './pass-state.ts';

export interface MeasuresDependencies {
  readonly chain: Pick<Chain, 'balance'>;
  readonly signers: Pick<Signers, 'find'>;
  readonly clock: Clock;
}

const weiOfCoin = 1e18;
const weiOfGwei = 1e9;

/** A signer's metrics. They cover only the part of the log that this pass has read. */
export const measuresOf = async (pass: Pass<MeasuresDependencies>): Promise<SignerMeasures> => {
  const { chain, signers, clock } = pass;
  const state = await signers.find(pass.id);
  const firstSigned = [...pass.entries.values()]
    .filter(({ status }) => status === 'pending')
    .map(firstSignedAt);
  return {
    InFlight: state === undefined ? 0 : Math.max(0, state.nextNonce - state.minedCount),
    OldestPendingSeconds: Math.max(0, ...firstSigned.map((signedAt) => (clock() - signedAt) / 1_000)),
    BalanceCoins: Number(await chain.balance(pass.address)) / weiOfCoin,
    GasPriceGwei:
      state?.fees && Number(state.fees.baseFeePerGas + state.fees.maxPriorityFeePerGas) / weiOfGwei,
    Mined: pass.done.mined,
    SecondsToConfirmation: pass.done.secondsToConfirmation,
  };
};
