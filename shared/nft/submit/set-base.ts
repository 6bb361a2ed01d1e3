import { encodeSetBase, setBaseGasLimit } from '../collection/collection.ts';
import { addressOfSigner, type Entry } from '../entry.ts';
import { LogBusyError } from '../errors.ts';
import type { Address } from '../hex.ts';
import type { Contracts } from '../ports/contracts.ts';
import { knownOffer } from '../transactions/fees.ts';
import { handlerDeadline } from '../transactions/settings.ts';
import { withNonce } from '../transactions/with-nonce.ts';
import { requireOwnContract } from './own-contract.ts';
import { recordPatiently, writeBudget } from './record-transaction.ts';
import { broadcastRecorded, type SubmitDependencies } from './submit.ts';

export type SetBaseDependencies = Omit<SubmitDependencies, 'counts' | 'logHeat'> & {
  readonly contracts: Pick<Contracts, 'find'>;
};

export interface BaseChange {
  readonly application: string;
  readonly contract: Address;
  /** Without a slash at its end. */
  readonly base: string;
}

/**
 * Records and sends the transaction that moves a collection's metadata to another base address, by the same steps as
 * a mint but without a key or a quota. Made again it is sent again, which changes nothing more.
 */
export const setBase = async (
  dependencies: SetBaseDependencies,
  { application, contract, base }: BaseChange,
): Promise<Entry> => {
  const startedAt = dependencies.clock();
  const { id, signer } = await requireOwnContract(dependencies, { application, contract });
  const before = await dependencies.signers.find(id);
  const gas = setBaseGasLimit(base);
  const offer = await knownOffer(dependencies, { state: before, gas });
  await dependencies.requireFunds({
    address: addressOfSigner(id),
    state: before,
    cost: gas * offer.maxFeePerGas,
  });

  const purpose = { kind: 'set-base', application, contract, base } as const;
  const { entry, state } = await withNonce(
    { ...dependencies, signer },
    {
      signer: id,
      draft: { purpose, to: contract, data: encodeSetBase(base), gas },
      offer,
      write: async (signed) => {
        const recording = { entry: signed.entry };
        const { outcome } = await recordPatiently(dependencies, {
          recording,
          budget: writeBudget(),
          deadline: handlerDeadline(startedAt),
        });
        if (outcome === 'recorded') return { outcome: signed, isNonceUsed: true };
        throw new LogBusyError({ message: `The log did not take nonce ${signed.entry.nonce}: ${outcome}` });
      },
    },
  );

  await broadcastRecorded(dependencies, { entry, state, startedAt });
  return entry;
};
