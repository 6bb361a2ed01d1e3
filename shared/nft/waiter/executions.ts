import type { Executions } from '../ports/executions.ts';
import type { SignerState, Signers } from '../ports/signers.ts';
import type { SignerId } from '../transactions/entry.ts';

export interface Watching {
  readonly signers: Signers;
  readonly executions: Executions;
  readonly randomId: () => string;
}

/** Every call that loses a swap finds the winner's generation; more than a few rounds is not to be expected. */
const roundsAtMost = 10;

/** Nonces were handed out that finality has not decided. */
export const hasUnfinishedWork = ({ nextNonce, finalizedCount }: SignerState): boolean =>
  nextNonce !== finalizedCount;

/**
 * Makes sure that an execution watches the signer, one that reads the log after this call began.
 *
 * The signer's item names one generation, and an execution's name is a generation. Starting it again while it
 * runs does nothing, so a start that succeeds means that it is watched. One that has ended cannot be started
 * again: then the generation is swapped for a new one, by this call or by whoever is faster.
 */
export const ensureWatched = async (
  { signers, executions, randomId }: Watching,
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
 * Ends a watch, or hands it over. The generation is swapped first: whoever makes work from then on starts a new
 * execution. Only then is it read what is left, so work made before is either seen here or by that execution.
 */
export const endWatch = async (
  deps: Watching,
  { id, generation }: { readonly id: SignerId; readonly generation: string },
): Promise<void> => {
  await deps.signers.swapGeneration({ id, from: generation, to: deps.randomId() });
  const state = await deps.signers.find(id);
  if (state !== undefined && hasUnfinishedWork(state)) await ensureWatched(deps, id);
};
