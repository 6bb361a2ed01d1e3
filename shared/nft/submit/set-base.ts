import { encodeSetBase, setBaseGasLimit } from '../collection/collection.ts';
import { ContractFailedError, ContractNotFoundError, LogBusyError } from '../errors.ts';
import { type Address, ChainUnavailableError } from '../ports/chain.ts';
import type { Contracts } from '../ports/contracts.ts';
import { type Entry, signerIdOf } from '../transactions/entry.ts';
import { currentOffer } from '../transactions/fees.ts';
import { fillOwnGap } from '../transactions/gaps.ts';
import { isInFlight, takeNonce } from '../transactions/nonce.ts';
import { handlerDeadline } from '../transactions/settings.ts';
import { signEntry } from '../transactions/sign.ts';
import { recordSurely } from './record-transaction.ts';
import type { Accepting } from './submit.ts';

export interface SettingBase extends Accepting {
  readonly contracts: Pick<Contracts, 'find'>;
}

export interface BaseChange {
  readonly application: string;
  readonly contract: Address;
  /** Without a slash at its end. */
  readonly base: string;
}

const requireContract = async (
  { contracts }: SettingBase,
  { application, contract }: BaseChange,
  signer: string,
): Promise<void> => {
  const found = await contracts.find({ application, address: contract });
  if (found === undefined) throw new ContractNotFoundError({ address: contract });
  if (found.status === 'failed') {
    throw new ContractFailedError({ address: contract, reason: found.failureReason });
  }
  if (found.signer === signer) return;
  throw new ChainUnavailableError({
    message: `Contract ${contract} belongs to signer ${found.signer}, this stage has ${signer}`,
  });
};

/**
 * Logs and sends the transaction that moves a collection's metadata to another base address, by the same steps as
 * any other: refuse, take a nonce, log, send. Made again it is sent again, which changes nothing more.
 */
export const setBase = async (deps: SettingBase, change: BaseChange): Promise<Entry> => {
  const deadline = handlerDeadline(deps.clock());
  const { application, contract, base } = change;
  const address = await deps.signer.address();
  const signer = signerIdOf({ chainId: deps.chain.chainId, address });
  await requireContract(deps, change, signer);
  const gas = setBaseGasLimit(base);
  const [offer, before] = await Promise.all([
    currentOffer(deps.chain, deps.settings.feeCeiling),
    deps.signers.find(signer),
  ]);
  await deps.requireFunds({ address, state: before, cost: gas * offer.maxFeePerGas });

  const { nonce, state } = await takeNonce(deps, signer);
  try {
    const purpose = { kind: 'set-base', application, contract, base } as const;
    const draft = { purpose, to: contract, data: encodeSetBase(base), gas };
    const entry = await signEntry(deps, { signer, nonce, draft, offer });
    const { outcome } = await recordSurely(deps, { entry }, deadline);
    if (outcome !== 'recorded') {
      throw new LogBusyError({ message: `The log did not take nonce ${nonce}: ${outcome}` });
    }
    if (isInFlight({ nonce, minedCount: state.minedCount, cap: deps.settings.inFlightCap })) {
      for (const { raw } of entry.attempts) await deps.chain.broadcast(raw);
    }
    return entry;
  } catch (error) {
    await fillOwnGap(deps, { signer, nonce, offer });
    throw error;
  }
};
