import { addressOfSigner, type SignerId } from '../entry.ts';
import type { Chain } from '../ports/chain.ts';
import type { Executions } from '../ports/executions.ts';
import type { SignerState, Signers } from '../ports/signers.ts';

export interface EnsureWaiterDependencies {
  readonly signers: Pick<Signers, 'find' | 'swapGeneration'>;
  readonly executions: Executions;
  readonly randomId: () => string;
}

/** A call that loses a swap finds the winner's generation, so more than a few rounds are not expected. */
const roundsAtMost = 10;

/** Nonces were reserved that finality has not decided. */
export const hasUnfinishedWork = ({ nextNonce, finalizedCount }: SignerState): boolean =>
  nextNonce !== finalizedCount;

/**
 * Signers whose final transactions are no longer on the chain. Their stored counts only rise and do not show it, so the
 * chain is asked. A chain that lags by more than its finality looks the same: the result is that missing transactions
 * are sent again, which does no harm.
 */
export const takenBack = async (
  { chain }: { readonly chain: Pick<Chain, 'chainId' | 'minedCounts'> },
  states: readonly SignerState[],
): Promise<SignerState[]> => {
  const ofChain = states.filter(({ id }) => id.startsWith(`${chain.chainId}#`));
  const counts = await chain.minedCounts(ofChain.map(({ id }) => addressOfSigner(id)));
  return ofChain.filter(
    ({ id, finalizedCount }) => (counts.get(addressOfSigner(id)) ?? finalizedCount) < finalizedCount,
  );
};

/**
 * Makes sure that a waiter works for the signer and reads the log after this call began.
 *
 * The signer's item names one generation, and an execution's name is a generation. Starting a running execution again
 * does nothing, so a successful start means that a waiter works. A closed execution cannot be started again; then the
 * generation is swapped for a new one, by this call or by a faster one.
 */
export const ensureWaiter = async (
  { signers, executions, randomId }: EnsureWaiterDependencies,
  id: SignerId,
): Promise<void> => {
  for (let round = 0; round < roundsAtMost; round += 1) {
    const state = await signers.find(id);
    if (state === undefined) throw new Error(`Signer ${id} has a log and no item`);
    const { generation } = state;
    if ((await executions.start({ signer: id, generation })) === 'running') return;
    await signers.swapGeneration({ id, from: generation, to: randomId() });
  }
  throw new Error(`Signer ${id} got no execution in ${roundsAtMost} rounds`);
};

/**
 * Ends an execution, or hands its signer over to another. The generation is swapped first: work recorded from then on
 * starts a new execution. The log is read after that, so earlier work is either seen here or by that execution.
 */
export const handOver = async (
  dependencies: EnsureWaiterDependencies,
  { id, generation }: { readonly id: SignerId; readonly generation: string },
): Promise<void> => {
  await dependencies.signers.swapGeneration({ id, from: generation, to: dependencies.randomId() });
  const state = await dependencies.signers.find(id);
  if (state !== undefined && hasUnfinishedWork(state)) await ensureWaiter(dependencies, id);
};
