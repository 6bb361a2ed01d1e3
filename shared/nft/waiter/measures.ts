import type { SignerMeasures } from '../ports/events.ts';
import type { Transacting } from '../transactions/transacting.ts';
import type { Watch } from './pass-state.ts';

const weiOfCoin = 1e18;

/** What is to be known of a signer from outside, as far as this pass has seen its log. */
export const measuresOf = async (
  { chain, signers, clock }: Pick<Transacting, 'chain' | 'signers' | 'clock'>,
  watch: Watch,
): Promise<SignerMeasures> => {
  const state = await signers.find(watch.id);
  const firstSigned = [...watch.entries.values()]
    .filter(({ status }) => status === 'pending')
    .map(({ attempts }) => attempts[0]?.signedAt ?? clock());
  return {
    InFlight: state === undefined ? 0 : Math.max(0, state.nextNonce - state.minedCount),
    OldestPendingSeconds: Math.max(0, ...firstSigned.map((signedAt) => (clock() - signedAt) / 1_000)),
    BalanceCoins: Number(await chain.balance(watch.address)) / weiOfCoin,
  };
};
