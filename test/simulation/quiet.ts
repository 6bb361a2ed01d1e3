/**
 * Checks a world after all work has ended: everything that was promised exists exactly once, and the chain agrees with
 * the tables.
 */

import type { Contract } from '../../shared/nft/collections/contract.ts';
import type { PartChange } from '../../shared/nft/collections/part-change.ts';
import { unminted } from '../../shared/nft/reservations/stand-in.ts';
import { counterKey } from '../../shared/nft/store/nft-items.ts';
import { changeFields, isBurnt } from '../../shared/nft/tokens/gone.ts';
import type { Nft } from '../../shared/nft/tokens/nft.ts';
import {
  hashesOf,
  isKnownEntry,
  type LoggedEntry,
  mintedTokens,
} from '../../shared/nft/transactions/entry.ts';
import { isUpdate, mintsTokens, type Purpose } from '../../shared/nft/transactions/purpose.ts';
import type { Application } from '../../shared/platform/applications/application.ts';
import type { Answer } from './answer.ts';
import type { SimulatedChain } from './chain.ts';
import type { Loss } from './loss.ts';
import { stage } from './service.ts';
import type { Store } from './store.ts';
import { contractsIn, entriesIn, markedIn, numberIn, tokensIn } from './stored.ts';
import { mintedIn, mintsOf } from './truth.ts';

interface QuietOptions {
  readonly store: Store;
  readonly chain: SimulatedChain;
  readonly applications: readonly Application[];
  /** What tables have lost. */
  readonly loss: () => Loss;
  /**
   * Whether blocks that were final were replaced. Work that was repeated after that may have another transaction hash.
   */
  readonly wasTakenBack: () => boolean;
  readonly onViolation: (what: string) => void;
}

/** The transaction that decides a contract, a token or a change. */
type Deciding = Pick<PartChange, 'nonce' | 'transactionHash'>;

/** How much an application was allowed in a day, and how much it has used according to the day's count. */
export const checkLimits = ({ store, applications, loss, onViolation }: QuietOptions): void => {
  // The counts after the restored moment are lost.
  if (loss().hasHappened()) return;
  const made = new Map<string, number>();
  const add = (what: string): void => void made.set(what, (made.get(what) ?? 0) + 1);
  for (const { applicationId } of tokensIn(store)) add(`${applicationId} mints`);
  for (const { applicationId } of contractsIn(store)) add(`${applicationId} contracts`);
  for (const entry of entriesIn(store)) {
    if (!isKnownEntry(entry) || entry.supersedes !== undefined) continue;
    if (isUpdate(entry.purpose)) add(`${entry.purpose.applicationId} mints`);
  }
  const counted = store.items(stage.REQUESTS_TABLE);
  for (const { id, limits } of applications) {
    for (const [what, limit] of [
      ['mints', limits.mintsPerDay],
      ['contracts', limits.contractsPerDay],
    ] as const) {
      const count = counted.find(({ pk, sk }) => pk === `COUNT#${id}` && String(sk).endsWith(`#${what}`));
      const used = made.get(`${id} ${what}`) ?? 0;
      if (used > limit) onViolation(`${id} made ${used} ${what} of at most ${limit} a day`);
      if (used > numberIn(count, 'made'))
        onViolation(`${id} made ${used} ${what}, and ${numberIn(count, 'made')} are counted`);
    }
  }
};

/** `promised` is what callers were answered. */
export const checkPromises = (
  { store, chain, loss, wasTakenBack, onViolation }: QuietOptions,
  promised: readonly Answer[],
): void => {
  /**
   * Whether what decides this is lost: its signer, or only its entry in the log, which was made after the moment. An entry
   * that the log had at the moment comes back, whatever has happened to its nonce since.
   */
  const isOrphan = (contract: string, { nonce, transactionHash }: Deciding): boolean => {
    const signer = contractsIn(store).find(({ address }) => address === contract)?.signer;
    const wasAtMoment = (entry: LoggedEntry): boolean =>
      entry.signer === signer && entry.nonce === nonce && hashesOf(entry).includes(transactionHash);
    return (
      loss().hasHappened() &&
      !loss().entriesAtMoment().some(wasAtMoment) &&
      (signer === undefined ||
        loss().isLate({ signer, nonce }) ||
        !store.items(stage.SIGNERS_TABLE).some(({ pk }) => pk === signer) ||
        !entriesIn(store).some(
          (entry) =>
            entry.signer === signer && entry.nonce === nonce && hashesOf(entry).includes(transactionHash),
        ))
    );
  };

  /** Whether the log had the entry at the moment that was to make this. So it ends, whatever has become of later entries. */
  const wasInTheMaking = (made: (purpose: Purpose) => boolean): boolean =>
    loss()
      .entriesAtMoment()
      .some((entry) => isKnownEntry(entry) && entry.status === 'pending' && made(entry.purpose));
  const makes =
    ({ contract, tokenId }: Pick<Nft, 'contract' | 'tokenId'>) =>
    (purpose: Purpose): boolean =>
      mintsTokens(purpose) &&
      purpose.contract === contract &&
      mintedTokens(purpose).some((minted) => minted.tokenId === tokenId);

  /** Whether tables have lost a contract for good. Instances may remember it. */
  const isLost = (contract: string): boolean =>
    loss().hasHappened() && !contractsIn(store).some(({ address }) => address === contract);

  /**
   * What the chain has taken back is sent again, under its nonce. If the log has lost it meanwhile, a noop may have used
   * the nonce, and its decided work is not done again.
   */
  const mayBeGone = (): boolean => wasTakenBack() && loss().hasHappened();

  const checkTokens = (): void => {
    const made = new Map<string, number>();
    /** The names of tokens whose requests need not have made what they were promised. */
    const excused = new Set<string>();
    for (const token of tokensIn(store)) {
      const { contract, tokenId, status, destination, transactionHash, metadata } = token;
      const what = `Token ${tokenId} of ${contract.slice(0, 8)}`;
      const owner = chain.head().state.collections.get(contract)?.owners.get(BigInt(tokenId));
      const mints = mintsOf(chain, contract, BigInt(tokenId));
      // If ids were assigned that are on the chain already, or if the collection itself is lost, the stored tokens may
      // be wrong.
      const isStray = loss().isDisturbed(contract) || isLost(contract);
      if (isStray || loss().isYoung(token)) excused.add(metadata.name);
      if (isStray) continue;
      const isReturned = loss().hasReturned(token);
      if (mints.length > 1 && !isReturned) onViolation(`${what} was minted ${mints.length} times`);
      if (status === 'pending' && (!isOrphan(contract, token) || wasInTheMaking(makes(token))))
        onViolation(`${what} stays pending`);
      if (status === 'reserved' && mints.length > 0 && !isReturned)
        onViolation(`${what} is reserved but minted`);
      if (status === 'failed' && mints.length > 0 && !loss().isDisturbed(contract))
        onViolation(`${what} is failed but minted`);
      if (status === 'confirmed') {
        // Of a token that was claimed after the moment, it is not known which transaction minted it.
        const isNamed = transactionHash !== unminted.transactionHash || !loss().hasHappened();
        if (mints[0]?.mined.sent.hash !== transactionHash && isNamed && !wasTakenBack())
          onViolation(`${what} names a transaction that did not mint it`);
        const isRight = isBurnt(token) ? owner === undefined : owner === destination;
        if (!isRight && !loss().isChanged(token) && !mayBeGone()) onViolation(`${what} belongs to ${owner}`);
      }
      for (const field of changeFields) {
        const change = token[field];
        if (change?.status === 'pending' && !isOrphan(contract, change))
          onViolation(`The ${field} of ${what} stays pending`);
      }
      made.set(metadata.name, (made.get(metadata.name) ?? 0) + 1);
    }
    for (const { request, tokens: answered = [] } of promised) {
      const name = `Request ${request.id}`;
      const count = made.get(name) ?? 0;
      const isUnsure = (token: Nft): boolean =>
        loss().isYoung(token) || loss().isDisturbed(token.contract) || isLost(token.contract);
      if (excused.has(name) || answered.some(isUnsure)) continue;
      if (answered.length > 0 && count !== answered.length) {
        onViolation(`${name} was promised ${answered.length} tokens and made ${count}`);
      }
    }
  };

  const checkContracts = (): void => {
    for (const contract of contractsIn(store)) {
      const { address, status, royalty, royaltyChange, metadataChange, maxSupply, applicationId } = contract;
      const what = `Contract ${address.slice(0, 8)}`;
      const deployed = chain.head().state.collections.get(address);
      const deploys = (purpose: Purpose): boolean =>
        purpose.kind === 'deploy' && purpose.contract === address;
      if (status === 'pending' && isOrphan(address, contract) && !wasInTheMaking(deploys)) continue;
      if (status === 'pending') onViolation(`${what} stays pending`);
      if ((status === 'confirmed') !== (deployed !== undefined))
        onViolation(`${what} is ${status}, unlike on the chain`);
      for (const change of [royaltyChange, metadataChange]) {
        if (change?.status === 'pending' && !isOrphan(address, change))
          onViolation(`A change of ${what} stays pending`);
      }
      const isSettled = royaltyChange?.status === 'confirmed' || royaltyChange === undefined;
      if (isSettled && !loss().isChanged({ applicationId, address })) {
        const set = royaltyChange === undefined ? royalty : royaltyChange.royalty;
        const shown = set === null ? `0x${'0'.repeat(40)} 0` : `${set.receiver} ${set.basisPoints}`;
        if (deployed !== undefined && deployed.royalty !== shown)
          onViolation(`${what} has another royalty on the chain`);
      }
      if (maxSupply !== undefined && !loss().isDisturbed(address)) checkPlaces(contract, maxSupply);
      checkCounter(contract);
    }
  };

  /** A counter of token ids is never below an id that was used. */
  const checkCounter = ({ applicationId, address: contract }: Contract): void => {
    const Key = counterKey({ applicationId, contract });
    const counted = numberIn(store.get({ TableName: stage.NFTS_TABLE, Key }).Item, 'tokens');
    const own = tokensIn(store).filter((token) => token.contract === contract);
    // The chain does not show the ids of tokens that are burnt, nor those that it mints after the command has counted.
    const { countedAt = Infinity } = loss().placesOf({ applicationId, address: contract }, new Set());
    const minted = mintedIn(chain, contract);
    const owned = [...(chain.head().state.collections.get(contract)?.owners.keys() ?? [])]
      .map(String)
      .filter((id) => (minted.get(id) ?? 0) <= countedAt);
    const ids = [...own.map(({ tokenId }) => tokenId), ...owned].map(Number);
    const last = Math.max(0, ...ids);
    if (counted < last)
      onViolation(`Contract ${contract.slice(0, 8)} counts ${counted} ids and has token ${last}`);
  };

  /** A limited supply counts the tokens that the table promises or the chain has, each once. */
  const checkPlaces = ({ applicationId, address }: Contract, maxSupply: number): void => {
    const what = `Contract ${address.slice(0, 8)}`;
    const own = tokensIn(store).filter(({ contract, status }) => contract === address && status !== 'failed');
    const minted = mintedIn(chain, address);
    const ids = new Set(own.map(({ tokenId }) => tokenId));
    const used = new Set([...minted.keys(), ...ids]);
    // A mint that nothing decides any more may have failed, and its places may be free again.
    const open = own.filter(
      ({ tokenId, status, ...token }) =>
        status === 'pending' && !minted.has(tokenId) && isOrphan(address, token),
    ).length;
    const counter = store.get({
      TableName: stage.NFTS_TABLE,
      Key: counterKey({ applicationId, contract: address }),
    }).Item;
    const [taken, marked] = [numberIn(counter, 'taken'), markedIn(counter)];
    const { unsure, leaked, countedAt = Infinity } = loss().placesOf({ applicationId, address }, used);
    // The command counts lost tokens by their owners, of the block that is final then.
    const owners = chain.head().state.collections.get(address)?.owners;
    const isCounted = ([id, height]: readonly [string, number]): boolean =>
      ids.has(id) || (owners?.has(BigInt(id)) === true && height <= countedAt);
    const uncounted = countedAt === Infinity ? 0 : [...minted].filter((token) => !isCounted(token)).length;
    if (used.size > maxSupply + unsure + uncounted)
      onViolation(`${what} has ${used.size} tokens of at most ${maxSupply}`);
    if (taken < used.size - open - uncounted - unsure || taken - marked > used.size + unsure + leaked) {
      onViolation(
        `${what} has ${taken} places taken, ${marked} of them marked, for ${used.size} tokens, ${minted.size} of them on the chain`,
      );
    }
  };

  const checkClaims = (): void => {
    const claims = entriesIn(store).flatMap(({ purpose, status }) =>
      purpose.kind === 'claim' ? [{ ...purpose, status }] : [],
    );
    // A process that was suspended may have filled the nonce of a lost entry with a noop, so that it does not come back.
    const isAnyFilled = entriesIn(store).some(
      (entry) => entry.purpose.kind === 'noop' && loss().isLate(entry),
    );
    for (const { request, claimed } of promised) {
      if (claimed === undefined || loss().isClaimYoung(claimed) || isAnyFilled) continue;
      const { contract, tokenId, destination } = claimed;
      const own = claims.filter(
        (claim) =>
          claim.contract === contract && claim.tokenId === tokenId && claim.destination === destination,
      );
      if (own.length === 0) onViolation(`Request ${request.id} was promised a claim that is not recorded`);
    }
  };

  /** What the log had at the moment is there. A noop that has filled its nonce meanwhile is not; other work may be. */
  const checkLog = (): void => {
    const own = new Map(entriesIn(store).map((entry) => [`${entry.signer} ${entry.nonce}`, entry]));
    for (const { signer, nonce, purpose } of loss().entriesAtMoment()) {
      const now = own.get(`${signer} ${nonce}`)?.purpose.kind ?? 'noop';
      if (now === 'noop' && purpose.kind !== 'noop')
        onViolation(`Nonce ${nonce} of ${signer.slice(-2)} (${purpose.kind}) has not come back`);
    }
  };

  checkLog();
  checkTokens();
  checkContracts();
  checkClaims();
};
