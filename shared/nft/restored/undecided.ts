import { inParallel } from '../../platform/in-parallel.ts';
import type { Contracts } from '../ports/contracts.ts';
import type { TransactionLog } from '../ports/transaction-log.ts';
import type { CollectionKey } from '../tokens/nft.ts';
import { type Entry, isKnownEntry } from '../transactions/entry.ts';
import type { LostReservation } from './settle-reserved.ts';

/** What can be decided only after the items are restored. */
export interface Undecided {
  /** Entries of the restored log that were pending. */
  readonly entries: Entry[];
  /** Collections and tokens of which something is pending, with the nonces of the entries that decide it. */
  readonly resources: (CollectionKey & { readonly nonce: number })[];
  /** Reserved tokens that the live table lacks. */
  readonly reservations: LostReservation[];
}

export const nothingUndecided = (): Undecided => ({ entries: [], resources: [], reservations: [] });

const readsAtOnce = 16;

/**
 * The entries that decide what was pending in restored tables: entries that were pending themselves, and the entries of
 * contracts and tokens that were pending or had a pending change.
 */
export const undecidedEntries = async (
  {
    contracts,
    transactionLog,
  }: {
    readonly contracts: Pick<Contracts, 'find'>;
    readonly transactionLog: Pick<TransactionLog, 'find'>;
  },
  { entries, resources }: Pick<Undecided, 'entries' | 'resources'>,
): Promise<Entry[]> => {
  const nameOf = ({ signer, nonce }: Pick<Entry, 'signer' | 'nonce'>): string => `${signer} ${nonce}`;
  const found = new Map(entries.map((entry) => [nameOf(entry), entry]));
  const named = new Map(resources.map((each) => [JSON.stringify(each), each]));
  await inParallel([...named.values()], {
    atOnce: readsAtOnce,
    run: async ({ applicationId, contract: address, nonce }) => {
      const signer = (await contracts.find({ applicationId, address }))?.signer;
      if (signer === undefined || found.has(nameOf({ signer, nonce }))) return;
      const entry = await transactionLog.find({ signer, nonce });
      if (entry !== undefined && isKnownEntry(entry)) found.set(nameOf(entry), entry);
    },
  });
  return [...found.values()];
};
