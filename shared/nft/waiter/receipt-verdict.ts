import { ChainUnavailableError } from '../../chain/errors.ts';
import { lowerCase } from '../../chain/hex.ts';
import type { BlockId, Receipt } from '../../chain/receipt.ts';
import { decodeOwner, encodeOwnerOf, mintEvent } from '../collections/collection.ts';
import type { Chain, EventLookup } from '../ports/chain.ts';
import type { Finalization, TransactionLog } from '../ports/transaction-log.ts';
import {
  type Attempt,
  addressOfSigner,
  callOf,
  type Entry,
  firstSignedAt,
  hashesOf,
  type LoggedEntry,
  lastAttempt,
  mintedTokens,
} from '../transactions/entry.ts';
import {
  type BurningKind,
  burnsToken,
  isUpdate,
  type MintingKind,
  mintsTokens,
  type PurposeOf,
} from '../transactions/purpose.ts';
import { onChainOf } from './final-receipts.ts';
import { findMaker } from './find-maker.ts';
import { provesWork } from './proof.ts';

export interface ReceiptVerdictDependencies {
  readonly chain: Pick<
    Chain,
    'hasCode' | 'call' | 'lookUpReceipts' | 'blockHashes' | 'findEvent' | 'revertReason'
  >;
  readonly transactionLog: Pick<TransactionLog, 'find'>;
}

type Verdict = Finalization['verdict'];
type Deploy = PurposeOf<'deploy'>;
type Mint = PurposeOf<MintingKind>;

const minedAttempt = (entry: Entry, { transactionHash }: Receipt): Attempt =>
  entry.attempts.find(({ hash }) => hash === transactionHash) ?? lastAttempt(entry);

const failed = async (
  { chain }: ReceiptVerdictDependencies,
  { entry, receipt, silent }: { readonly entry: Entry; readonly receipt: Receipt; readonly silent: string },
): Promise<Verdict> => {
  const hash = receipt.transactionHash;
  const mined = minedAttempt(entry, receipt);
  if (mined.cancels === true)
    return { status: 'failed', hash, reason: 'CANCELLED: withdrawn by the operator' };
  if (receipt.status === 'success') return { status: 'failed', hash, reason: silent };
  const call = { from: addressOfSigner(entry.signer), ...callOf(mined) };
  const reason = await chain.revertReason(call, receipt.blockNumber);
  return { status: 'failed', hash, reason: reason === undefined ? 'REVERTED' : `REVERTED: ${reason}` };
};

/** The entries that this entry supersedes, directly or through other entries, newest first. */
const earlierEntries = async (
  { transactionLog }: Pick<ReceiptVerdictDependencies, 'transactionLog'>,
  { signer, supersedes }: Entry,
): Promise<LoggedEntry[]> => {
  const earlier: LoggedEntry[] = [];
  for (let nonce = supersedes; nonce !== undefined; nonce = earlier.at(-1)?.supersedes) {
    const found = await transactionLog.find({ signer, nonce });
    if (found === undefined) break;
    earlier.push(found);
  }
  return earlier;
};

interface VerdictQuestion {
  readonly entry: Entry;
  readonly receipt: Receipt;
  readonly at: BlockId;
}

const whyUnknown = (lookup: EventLookup, { nonce }: Entry): string =>
  lookup.outcome === 'unknown' && lookup.isTooLong === true
    ? `The search for the transaction that did the work of nonce ${nonce} goes back too far for one pass`
    : `No RPC endpoint says which transaction did the work of nonce ${nonce}`;

/** The work is there, and nothing did it. The entry keeps its status, because a hash cannot be corrected later. */
const makerUnknown = (lookup: EventLookup, entry: Entry): ChainUnavailableError =>
  new ChainUnavailableError({ message: whyUnknown(lookup, entry) });

/** When the first transaction of an entry, or of an entry that it supersedes, was signed. */
const since = (entries: readonly [Entry, ...LoggedEntry[]]): number =>
  Math.min(...entries.map(firstSignedAt));

/**
 * A CREATE2 address depends on the code. So any code at the contract's address is the collection's code, whoever
 * deployed it. Therefore even a reverted or cancelled deployment counts as confirmed if the address has code.
 * @throws ChainUnavailableError when the receipt proves the deployment and the address has no code, or when the address
 * has code and it is unknown which transaction created it.
 */
const deployVerdict = async (
  dependencies: ReceiptVerdictDependencies,
  { entry, receipt, purpose, at }: VerdictQuestion & { readonly purpose: Deploy },
): Promise<Verdict> => {
  if (await dependencies.chain.hasCode(purpose.contract, at)) {
    const isCancelled = minedAttempt(entry, receipt).cancels === true;
    // The deployment proxy's call succeeds only if it creates the contract.
    if (receipt.status === 'success' && !isCancelled) {
      return { status: 'confirmed', hash: receipt.transactionHash };
    }
    const earlier = await earlierEntries(dependencies, entry);
    const maker = await findMaker(dependencies, { entry, since: since([entry, ...earlier]), at });
    if (maker.outcome !== 'found') throw makerUnknown(maker, entry);
    return { status: 'confirmed', hash: maker.transactionHash };
  }
  if (provesWork(receipt, purpose)) {
    throw new ChainUnavailableError({
      message: `The deployment of nonce ${entry.nonce} emitted an event, but its contract has no code`,
    });
  }
  return failed(dependencies, {
    entry,
    receipt,
    silent: 'NOT_DEPLOYED: the transaction created no contract',
  });
};

/**
 * Whether another transaction may have done the entry's work: of an entry that it supersedes, or of a lost successor.
 */
const mayBeDone = ({ supersedes, reopened }: Entry): boolean =>
  supersedes !== undefined || reopened !== undefined;

/**
 * For a mint that supersedes earlier entries, or was restored, finds out whether another transaction minted the tokens
 * after all. If so, this mint counts as confirmed. The proof is the receipt of an earlier transaction, which was not
 * found in time. If there is still no receipt, the proof is the event that minted the first token to its destination,
 * which may have sold it since. Another mint may have used the id, if a counter of ids was lost.
 * @throws ChainUnavailableError when the destination owns the token and no endpoint shows its mint, or when no endpoint
 * answers.
 */
const earlierMintVerdict = async (
  dependencies: ReceiptVerdictDependencies,
  { entry, purpose, at }: VerdictQuestion & { readonly purpose: Mint },
): Promise<Verdict | undefined> => {
  if (!mayBeDone(entry)) return undefined;
  const { chain } = dependencies;
  const earlier = await earlierEntries(dependencies, entry);
  const lookups = await chain.lookUpReceipts({ hashes: earlier.flatMap(hashesOf), at });
  const receipts = [...lookups.values()].flatMap((lookup) =>
    lookup.outcome === 'found' ? lookup.receipts : [],
  );
  const proof = (await onChainOf(dependencies, { receipts, at })).find((one) => provesWork(one, purpose));
  if (proof !== undefined) return { status: 'confirmed', hash: proof.transactionHash };
  // A batch is minted whole or not at all, so only the first token is checked.
  const [first] = mintedTokens(purpose);
  const owner = await chain.call({ to: purpose.contract, data: encodeOwnerOf(BigInt(first.tokenId)) }, at);
  if (owner.outcome !== 'returned') return undefined;
  const address = decodeOwner(owner.data);
  if (address === undefined) return undefined;
  const { tokenId, destination } = first;
  const maker = await chain.findEvent({
    ...mintEvent({ collection: purpose.contract, tokenId: BigInt(tokenId), destination }),
    since: since([entry, ...earlier]),
    at,
    isUnlimited: entry.reopened !== undefined,
  });
  if (maker.outcome === 'found') return { status: 'confirmed', hash: maker.transactionHash };
  if (maker.outcome === 'absent' && lowerCase(address) !== destination) return undefined;
  throw makerUnknown(maker, entry);
};

const mintVerdict = async (
  dependencies: ReceiptVerdictDependencies,
  question: VerdictQuestion & { readonly purpose: Mint },
): Promise<Verdict> =>
  (await earlierMintVerdict(dependencies, question)) ??
  failed(dependencies, { ...question, silent: 'CONTRACT_FAILED: there is no contract to mint into' });

const noContract = 'CONTRACT_FAILED: there is no contract to change';

/**
 * A burn may supersede an earlier one, or its successor may be lost. If the other transaction burnt the token, this one
 * reverts. Even so, the burn is confirmed, because the token is burnt.
 */
const burnVerdict = async (
  dependencies: ReceiptVerdictDependencies,
  question: VerdictQuestion & { readonly purpose: PurposeOf<BurningKind> },
): Promise<Verdict> => {
  const { entry, at } = question;
  const notBurnt = () => failed(dependencies, { ...question, silent: noContract });
  if (!mayBeDone(entry)) return notBurnt();
  const earlier = await earlierEntries(dependencies, entry);
  const maker = await findMaker(dependencies, { entry, since: since([entry, ...earlier]), at });
  if (maker.outcome === 'unknown') throw makerUnknown(maker, entry);
  return maker.outcome === 'found' ? { status: 'confirmed', hash: maker.transactionHash } : notBurnt();
};

/**
 * Derives an entry's status from its final receipt. A receipt that does not prove the entry's work must be one on which
 * enough witnesses of the block `at` agree.
 * @throws ChainUnavailableError when data is missing or contradictory. Then the entry waits.
 */
export const receiptVerdict = async (
  dependencies: ReceiptVerdictDependencies,
  { entry, receipt, at }: VerdictQuestion,
): Promise<Verdict> => {
  const { purpose } = entry;
  if (purpose.kind === 'deploy') return deployVerdict(dependencies, { entry, receipt, purpose, at });
  if (purpose.kind === 'noop' || provesWork(receipt, purpose)) {
    return { status: 'confirmed', hash: receipt.transactionHash };
  }
  if (mintsTokens(purpose)) return mintVerdict(dependencies, { entry, receipt, purpose, at });
  if (burnsToken(purpose)) return burnVerdict(dependencies, { entry, receipt, purpose, at });
  if (isUpdate(purpose)) return failed(dependencies, { entry, receipt, silent: noContract });
  switch (purpose.kind) {
    case 'set-base':
      return failed(dependencies, {
        entry,
        receipt,
        silent: 'CONTRACT_FAILED: there is no contract whose base URL could be set',
      });
  }
};
