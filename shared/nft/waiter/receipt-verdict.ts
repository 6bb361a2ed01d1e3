import { decodeOwner, encodeOwnerOf, hasLogOf, hasMintLog } from '../collection/collection.ts';
import { lowerCase } from '../hex.ts';
import type { BlockId, Chain, Receipt } from '../ports/chain.ts';
import type { Decision, TransactionLog } from '../ports/transaction-log.ts';
import {
  type Attempt,
  addressOfSigner,
  callOf,
  type Entry,
  hashesOf,
  lastAttempt,
} from '../transactions/entry.ts';

export interface Judging {
  readonly chain: Chain;
  readonly log: TransactionLog;
}

type Verdict = Decision['verdict'];
type Deploy = Entry['purpose'] & { readonly kind: 'deploy' };
type Mint = Entry['purpose'] & { readonly kind: 'mint' };
type SetBase = Entry['purpose'] & { readonly kind: 'set-base' };

/** Which of the entry's transactions this is the receipt of. */
const minedAttempt = (entry: Entry, { transactionHash }: Receipt): Attempt =>
  entry.attempts.find(({ hash }) => hash === transactionHash) ?? lastAttempt(entry);

const failed = async (
  { chain }: Judging,
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

/**
 * Code at the address is the collection, whoever put it there: the address follows from the code. What a
 * reverted deployment ran into is therefore what it was to make, and so is what stands there although the
 * deployment was cancelled.
 */
const judgeDeploy = async (
  deps: Judging,
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
  if (await deps.chain.hasCode(purpose.contract, at)) {
    const isCancelled = minedAttempt(entry, receipt).cancels === true;
    if (hasLog || isCancelled || receipt.status === 'reverted') return { status: 'confirmed', hash };
  }
  return failed(deps, { entry, receipt, silent: 'NOT_DEPLOYED: the transaction made no contract' });
};

const isMinted = (receipt: Receipt, { contract, destination, tokenId }: Mint): boolean =>
  receipt.status === 'success' &&
  hasMintLog({ logs: receipt.logs, collection: contract, destination, tokenId: BigInt(tokenId) });

/**
 * A mint that took over another's work may find the token made after all: by that other one, whose receipt was
 * not to be found, or by a transaction that nobody remembers.
 */
const judgeEarlierMint = async (
  deps: Judging,
  {
    entry,
    receipt,
    purpose,
    at,
  }: { readonly entry: Entry; readonly receipt: Receipt; readonly purpose: Mint; readonly at: BlockId },
): Promise<Verdict | undefined> => {
  if (entry.supersedes === undefined) return undefined;
  const earlier: Entry[] = [];
  for (
    let nonce: number | undefined = entry.supersedes;
    nonce !== undefined;
    nonce = earlier.at(-1)?.supersedes
  ) {
    const found = await deps.log.find({ signer: entry.signer, nonce });
    if (found === undefined) break;
    earlier.push(found);
  }
  const lookups = await deps.chain.lookUpReceipts({ hashes: earlier.flatMap(hashesOf), asOf: at.number });
  for (const lookup of lookups.values()) {
    if (
      lookup.outcome === 'found' &&
      lookup.receipt.blockNumber <= at.number &&
      isMinted(lookup.receipt, purpose)
    ) {
      return { status: 'confirmed', hash: lookup.receipt.transactionHash };
    }
  }
  const owner = await deps.chain.call(
    { to: purpose.contract, data: encodeOwnerOf(BigInt(purpose.tokenId)) },
    at,
  );
  if (owner.outcome !== 'returned') return undefined;
  const address = decodeOwner(owner.data);
  return address !== undefined && lowerCase(address) === purpose.destination
    ? { status: 'confirmed', hash: receipt.transactionHash }
    : undefined;
};

const judgeMint = async (
  deps: Judging,
  question: {
    readonly entry: Entry;
    readonly receipt: Receipt;
    readonly purpose: Mint;
    readonly at: BlockId;
  },
): Promise<Verdict> => {
  const { receipt, purpose } = question;
  if (isMinted(receipt, purpose)) return { status: 'confirmed', hash: receipt.transactionHash };
  const earlier = await judgeEarlierMint(deps, question);
  if (earlier !== undefined) return earlier;
  return failed(deps, { ...question, silent: 'CONTRACT_FAILED: there is no contract to mint into' });
};

const judgeSetBase = async (
  deps: Judging,
  {
    entry,
    receipt,
    purpose,
  }: { readonly entry: Entry; readonly receipt: Receipt; readonly purpose: SetBase },
): Promise<Verdict> => {
  const isSet =
    receipt.status === 'success' && hasLogOf({ logs: receipt.logs, collection: purpose.contract });
  if (isSet) return { status: 'confirmed', hash: receipt.transactionHash };
  return failed(deps, { entry, receipt, silent: 'CONTRACT_FAILED: there is no contract to set it in' });
};

/** What a final receipt says of what its entry was for. Only logs count: a call into nothing succeeds as well. */
export const judge = async (
  deps: Judging,
  { entry, receipt, at }: { readonly entry: Entry; readonly receipt: Receipt; readonly at: BlockId },
): Promise<Verdict> => {
  const { purpose } = entry;
  switch (purpose.kind) {
    case 'deploy':
      return judgeDeploy(deps, { entry, receipt, purpose, at });
    case 'mint':
      return judgeMint(deps, { entry, receipt, purpose, at });
    case 'set-base':
      return judgeSetBase(deps, { entry, receipt, purpose });
    case 'fill':
      return { status: 'confirmed', hash: receipt.transactionHash };
  }
};
