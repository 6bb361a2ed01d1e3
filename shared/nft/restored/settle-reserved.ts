import type { Address } from '../../chain/hex.ts';
import type { BlockId } from '../../chain/receipt.ts';
import { inParallel } from '../../platform/in-parallel.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Chain } from '../ports/chain.ts';
import type { Contracts } from '../ports/contracts.ts';
import type { Nfts } from '../ports/nfts.ts';
import type { RestoredEntries } from '../ports/restored-entries.ts';
import type { Signers } from '../ports/signers.ts';
import type { TransactionLog } from '../ports/transaction-log.ts';
import type { CollectionKey, NftKey } from '../tokens/nft.ts';
import { addressOfSigner, type Entry, type SignerId } from '../transactions/entry.ts';
import { type ReserveNonceDependencies, stateOf } from '../transactions/nonce.ts';
import { ownerAt } from './minted-after.ts';
import { newQuestions } from './questions.ts';

/** A reserved token that its table has lost, as it was at the moment. */
export interface LostReservation extends CollectionKey {
  readonly tokenId: string;
  /**
   * Stores the token where the table has none: reserved, or minted to its owner if it has one. Its claim, which was
   * recorded after the moment, is then known no more. Returns whether the token is settled.
   */
  readonly store: (owner: Address | undefined) => Promise<boolean>;
}

export interface SettleReservedDependencies extends Omit<ReserveNonceDependencies, 'signers' | 'chain'> {
  readonly chain: ReserveNonceDependencies['chain'] & Pick<Chain, 'call'>;
  readonly signers: Pick<Signers, 'find' | 'create'>;
  readonly transactionLog: Pick<TransactionLog, 'find' | 'range'>;
  readonly contracts: Pick<Contracts, 'find'>;
  readonly nfts: Pick<Nfts, 'find'>;
  readonly restoredEntries: Pick<RestoredEntries, 'confirmReserved'>;
  readonly logger: Pick<Logger, 'info'>;
  /** Waits until the chain may have another final block. */
  readonly wait: () => Promise<void>;
}

const settlesAtOnce = 16;
/** How many tokens are settled as of one block. Nodes forget the state of a block after some minutes. */
const tokensOfBlock = 1_000;

/**
 * Whether the token is reserved again, or will be if a claim fails that the waiter is about to decide. Nothing decides a
 * pending token whose claim is lost.
 */
const mayReturn = async (
  { nfts, transactionLog }: SettleReservedDependencies,
  { signer, token }: { readonly signer: SignerId; readonly token: NftKey },
): Promise<boolean> => {
  const before = await nfts.find(token);
  if (before?.status !== 'pending') return before?.status === 'reserved';
  const claim = await transactionLog.find({ signer, nonce: before.nonce });
  if (claim?.status === 'pending') return true;
  // One write decides a claim and its token, perhaps since the token was read.
  const now = await nfts.find(token);
  return now?.status !== 'pending' || now.nonce !== before.nonce;
};

/**
 * Tokens whose claims were pending at the restored moment. If such a claim has failed, a later claim may have minted
 * the token. Meanwhile, its user may have claimed it once more.
 */
const claimedIn = (dependencies: SettleReservedDependencies, entries: readonly Entry[]): LostReservation[] =>
  entries.flatMap(({ signer, purpose: token }) =>
    token.kind === 'claim'
      ? [
          {
            ...token,
            store: async (owner) =>
              owner === undefined ||
              (await dependencies.restoredEntries.confirmReserved(token, owner)) ||
              !(await mayReturn(dependencies, { signer, token })),
          },
        ]
      : [],
  );

/**
 * Brings reserved tokens back. They may have been claimed after the moment, and the chain alone knows it. So each one
 * waits until all nonces are final that its signer had reserved when this began: after that, no lost claim can mint it.
 * If it is cut off and run again, it ends the same.
 */
export const settleReserved = async (
  dependencies: SettleReservedDependencies,
  {
    lost,
    entries,
    onProgress = () => {},
  }: {
    readonly lost: readonly LostReservation[];
    /** The entries that were pending at the moment. */
    readonly entries: readonly Entry[];
    readonly onProgress?: (left: number) => void;
  },
): Promise<void> => {
  const { chain, contracts, logger, wait } = dependencies;
  const nonces = new Map<SignerId, number>();

  const isDone = async (collection: CollectionKey, at: BlockId): Promise<boolean> => {
    const { applicationId, contract: address } = collection;
    const signer = (await contracts.find({ applicationId, address }))?.signer;
    if (signer === undefined) return true;
    const count = nonces.get(signer) ?? (await stateOf(dependencies, signer)).nextNonce;
    nonces.set(signer, count);
    return (await chain.minedCountAt(addressOfSigner(signer), at)) >= count;
  };
  /** Settles tokens of a collection. Returns those that must wait. */
  const settle = async (
    collection: CollectionKey,
    tokens: readonly LostReservation[],
  ): Promise<readonly LostReservation[]> => {
    const { ask, lastError } = newQuestions();
    const left = await ask(async () => {
      const at = await chain.finalizedBlock();
      if (!(await isDone(collection, at))) return tokens;
      const areSettled = await inParallel(tokens, {
        atOnce: settlesAtOnce,
        run: ({ contract, tokenId, store }) =>
          ask(async () => store(await ownerAt({ chain }, { contract, id: Number(tokenId), at }))),
      });
      return tokens.filter((_, index) => areSettled[index]?.answer !== true);
    });
    const error = lastError();
    if (error !== undefined)
      logger.info('Too few RPC endpoints answer, so it is not known yet who owns reserved tokens', { error });
    return left?.answer ?? tokens;
  };

  const groups = new Map<string, { readonly key: CollectionKey; readonly tokens: LostReservation[] }>();
  const counts = new Map<string, number>();
  for (const token of [...lost, ...claimedIn(dependencies, entries)]) {
    const collection = `${token.applicationId} ${token.contract}`;
    const count = counts.get(collection) ?? 0;
    counts.set(collection, count + 1);
    const name = `${collection} ${Math.floor(count / tokensOfBlock)}`;
    const known = groups.get(name);
    if (known === undefined) groups.set(name, { key: token, tokens: [token] });
    else known.tokens.push(token);
  }
  while (groups.size > 0) {
    onProgress([...groups.values()].reduce((sum, { tokens }) => sum + tokens.length, 0));
    for (const [name, { key, tokens }] of groups) {
      const left = await settle(key, tokens);
      if (left.length === 0) groups.delete(name);
      else groups.set(name, { key, tokens: [...left] });
    }
    if (groups.size > 0) await wait();
  }
};
