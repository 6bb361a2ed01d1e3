import { addressOfSigner, type SignerId } from '../entry.ts';
import type { Chain } from '../ports/chain.ts';
import type { Executions } from '../ports/executions.ts';
import type { SignerState, Signers } from '../ports/signers.ts';

export interface EnsureWaiterDependencies {
  readonly signers: Pick<Signers, 'find' | 'swapGeneration'>;
  readonly executions: Executions;
  readonly randomId: () => string;
}

/** A call that loses a swap reads the winner's generation next, so it needs only a few rounds. */
const roundsAtMost = 10;

export const hasUnfinishedWork = ({ nextNonce, finalizedCount }: SignerState): boolean =>
  nextNonce !== finalizedCount;

/**
 * The signers with fewer mined transactions on the chain than their stored final count, which never falls. A chain that
 * lags by more than its finality looks the same; sending the transactions again then does no harm.
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
 * Makes sure that a waiter runs for the signer and reads the log after the start of this call.
 *
 * The signer's item stores one generation, and the generation is the execution's name. To start a running execution
 * again does nothing, so a successful start means that a waiter runs. An execution that has ended cannot be started
 * again. Then this call, or a faster one, swaps the generation for a new one.
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
 * Ends an execution, and starts another if the signer has unfinished work. The generation is swapped before the log is
 * read. Work recorded after the swap starts a new execution. Work recorded before the swap is seen by this read.
 */
export const handOver = async (
  dependencies: EnsureWaiterDependencies,
  { id, generation }: { readonly id: SignerId; readonly generation: string },
): Promise<void> => {
  await dependencies.signers.swapGeneration({ id, from: generation, to: dependencies.randomId() });
  const state = await dependencies.signers.find(id);
  if (state !== undefined && hasUnfinishedWork(state)) await ensureWaiter(dependencies, id);
};
