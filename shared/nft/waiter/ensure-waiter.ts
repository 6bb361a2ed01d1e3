import type { Chain } from '../ports/chain.ts';
import type { Executions } from '../ports/executions.ts';
import type { SignerState, Signers } from '../ports/signers.ts';
import { addressOfSigner, type SignerId } from '../transactions/entry.ts';

export interface EnsureWaiterDependencies {
  readonly signers: Pick<Signers, 'find' | 'swapGeneration'>;
  readonly executions: Executions;
  readonly randomId: () => string;
}

/**
 * If another call swaps the generation first, this call finds the new generation in its next round. So a few rounds
 * suffice.
 */
const roundsAtMost = 10;

export const hasUnfinishedWork = ({ nextNonce, finalizedCount, reopened }: SignerState): boolean =>
  nextNonce !== finalizedCount || reopened.size > 0;

/** A signer without unfinished work whose transactions on the chain are not those that the log has as final. */
export interface Differing extends SignerState {
  /** `taken-back`: final transactions are missing. `used-elsewhere`: there are transactions that the log lacks. */
  readonly difference: 'taken-back' | 'used-elsewhere';
}

/**
 * The signers whose number of mined transactions on the chain is not the stored `finalizedCount`. A waiter must look at
 * them, although they have no unfinished work:
 * - Fewer: normally, a reorganization of the chain removed final blocks, so transactions must be sent again. If every
 *   endpoint just lags far behind, sending transactions again does no harm.
 * - More: the key was used outside of this service. If a request has recorded a transaction since `states` were read,
 *   the signer has a waiter anyway, and starting one does no harm.
 */
export const differingFromChain = async (
  { chain }: { readonly chain: Pick<Chain, 'chainId' | 'minedCounts'> },
  states: readonly SignerState[],
): Promise<Differing[]> => {
  const ofChain = states.filter(({ id }) => id.startsWith(`${chain.chainId}#`));
  const counts = await chain.minedCounts(ofChain.map(({ id }) => addressOfSigner(id)));
  return ofChain.flatMap((state) => {
    const mined = counts.get(addressOfSigner(state.id)) ?? state.finalizedCount;
    if (mined === state.finalizedCount) return [];
    return [
      { ...state, difference: mined < state.finalizedCount ? 'taken-back' : 'used-elsewhere' } as const,
    ];
  });
};

/**
 * Makes sure that a waiter is running for the signer, and that the waiter reads the log at least once after this call
 * began.
 *
 * A waiter is a Step Functions execution. The signer's item stores the name of the only valid execution, the
 * generation. Starting an execution that already runs has no effect, so a successful start means that a waiter is
 * running. An execution that has ended cannot be started again. Then this call, or a concurrent one, stores a new
 * generation, and this call tries again.
 */
export const ensureWaiter = async (
  { signers, executions, randomId }: EnsureWaiterDependencies,
  id: SignerId,
): Promise<void> => {
  for (let round = 0; round < roundsAtMost; round += 1) {
    const state = await signers.find(id);
    if (state === undefined) throw new Error(`Signer ${id} has no item`);
    const { generation } = state;
    if ((await executions.start({ signer: id, generation })) === 'running') return;
    await signers.swapGeneration({ id, from: generation, to: randomId() });
  }
  throw new Error(`No execution could be started for signer ${id} in ${roundsAtMost} tries`);
};

/**
 * Ends an execution, and starts another if the signer has unfinished work. To miss no work, it replaces the generation
 * before it reads the signer's item. Work that was added before is then in the item; whoever adds work later starts an
 * execution of the new generation.
 */
export const handOver = async (
  dependencies: EnsureWaiterDependencies,
  { id, generation }: { readonly id: SignerId; readonly generation: string },
): Promise<void> => {
  await dependencies.signers.swapGeneration({ id, from: generation, to: dependencies.randomId() });
  const state = await dependencies.signers.find(id);
  if (state !== undefined && hasUnfinishedWork(state)) await ensureWaiter(dependencies, id);
};
