import type { Address } from '../../chain/hex.ts';
import type { BlockId } from '../../chain/receipt.ts';
import { inParallel } from '../../platform/in-parallel.ts';
import type { TransactionCounts } from '../ports/chain.ts';
import type { MetricEvents, NftEvent } from '../ports/metrics.ts';
import type { SignerState } from '../ports/signers.ts';
import type { TransactionLog } from '../ports/transaction-log.ts';
import { addressOfSigner, isDecided, type LoggedEntry, type SignerId } from '../transactions/entry.ts';
import { rangesOf } from '../transactions/open-nonces.ts';

/**
 * What a pass, one call of the waiter's function, remembers between its rounds. This memory can be lost at any time
 * without harm, because every write is conditional on what was read.
 */
interface PassMemory {
  readonly id: SignerId;
  readonly address: Address;
  readonly entries: Map<number, LoggedEntry>;
  /**
   * For each nonce whose receipts are missing: when the waiter last found them missing, in milliseconds since the
   * epoch.
   */
  readonly missing: Map<number, number>;
  /**
   * The lowest unmined nonce, for how many rounds it has been the lowest, and when the endpoint was last rotated because
   * of it, in milliseconds since the epoch.
   */
  head: { readonly nonce: number; readonly rounds: number; readonly rotatedAt: number } | undefined;
  /** The newest final block seen, and when the pass first saw it. */
  finality: { readonly height: number; readonly since: number } | undefined;
  readonly raised: Set<string>;
  readonly done: { mined: number; readonly secondsToConfirmation: number[] };
}

export type Pass<Dependencies> = Dependencies & PassMemory;

export const newPass = <Dependencies extends object>(
  dependencies: Dependencies,
  id: SignerId,
): Pass<Dependencies> => ({
  ...dependencies,
  id,
  address: addressOfSigner(id),
  entries: new Map(),
  missing: new Map(),
  head: undefined,
  finality: undefined,
  raised: new Set(),
  done: { mined: 0, secondsToConfirmation: [] },
});

export const raiseOnce = (
  { id, events, raised }: Pass<{ readonly events: MetricEvents }>,
  event: NftEvent,
  fields: Readonly<Record<string, unknown>>,
): void => {
  if (raised.has(event)) return;
  raised.add(event);
  events.raise(event, { signer: id, ...fields });
};

/** What a round has read and works on. The signer's item is read before the chain. */
export interface View {
  readonly state: SignerState;
  readonly counts: TransactionCounts;
  /** `undefined` if no endpoint answers. Then all pending entries stay pending in this round. */
  readonly finalized: BlockId | undefined;
  /** How many transactions of the signer are final: mined up to `finalized`. 0 if this is not known. */
  readonly finalCount: number;
}

/**
 * The lowest nonce that still needs work. A nonce needs work until its transaction is final on the chain and the
 * outcome is stored in the log. It needs work again if a reorganization of the chain removes the transaction.
 */
export const firstOpen = ({ state, counts }: View): number => Math.min(state.finalizedCount, counts.latest);

const readsAtOnce = 16;

/**
 * Reads the log entries that need work: those with nonces from `firstOpen` upwards, and the reopened ones below. Leaves
 * out those that the pass has already read. Returns the nonces without an entry: `missing` from `firstOpen` upwards,
 * `lost` below.
 */
export const readLog = async (
  { id, entries, transactionLog }: Pass<{ readonly transactionLog: Pick<TransactionLog, 'range'> }>,
  view: View,
): Promise<{ readonly missing: readonly number[]; readonly lost: readonly number[] }> => {
  const { nextNonce, reopened } = view.state;
  const from = firstOpen(view);
  for (const [nonce, entry] of entries) {
    // The pass may have read the noop that the restored entry has replaced.
    const isOld = reopened.has(nonce) ? isDecided(entry) : nonce < from;
    if (isOld) entries.delete(nonce);
  }
  const unknown = () => {
    const nonces: number[] = [];
    for (let nonce = from; nonce < nextNonce; nonce += 1) if (!entries.has(nonce)) nonces.push(nonce);
    return nonces;
  };
  const [first] = unknown();
  const below = [...reopened].filter((nonce) => nonce < from && !entries.has(nonce));
  const ranges = [...rangesOf(below), ...(first === undefined ? [] : [{ from: first, to: nextNonce }])];
  await inParallel(ranges, {
    atOnce: readsAtOnce,
    run: async (range) => {
      for (const entry of await transactionLog.range({ signer: id, ...range }))
        entries.set(entry.nonce, entry);
    },
  });
  return { missing: unknown(), lost: below.filter((nonce) => !entries.has(nonce)) };
};
