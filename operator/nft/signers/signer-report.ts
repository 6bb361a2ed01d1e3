import { type Address, checksummed } from '../../../shared/chain/hex.ts';
import type { Chain } from '../../../shared/nft/ports/chain.ts';
import type { SignerState, Signers } from '../../../shared/nft/ports/signers.ts';
import type { TransactionLog } from '../../../shared/nft/ports/transaction-log.ts';
import {
  addressOfSigner,
  isDecided,
  type LoggedEntry,
  type SignerId,
} from '../../../shared/nft/transactions/entry.ts';
import type { KeyRing } from '../../../shared/nft/transactions/key-ring.ts';
import { openCount, openEntries } from '../../../shared/nft/transactions/open-nonces.ts';
import type { Applications } from '../../../shared/platform/applications/ports/applications.ts';
import { ifAnswered } from '../chain/if-answered.ts';

export interface ReportSignersDependencies {
  readonly chain: Pick<Chain, 'chainId' | 'transactionCounts' | 'balance' | 'fees'>;
  readonly keys: Pick<KeyRing, 'list'>;
  readonly applications: Pick<Applications, 'list'>;
  readonly signers: Pick<Signers, 'list'>;
  readonly transactionLog: Pick<TransactionLog, 'range'>;
}

/**
 * The current state of a signer, from the transaction log and from the chain. Amounts are in wei. Values that only the
 * chain knows are `undefined` when no RPC endpoint answers.
 */
export interface SignerReport {
  /** `undefined` for a signer whose key is not in the stage. */
  readonly number: number | undefined;
  readonly isDraining: boolean;
  /** The number of applications whose new collections this signer deploys. */
  readonly applications: number;
  readonly address: Address;
  readonly chainId: number;
  readonly balance: bigint | undefined;
  /** The highest possible cost of the unmined transactions that the waiter has read. */
  readonly committed: bigint;
  /** `undefined` for a signer that never sent a transaction. */
  readonly nextNonce: number | undefined;
  /** The number of mined transactions. When no RPC endpoint answers, it is the count of the waiter's last pass. */
  readonly mined: number;
  /** Nonces that are reserved and not mined. */
  readonly inFlight: number;
  /** Nonces whose outcome is not final, whether mined or not. */
  readonly undecided: number;
  /** The pending entry with the lowest nonce, and when it was first signed. */
  readonly oldestPending: { readonly nonce: number; readonly since: number } | undefined;
  readonly baseFeePerGas: bigint | undefined;
  readonly priorityFeePerGas: bigint | undefined;
}

const oldestOf = (entries: readonly LoggedEntry[]): SignerReport['oldestPending'] => {
  const oldest = entries.find((entry) => !isDecided(entry));
  const [first] = oldest?.attempts ?? [];
  return oldest && first && { nonce: oldest.nonce, since: first.signedAt };
};

interface Candidate extends Pick<SignerReport, 'number' | 'applications'> {
  readonly id: SignerId;
  readonly state: SignerState | undefined;
}

const reportOf = async (
  { chain, transactionLog }: Pick<ReportSignersDependencies, 'chain' | 'transactionLog'>,
  { id, number, applications, state }: Candidate,
): Promise<SignerReport> => {
  const address = addressOfSigner(id);
  const [counts, balance, fees, entries] = await Promise.all([
    ifAnswered(chain.transactionCounts(address)),
    ifAnswered(chain.balance(address)),
    ifAnswered(chain.fees()),
    state === undefined ? [] : openEntries({ transactionLog }, state),
  ]);
  const nextNonce = state?.nextNonce;
  const mined = counts?.latest ?? state?.minedCount ?? 0;
  return {
    number,
    isDraining: state?.isDraining === true,
    applications,
    address: checksummed(address),
    chainId: chain.chainId,
    balance,
    committed: state?.unminedCost ?? 0n,
    nextNonce,
    mined,
    inFlight: nextNonce === undefined ? 0 : Math.max(0, nextNonce - mined),
    undecided: state === undefined ? 0 : openCount(state),
    oldestPending: oldestOf(entries),
    baseFeePerGas: fees?.baseFeePerGas,
    priorityFeePerGas: fees?.maxPriorityFeePerGas,
  };
};

/** The stage's signers by number, then former signers that still own contracts. */
export const reportSigners = async (dependencies: ReportSignersDependencies): Promise<SignerReport[]> => {
  const { chain, keys, signers, applications } = dependencies;
  const [known, states, all] = await Promise.all([keys.list(), signers.list(), applications.list()]);
  const ofChain = states.filter(({ id }) => id.startsWith(`${chain.chainId}#`));
  const own = known.map(({ id, signer: { number } }) => ({ id, number }));
  const others = ofChain
    .filter(({ id }) => !own.some((each) => each.id === id))
    .map(({ id }) => ({ id, number: undefined }));
  return Promise.all(
    [...own, ...others].map(({ id, number }) =>
      reportOf(dependencies, {
        id,
        number,
        state: ofChain.find((state) => state.id === id),
        applications: all.filter(({ signer }) => signer === id).length,
      }),
    ),
  );
};
