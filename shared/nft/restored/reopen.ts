import type { Signers } from '../ports/signers.ts';
import type { Entry, SignerId } from '../transactions/entry.ts';
import { type ReserveNonceDependencies, stateOf } from '../transactions/nonce.ts';

export interface ReopenDependencies extends Omit<ReserveNonceDependencies, 'signers'> {
  readonly signers: Pick<Signers, 'find' | 'create' | 'raiseNextNonce' | 'reopen'>;
  /** Waits until the waiter may have decided some entries. */
  readonly wait: () => Promise<void>;
}

/**
 * How many nonces of a signer are reopened at a time. The signer's item contains them, and each request writes this
 * item. A round of the waiter decides 200.
 */
const reopenedAtOnce = 1_000;

/**
 * Lets the waiter decide entries that are pending again. Waits while as many are reopened as fit at a time, so it returns
 * when the waiter has all of them. If it is interrupted, another run goes on.
 */
export const reopen = async (
  dependencies: ReopenDependencies,
  {
    entries,
    onProgress = () => {},
  }: { readonly entries: readonly Entry[]; readonly onProgress?: (left: number) => void },
): Promise<void> => {
  const { signers, wait } = dependencies;
  const left = new Map<SignerId, number[]>();
  for (const { signer, nonce } of entries.toSorted((a, b) => a.nonce - b.nonce)) {
    const own = left.get(signer) ?? [];
    own.push(nonce);
    left.set(signer, own);
  }
  for (const [id, nonces] of left) {
    await stateOf(dependencies, id);
    await signers.raiseNextNonce({ id, count: (nonces.at(-1) ?? 0) + 1 });
  }
  while (left.size > 0) {
    onProgress([...left.values()].reduce((sum, { length }) => sum + length, 0));
    for (const [id, nonces] of left) {
      const { reopened } = await stateOf(dependencies, id);
      const some = nonces.splice(0, Math.max(0, reopenedAtOnce - reopened.size));
      if (some.length > 0) await signers.reopen({ id, nonces: some });
      if (nonces.length === 0) left.delete(id);
    }
    if (left.size > 0) await wait();
  }
};
