import { checksummed } from '../../shared/nft/hex.ts';
import type { Address, Chain, Signer } from '../../shared/nft/ports/chain.ts';
import type { SignerState, Signers } from '../../shared/nft/ports/signers.ts';
import type { TransactionLog } from '../../shared/nft/ports/transaction-log.ts';
import { addressOfSigner, type Entry, signerIdOf } from '../../shared/nft/transactions/entry.ts';

export interface ReportSignersDependencies {
  readonly chain: Pick<Chain, 'chainId' | 'transactionCounts' | 'balance' | 'fees'>;
  readonly signer: Pick<Signer, 'address'>;
  readonly signers: Pick<Signers, 'list'>;
  readonly transactionLog: Pick<TransactionLog, 'range'>;
}

/** How a signer stands, by the log and by the chain at this moment. Amounts are in wei. */
export interface SignerReport {
  readonly address: Address;
  readonly chainId: number;
  readonly balance: bigint;
  /** What all that is unmined may cost at most. */
  readonly committed: bigint;
  /** `undefined` for a signer that never sent anything. */
  readonly nextNonce: number | undefined;
  readonly mined: number;
  /** Handed out and not mined. */
  readonly inFlight: number;
  /** Mined or not, and not decided. */
  readonly undecided: number;
  /** The lowest nonce that is not decided, if it has an entry. */
  readonly oldestPending: { readonly nonce: number; readonly since: number } | undefined;
  readonly baseFeePerGas: bigint;
  readonly priorityFeePerGas: bigint;
}

const oldestOf = (entries: readonly Entry[]): SignerReport['oldestPending'] => {
  const oldest = entries.find(({ status }) => status === 'pending');
  const [first] = oldest?.attempts ?? [];
  return oldest && first && { nonce: oldest.nonce, since: first.signedAt };
};

const reportOf = async (
  { chain, transactionLog }: Pick<ReportSignersDependencies, 'chain' | 'transactionLog'>,
  { address, state }: { readonly address: Address; readonly state: SignerState | undefined },
): Promise<SignerReport> => {
  const [counts, balance, fees, entries] = await Promise.all([
    chain.transactionCounts(address),
    chain.balance(address),
    chain.fees(),
    state === undefined
      ? []
      : transactionLog.range({ signer: state.id, from: state.finalizedCount, to: state.nextNonce }),
  ]);
  const nextNonce = state?.nextNonce;
  return {
    address: checksummed(address),
    chainId: chain.chainId,
    balance,
    committed: state?.unminedCost ?? 0n,
    nextNonce,
    mined: counts.latest,
    inFlight: nextNonce === undefined ? 0 : Math.max(0, nextNonce - counts.latest),
    undecided: state === undefined ? 0 : state.nextNonce - state.finalizedCount,
    oldestPending: oldestOf(entries),
    baseFeePerGas: fees.baseFeePerGas,
    priorityFeePerGas: fees.maxPriorityFeePerGas,
  };
};

/** The stage's own signer first, then those that were before it and still own contracts. */
export const reportSigners = async (dependencies: ReportSignersDependencies): Promise<SignerReport[]> => {
  const { chain, signer, signers } = dependencies;
  const own = signerIdOf({ chainId: chain.chainId, address: await signer.address() });
  const states = (await signers.list()).filter(({ id }) => id.startsWith(`${chain.chainId}#`));
  const ownState = states.find(({ id }) => id === own);
  const others = states.filter(({ id }) => id !== own);
  return Promise.all(
    [{ id: own, state: ownState }, ...others.map((state) => ({ id: state.id, state }))].map(({ id, state }) =>
      reportOf(dependencies, { address: addressOfSigner(id), state }),
    ),
  );
};
