import { writtenAddressSchema } from '../../../shared/chain/hex.ts';
import type { Chain } from '../../../shared/nft/ports/chain.ts';
import type { Signers } from '../../../shared/nft/ports/signers.ts';
import type { TransactionLog } from '../../../shared/nft/ports/transaction-log.ts';
import {
  isDecided,
  type LoggedEntry,
  type SignerId,
  signerIdOf,
} from '../../../shared/nft/transactions/entry.ts';
import type { KeyRing, KnownSigner } from '../../../shared/nft/transactions/key-ring.ts';
import { hasUnfinishedWork } from '../../../shared/nft/waiter/ensure-waiter.ts';
import { OperatorError, UsageError } from '../../platform/terminal/operator-error.ts';

export interface ChosenSignerDependencies {
  readonly chain: Pick<Chain, 'chainId'>;
  readonly keys: Pick<KeyRing, 'list'>;
}

/** The stage's signer with this number or address. @throws UsageError when the stage has no such signer. */
export const stageSigner = async (
  { keys }: Pick<ChosenSignerDependencies, 'keys'>,
  written: string,
): Promise<KnownSigner> => {
  const known = await keys.list();
  const address = writtenAddressSchema.safeParse(written);
  const found = known.find(({ id, signer }) =>
    address.success
      ? id === signerIdOf({ chainId: signer.chainId, address: address.data })
      : String(signer.number) === written,
  );
  if (found !== undefined) return found;
  const numbers = known.map(({ signer: { number } }) => number).join(', ');
  throw new UsageError({ message: `${written} is not a signer of this stage. Its signers are ${numbers}.` });
};

/**
 * The signer with this number or address; all signers of the stage if `written` is left out. The address of a former
 * signer is accepted, too.
 */
const chosenSigners = async (
  dependencies: ChosenSignerDependencies,
  written: string | undefined,
): Promise<SignerId[]> => {
  if (written === undefined) return (await dependencies.keys.list()).map(({ id }) => id);
  const address = writtenAddressSchema.safeParse(written);
  if (!address.success) return [(await stageSigner(dependencies, written)).id];
  return [signerIdOf({ chainId: dependencies.chain.chainId, address: address.data })];
};

/**
 * The signers whose transactions are listed: the chosen one, or all. Signers whose key does not answer are listed for as
 * long as they have transactions that are not final.
 */
export const listedSigners = async (
  dependencies: ChosenSignerDependencies & { readonly signers: Pick<Signers, 'list'> },
  written: string | undefined,
): Promise<SignerId[]> => {
  const chosen = await chosenSigners(dependencies, written);
  if (written !== undefined) return chosen;
  const unfinished = (await dependencies.signers.list()).filter(hasUnfinishedWork);
  return [...new Set([...chosen, ...unfinished.map(({ id }) => id)])];
};

/**
 * The log entry of a nonce. Each signer's nonces start at 0, so several signers may have an entry with this nonce. If
 * exactly one of these entries is not final, that entry is chosen.
 *
 * @throws OperatorError when there is no entry, UsageError when several could be meant.
 */
export const chosenEntry = async (
  dependencies: ChosenSignerDependencies & { readonly transactionLog: Pick<TransactionLog, 'find'> },
  { nonce, signer }: { readonly nonce: number; readonly signer: string | undefined },
): Promise<LoggedEntry> => {
  const ids = await chosenSigners(dependencies, signer);
  const found = await Promise.all(ids.map((id) => dependencies.transactionLog.find({ signer: id, nonce })));
  const entries = found.filter((entry) => entry !== undefined);
  const undecided = entries.filter((entry) => !isDecided(entry));
  const [entry, ...others] = undecided.length === 0 ? entries : undecided;
  if (entry === undefined) throw new OperatorError({ message: `Nonce ${nonce} has no log entry.` });
  if (others.length === 0) return entry;
  const signers = [entry, ...others].map((each) => each.signer).join(', ');
  throw new UsageError({ message: `${signers} all have nonce ${nonce}: choose one with --signer.` });
};
