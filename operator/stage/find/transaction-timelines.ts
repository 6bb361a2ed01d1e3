import { type Address, checksummed, type Hash } from '../../../shared/chain/hex.ts';
import type { Holds, KeyState } from '../../../shared/nft/ports/holds.ts';
import type { Signers } from '../../../shared/nft/ports/signers.ts';
import type { TransactionLog } from '../../../shared/nft/ports/transaction-log.ts';
import { keptKey } from '../../../shared/nft/submit/idempotency.ts';
import {
  addressOfSigner,
  hashesOf,
  type LoggedEntry,
  signerIdOf,
} from '../../../shared/nft/transactions/entry.ts';
import type { KeyRing } from '../../../shared/nft/transactions/key-ring.ts';
import { openEntries } from '../../../shared/nft/transactions/open-nonces.ts';
import type { Applications } from '../../../shared/platform/applications/ports/applications.ts';
import { inParallel } from '../../../shared/platform/in-parallel.ts';
import { ifAnswered } from '../../nft/chain/if-answered.ts';
import { type EntryTimelineDependencies, entryTimeline } from './entry-timeline.ts';
import { moment, type Timeline, unknown } from './timeline.ts';

export interface TransactionTimelineDependencies extends EntryTimelineDependencies {
  readonly chainId: number;
  readonly applications: Pick<Applications, 'list'>;
  readonly holds: Pick<Holds, 'ofKey'>;
  readonly keys: Pick<KeyRing, 'list'>;
  readonly signers: Pick<Signers, 'list'>;
  readonly transactionLog: Pick<TransactionLog, 'find' | 'range'>;
  /** Reads the sender of a transaction from an RPC endpoint. `undefined` if no RPC endpoint knows the transaction. */
  readonly senderOf: (hash: Hash) => Promise<{ readonly from: Address; readonly nonce: number } | undefined>;
}

/** The log entries with this nonce. Each signer may have one. */
export const findNonce = async (
  dependencies: TransactionTimelineDependencies,
  nonce: number,
): Promise<Timeline[]> => {
  const states = await dependencies.signers.list();
  const entries = await Promise.all(
    states.map(({ id }) => dependencies.transactionLog.find({ signer: id, nonce })),
  );
  return Promise.all(
    entries.filter((entry) => entry !== undefined).map((entry) => entryTimeline(dependencies, entry)),
  );
};

/**
 * How many log entries of each signer are searched for a hash, starting at the first nonce that is not final.
 * Transactions with much higher nonces have usually not been broadcast yet.
 */
const lookedAt = 1_000;

const undecidedWith = async (
  { signers, transactionLog }: Pick<TransactionTimelineDependencies, 'signers' | 'transactionLog'>,
  hash: Hash,
): Promise<LoggedEntry | undefined> => {
  for (const state of await signers.list()) {
    const some = await openEntries({ transactionLog }, state, state.finalizedCount + lookedAt);
    const found = some.find((entry) => hashesOf(entry).includes(hash));
    if (found !== undefined) return found;
  }
  return undefined;
};

const chainText = async (
  { chain }: Pick<TransactionTimelineDependencies, 'chain'>,
  hash: Hash,
): Promise<string> =>
  (await ifAnswered(chain.receipts([hash]))) === undefined
    ? 'no RPC endpoint says who sent this transaction'
    : 'the chain has no transaction with this hash';

/**
 * Finds the log entry of a transaction. If an RPC endpoint knows the transaction, finds the entry by sender and nonce.
 * Otherwise, for example if the attempt was replaced, searches the log entries that are not final.
 */
export const findHash = async (
  dependencies: TransactionTimelineDependencies,
  hash: Hash,
): Promise<Timeline> => {
  const sender = await dependencies.senderOf(hash);
  const entry =
    sender === undefined
      ? await undecidedWith(dependencies, hash)
      : await dependencies.transactionLog.find({
          signer: signerIdOf({ chainId: dependencies.chainId, address: sender.from }),
          nonce: sender.nonce,
        });
  if (entry !== undefined && hashesOf(entry).includes(hash)) return entryTimeline(dependencies, entry);
  const fields = sender === undefined ? {} : { sender: sender.from, nonce: sender.nonce };
  const what =
    sender === undefined
      ? `${await chainText(dependencies, hash)}, and this hash is not in the first ${lookedAt} non-final log entries of any signer. To find any other entry, use its nonce`
      : 'the transaction is on the chain, but the transaction log has no entry with its hash';
  return { kind: 'transaction', id: hash, fields, moments: [unknown(what)], related: [], commands: [] };
};

/** Finds a present or former signer of the stage by its address. */
export const findSigner = async (
  { keys, signers, chainId }: Pick<TransactionTimelineDependencies, 'keys' | 'signers' | 'chainId'>,
  address: Address,
): Promise<Timeline | undefined> => {
  const id = signerIdOf({ chainId, address });
  const [known, states] = await Promise.all([keys.list(), signers.list()]);
  const own = known.find((each) => each.id === id);
  const state = states.find((each) => each.id === id);
  if (own === undefined && state === undefined) return undefined;
  return {
    kind: 'signer',
    id: checksummed(addressOfSigner(id)),
    fields: {
      number: own?.signer.number,
      draining: state?.isDraining,
      next_nonce: state?.nextNonce,
      mined: state?.minedCount,
      decided: state?.finalizedCount,
    },
    moments:
      state === undefined
        ? [moment(undefined, 'the signer has not sent a transaction yet')]
        : [moment(state.lastTakenAt, `nonce ${state.nextNonce - 1}, the newest so far, was reserved`)],
    related: [],
    commands: ['signers', `transactions list --signer ${addressOfSigner(id)}`],
  };
};

const keyTimeline = (
  key: string,
  { applicationId, operation, state }: { applicationId: string; operation: string; state: KeyState },
): Timeline => {
  const base = { kind: 'idempotency key', id: key, commands: [] };
  const fields = { application: applicationId, request: operation, state: state.state };
  if (state.state === 'held') {
    return {
      ...base,
      fields,
      moments: [
        unknown('when the key was first used is not recorded'),
        moment(
          state.leaseUntil,
          'the first request with this key has no recorded result yet; the key stays in use until this time at most',
        ),
      ],
      related: [applicationId],
    };
  }
  const { result } = state;
  const address = checksummed(result.address);
  const made =
    result.kind === 'nfts'
      ? [...new Set([result.from, result.to])].map((tokenId) => `${address}/${tokenId}`)
      : [address];
  return {
    ...base,
    fields,
    moments: [
      moment(undefined, `${operation.startsWith('POST ') ? 'created' : 'changed'} ${made.join(' to ')}`),
    ],
    related: [...made, applicationId],
  };
};

/** Finds the requests that any application sent with this idempotency key. */
export const findIdempotencyKey = async (
  { applications, holds }: Pick<TransactionTimelineDependencies, 'applications' | 'holds'>,
  key: string,
): Promise<Timeline[]> => {
  const found = await inParallel(await applications.list(), {
    atOnce: 10,
    run: async ({ id }) =>
      (await holds.ofKey({ applicationId: id, key: keptKey(key) })).map((each) =>
        keyTimeline(key, { applicationId: id, ...each }),
      ),
  });
  return found.flat();
};
