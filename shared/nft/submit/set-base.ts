import type { Address } from '../../chain/hex.ts';
import { encodeSetBase, setBaseGasLimit } from '../collections/collection.ts';
import type { Contracts } from '../ports/contracts.ts';
import { addressOfSigner, type Entry } from '../transactions/entry.ts';
import { knownFeeQuote } from '../transactions/fees.ts';
import { reserveNonce } from '../transactions/nonce.ts';
import { requireOwnContract } from './own-contract.ts';
import { recordTransaction } from './record-transaction.ts';
import { broadcastRecorded, type SubmitDependencies } from './steps.ts';

export type SetBaseDependencies = Omit<SubmitDependencies, 'counts' | 'supplies' | 'backpressure'> & {
  readonly contracts: Pick<Contracts, 'find'>;
};

export interface BaseChange {
  readonly applicationId: string;
  readonly contract: Address;
  /** The new base address, without a trailing slash. */
  readonly base: string;
}

/**
 * Records and sends the transaction that moves a collection's metadata to another base address. The steps are those of
 * a mint, but without an idempotency key or a daily limit. A repeated call sends another transaction, which changes
 * nothing more.
 */
export const setBase = async (
  dependencies: SetBaseDependencies,
  { applicationId, contract, base }: BaseChange,
): Promise<Entry> => {
  const startedAt = dependencies.clock();
  const signer = await requireOwnContract(dependencies, { applicationId, contract });
  const { id, state } = signer;
  const gas = setBaseGasLimit(base);
  const feeQuote = await knownFeeQuote(dependencies, { state, gas });
  await dependencies.requireFunds({ address: addressOfSigner(id), state, cost: gas * feeQuote.maxFeePerGas });

  const purpose = { kind: 'set-base', applicationId, contract, base } as const;
  const unsigned = { purpose, to: contract, data: encodeSetBase(base), gas };

  const reserved = await reserveNonce(dependencies, id);
  const recorded = await recordTransaction(dependencies, {
    signer,
    reserved,
    feeQuote,
    transaction: { unsigned },
    hold: undefined,
    startedAt,
  });
  if (recorded.outcome === 'repeated')
    throw new Error('A request without an idempotency key cannot get an earlier result');

  await broadcastRecorded(dependencies, { ...recorded, startedAt });
  return recorded.entry;
};
