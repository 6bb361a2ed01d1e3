import { decodeOwner, encodeOwnerOf, hasLogOf, hasMintLog } from '../collection/collection.ts';
import { hasUpdateLog, type UpdatePurpose, updateFor } from '../collection/updates.ts';
import {
  type Attempt,
  addressOfSigner,
  callOf,
  type Entry,
  firstSignedAt,
  hashesOf,
  lastAttempt,
  mintedTokens,
} from '../entry.ts';
import { ChainUnavailableError } from '../errors.ts';
import { type Hash, lowerCase } from '../hex.ts';
import type { BlockId, Chain, Receipt } from '../ports/chain.ts';
import type { Finalization, TransactionLog } from '../ports/transaction-log.ts';
import { findMaker } from './find-maker.ts';

export interface ReceiptVerdictDependencies {
  readonly chain: Pick<Chain, 'hasCode' | 'call' | 'lookUpReceipts' | 'findEvent' | 'revertReason'>;
  readonly transactionLog: Pick<TransactionLog, 'find'>;
}

type Verdict = Finalization['verdict'];
type Deploy = Entry['purpose'] & { readonly kind: 'deploy' };
type Mint = Entry['purpose'] & { readonly kind: 'mint' };
type SetBase = Entry['purpose'] & { readonly kind: 'set-base' };

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
): Promise<Entry[]> => {
  const earlier: Entry[] = [];
  for (let nonce = supersedes; nonce !== undefined; nonce = earlier.at(-1)?.supersedes) {
    const found = await transactionLog.find({ signer, nonce });
    if (found === undefined) break;
    earlier.push(found);
  }
  return earlier;
};

/**
 * Finds the hash of the transaction that did the entry's work. This may be another transaction than that of `receipt`.
 * If none is found, returns the hash of `receipt`.
 * @throws ChainUnavailableError when no endpoint answers. Then the entry keeps its status for now, because a new status
 * is stored together with the hash, and the hash cannot be corrected later.
 */
const makerHash = async (
  dependencies: ReceiptVerdictDependencies,
  {
    entries,
    receipt,
    at,
  }: { readonly entries: readonly [Entry, ...Entry[]]; readonly receipt: Receipt; readonly at: BlockId },
): Promise<Hash> => {
  const [entry] = entries;
  const maker = await findMaker(dependencies, { entry, since: Math.min(...entries.map(firstSignedAt)), at });
  if (maker.outcome === 'unknown') {
    throw new ChainUnavailableError({
      message: `No RPC endpoint says which transaction did the work of nonce ${entry.nonce}`,
    });
  }
  return maker.outcome === 'found' ? maker.transactionHash : receipt.transactionHash;
};

/**
 * A CREATE2 address depends on the code. So any code at the contract's address is the collection's code, whoever
 * deployed it. Therefore even a reverted or cancelled deployment counts as confirmed if the address has code.
 */
const deployVerdict = async (
  dependencies: ReceiptVerdictDependencies,
  {
    entry,
    receipt,
    purpose,
    at,
  }: { readonly entry: Entry; readonly receipt: Receipt; readonly purpose: Deploy; readonly at: BlockId },
): Promise<Verdict> => {
  const hash = receipt.transactionHash;
  const hasLog =
    receipt.status === 'success' && hasLogOf({ logs: receipt.logs, collection: purpose.contract });
  if (await dependencies.chain.hasCode(purpose.contract, at)) {
    if (hasLog) return { status: 'confirmed', hash };
    const isCancelled = minedAttempt(entry, receipt).cancels === true;
    if (isCancelled || receipt.status === 'reverted') {
      const entries = [entry, ...(await earlierEntries(dependencies, entry))] as const;
      return { status: 'confirmed', hash: await makerHash(dependencies, { entries, receipt, at }) };
    }
  }
  return failed(dependencies, {
    entry,
    receipt,
    silent: 'NOT_DEPLOYED: the transaction created no contract',
  });
};

const isMinted = (receipt: Receipt, purpose: Mint): boolean =>
  receipt.status === 'success' &&
  mintedTokens(purpose).every(({ destination, tokenId }) =>
    hasMintLog({
      logs: receipt.logs,
      collection: purpose.contract,
      destination,
      tokenId: BigInt(tokenId),
    }),
  );

/**
 * For a mint that supersedes earlier entries, finds out whether a transaction of these entries minted the tokens after
 * all. If so, the mint is confirmed. The proof is the earlier transaction's receipt, which was not found in time. If
 * there is still no receipt, the proof is the owner of the first token.
 */
const earlierMintVerdict = async (
  dependencies: ReceiptVerdictDependencies,
  {
    entry,
    receipt,
    purpose,
    at,
  }: { readonly entry: Entry; readonly receipt: Receipt; readonly purpose: Mint; readonly at: BlockId },
): Promise<Verdict | undefined> => {
  if (entry.supersedes === undefined) return undefined;
  const earlier = await earlierEntries(dependencies, entry);
  const lookups = await dependencies.chain.lookUpReceipts({
    hashes: earlier.flatMap(hashesOf),
    asOf: at.number,
  });
  for (const lookup of lookups.values()) {
    if (
      lookup.outcome === 'found' &&
      lookup.receipt.blockNumber <= at.number &&
      isMinted(lookup.receipt, purpose)
    ) {
      return { status: 'confirmed', hash: lookup.receipt.transactionHash };
    }
  }
  // A batch is minted whole or not at all, so only the first token is checked.
  const owner = await dependencies.chain.call(
    { to: purpose.contract, data: encodeOwnerOf(BigInt(purpose.firstTokenId)) },
    at,
  );
  if (owner.outcome !== 'returned') return undefined;
  const address = decodeOwner(owner.data);
  if (address === undefined || lowerCase(address) !== purpose.destinations[0]) return undefined;
  const entries = [entry, ...earlier] as const;
  return { status: 'confirmed', hash: await makerHash(dependencies, { entries, receipt, at }) };
};

const mintVerdict = async (
  dependencies: ReceiptVerdictDependencies,
  question: {
    readonly entry: Entry;
    readonly receipt: Receipt;
    readonly purpose: Mint;
    readonly at: BlockId;
  },
): Promise<Verdict> => {
  const { receipt, purpose } = question;
  if (isMinted(receipt, purpose)) return { status: 'confirmed', hash: receipt.transactionHash };
  const earlier = await earlierMintVerdict(dependencies, question);
  if (earlier !== undefined) return earlier;
  return failed(dependencies, { ...question, silent: 'CONTRACT_FAILED: there is no contract to mint into' });
};

const setBaseVerdict = async (
  dependencies: ReceiptVerdictDependencies,
  {
    entry,
    receipt,
    purpose,
  }: { readonly entry: Entry; readonly receipt: Receipt; readonly purpose: SetBase },
): Promise<Verdict> => {
  const isSet =
    receipt.status === 'success' && hasLogOf({ logs: receipt.logs, collection: purpose.contract });
  if (isSet) return { status: 'confirmed', hash: receipt.transactionHash };
  return failed(dependencies, {
    entry,
    receipt,
    silent: 'CONTRACT_FAILED: there is no contract whose base URL could be set',
  });
};

const updateVerdict = async (
  dependencies: ReceiptVerdictDependencies,
  {
    entry,
    receipt,
    purpose,
  }: { readonly entry: Entry; readonly receipt: Receipt; readonly purpose: UpdatePurpose },
): Promise<Verdict> => {
  const { logs, status, transactionHash: hash } = receipt;
  const isDone =
    status === 'success' && hasUpdateLog({ logs, collection: purpose.contract, update: updateFor(purpose) });
  if (isDone) return { status: 'confirmed', hash };
  return failed(dependencies, { entry, receipt, silent: 'CONTRACT_FAILED: there is no contract to change' });
};

/**
 * A revocation may supersede an earlier one. If the earlier transaction burnt the token after all, the later
 * transaction reverts. Even so, the later revocation is confirmed, because the token is burnt.
 */
const revocationVerdict = async (
  dependencies: ReceiptVerdictDependencies,
  question: {
    readonly entry: Entry;
    readonly receipt: Receipt;
    readonly purpose: UpdatePurpose & { readonly kind: 'revoke' };
    readonly at: BlockId;
  },
): Promise<Verdict> => {
  const { entry, at } = question;
  const verdict = await updateVerdict(dependencies, question);
  if (verdict.status === 'confirmed' || entry.supersedes === undefined) return verdict;
  const earlier = await earlierEntries(dependencies, entry);
  const since = Math.min(...[entry, ...earlier].map(firstSignedAt));
  const maker = await findMaker(dependencies, { entry, since, at });
  if (maker.outcome === 'unknown') {
    throw new ChainUnavailableError({
      message: `No RPC endpoint says whether the token of nonce ${entry.nonce} was burnt`,
    });
  }
  return maker.outcome === 'found' ? { status: 'confirmed', hash: maker.transactionHash } : verdict;
};

/**
 * Derives an entry's status from its final receipt. Only logs prove that the work was done: a call to an address
 * without code succeeds too, but emits no log.
 */
export const receiptVerdict = async (
  dependencies: ReceiptVerdictDependencies,
  { entry, receipt, at }: { readonly entry: Entry; readonly receipt: Receipt; readonly at: BlockId },
): Promise<Verdict> => {
  const { purpose } = entry;
  switch (purpose.kind) {
    case 'deploy':
      return deployVerdict(dependencies, { entry, receipt, purpose, at });
    case 'mint':
      return mintVerdict(dependencies, { entry, receipt, purpose, at });
    case 'update-metadata':
    case 'update-contract-metadata':
    case 'set-royalty':
      return updateVerdict(dependencies, { entry, receipt, purpose });
    case 'revoke':
      return revocationVerdict(dependencies, { entry, receipt, purpose, at });
    case 'set-base':
      return setBaseVerdict(dependencies, { entry, receipt, purpose });
    case 'fill':
      return { status: 'confirmed', hash: receipt.transactionHash };
  }
};
