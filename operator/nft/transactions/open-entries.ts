import { checksummed } from '../../../shared/chain/hex.ts';
import type { Chain, Whereabouts } from '../../../shared/nft/ports/chain.ts';
import type { Signers } from '../../../shared/nft/ports/signers.ts';
import type { TransactionLog } from '../../../shared/nft/ports/transaction-log.ts';
import {
  addressOfSigner,
  currentAttempt,
  hashesOf,
  isDecided,
  type LoggedEntry,
  type SignerId,
} from '../../../shared/nft/transactions/entry.ts';
import { openEntries, openNoncesOf } from '../../../shared/nft/transactions/open-nonces.ts';
import { type ByKind, byKind } from '../../../shared/nft/transactions/purpose.ts';
import type { Clock } from '../../../shared/platform/time/clock.ts';
import { ifAnswered } from '../chain/if-answered.ts';

/** A nonce that was reserved and whose outcome is not final. */
export interface OpenNonce {
  readonly signer: SignerId;
  readonly nonce: number;
  /** `undefined` while a request that reserved the nonce is still running, or until the waiter fills the nonce gap. */
  readonly entry: LoggedEntry | undefined;
  /**
   * Whether one of the entry's transactions is mined or in a node's pool; `undefined` without an entry. `nonce-used`:
   * the signer's transaction count includes the nonce, but the RPC endpoint that was asked reports none of the entry's
   * transactions as mined. `unknown`: no RPC endpoint answers.
   */
  readonly place: Whereabouts | 'nonce-used' | 'unknown' | undefined;
  /** How long ago the entry's first transaction was signed, in milliseconds. */
  readonly age: number | undefined;
}

const bestPlace = (entry: LoggedEntry, places: ReadonlyMap<string, Whereabouts>): Whereabouts | undefined => {
  const found = hashesOf(entry).map((hash) => places.get(hash));
  return found.find((place) => place === 'mined') ?? found.find((place) => place === 'pool') ?? found[0];
};

export interface OpenNoncesDependencies {
  readonly chain: Pick<Chain, 'transactionCounts' | 'whereabouts'>;
  readonly transactionLog: Pick<TransactionLog, 'range'>;
  readonly signers: Pick<Signers, 'find'>;
  readonly clock: Clock;
}

/** All nonces of a signer whose outcome is not final, lowest first. */
export const openNonces = async (
  { chain, transactionLog, signers, clock }: OpenNoncesDependencies,
  signer: SignerId,
): Promise<OpenNonce[]> => {
  const state = await signers.find(signer);
  if (state === undefined) return [];
  const counts = await ifAnswered(chain.transactionCounts(addressOfSigner(signer)));
  const entries = await openEntries({ transactionLog }, state);
  const places =
    entries.length === 0 ? new Map() : await ifAnswered(chain.whereabouts(entries.flatMap(hashesOf)));
  const placeOf = (entry: LoggedEntry): OpenNonce['place'] => {
    if (counts === undefined || places === undefined) return 'unknown';
    const place = bestPlace(entry, places);
    return entry.nonce < counts.latest && place !== 'mined' ? 'nonce-used' : place;
  };
  const byNonce = new Map(entries.map((entry) => [entry.nonce, entry]));
  const open: OpenNonce[] = [];
  for (const nonce of openNoncesOf(state)) {
    const entry = byNonce.get(nonce);
    if (entry !== undefined && isDecided(entry)) continue;
    const [first] = entry?.attempts ?? [];
    open.push({
      signer,
      nonce,
      entry,
      place: entry && placeOf(entry),
      age: first && clock() - first.signedAt,
    });
  }
  return open;
};

const range = (from: string, to: string): string => (from === to ? from : `${from}–${to}`);

/** The kind of an entry, also of one that only a later release knows. */
export const kindOf = (purpose: LoggedEntry['purpose']): string =>
  purpose.kind === 'later' ? purpose.stored : purpose.kind;

interface PurposeDetails {
  /** The tokens that the entry is about: `7`, or `7–101` for a batch. */
  readonly token?: string;
  /** What the text of the purpose adds to its kind. */
  readonly also?: string;
}

const none = (): PurposeDetails => ({});
const details: ByKind<PurposeDetails> = {
  deploy: none,
  mint: ({ firstTokenId, destinations }) => ({
    token: range(firstTokenId, String(Number(firstTokenId) + destinations.length - 1)),
  }),
  claim: ({ tokenId, destination }) => ({ token: tokenId, also: `to ${checksummed(destination)}` }),
  'update-metadata': ({ from, to }) => ({ token: range(from, to) }),
  'update-contract-metadata': none,
  'set-royalty': ({ royalty }) => ({
    also:
      royalty === null ? 'to none' : `to ${royalty.basisPoints / 100} % for ${checksummed(royalty.receiver)}`,
  }),
  revoke: ({ tokenId }) => ({ token: tokenId }),
  'set-base': ({ base }) => ({ also: `to ${base}` }),
  noop: none,
};

const detailsOf = (purpose: LoggedEntry['purpose']): PurposeDetails =>
  purpose.kind === 'later' ? {} : byKind(details, purpose);

/** What an entry is for, in a few words. */
export const purposeText = (purpose: LoggedEntry['purpose']): string => {
  const { token, also } = detailsOf(purpose);
  const ofTokens = token === undefined ? '' : ` of token${token.includes('–') ? 's' : ''} ${token}`;
  return `${kindOf(purpose)}${ofTokens}${also === undefined ? '' : `, ${also}`}`;
};

/** What an entry is for, as columns of a table. */
export const purposeFields = ({ purpose }: LoggedEntry) => ({
  kind: kindOf(purpose),
  ...('contract' in purpose
    ? { application: purpose.applicationId, contract: purpose.contract }
    : { application: undefined, contract: undefined }),
  token: detailsOf(purpose).token,
});

export const isBeingCancelled = (entry: LoggedEntry): boolean => currentAttempt(entry).cancels === true;
