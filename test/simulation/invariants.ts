/** The promises that must hold at each step, and when all is quiet: *What always holds* of docs/transactions.md. */

import { isDeepStrictEqual } from 'node:util';
import { collectionOf } from '../../shared/nft/store/nft-items.ts';
import {
  addressOfSigner,
  hashesOf,
  isKnownEntry,
  type LoggedEntry,
} from '../../shared/nft/transactions/entry.ts';
import type { Application } from '../../shared/platform/applications/application.ts';
import type { Answer } from './answer.ts';
import type { Sent, SimulatedChain } from './chain.ts';
import type { Item } from './expressions.ts';
import type { Loss } from './loss.ts';
import type { Written } from './past.ts';
import type { Process } from './process.ts';
import { checkLimits, checkPromises } from './quiet.ts';
import { type HolderOf, mistakesOf } from './reservations/invariants.ts';
import { stage } from './service.ts';
import type { Store } from './store.ts';
import { contractsIn, entriesIn, entryOf, nameOf, numberIn, tokensIn } from './stored.ts';
import { didWork, findMined, isDone } from './truth.ts';

interface InvariantsOptions {
  /** Whether tokens are only reserved and claimed in this world. */
  readonly isPure: boolean;
  readonly holderOf: HolderOf;
  readonly hasStruck: () => boolean;
  readonly store: Store;
  readonly chain: SimulatedChain;
  /** What tables have lost. */
  readonly loss: () => Loss;
  /** Whether blocks that were final were replaced, so that work that was decided is being done again. */
  readonly wasTakenBack: () => boolean;
  /** Whether an outsider has used a key, so that the work may be impossible to repeat. */
  readonly wasKeyUsed: () => boolean;
  readonly applications: readonly Application[];
  readonly onViolation: (what: string) => void;
}

/** The counts of a signer's item, which never fall. */
const risingCounts = [
  'nextNonce',
  'minedCount',
  'finalizedCount',
  'finalizedHeight',
  'costedThrough',
] as const;

/** What a request writes that creates or changes something. */
const requestTables: ReadonlySet<string> = new Set([
  stage.CONTRACTS_TABLE,
  stage.NFTS_TABLE,
  stage.TRANSACTIONS_TABLE,
  stage.REQUESTS_TABLE,
]);

const hashesIn = (item: Item): string[] =>
  (item.attempts as readonly { readonly hash: string }[]).map(({ hash }) => hash);

const isNoop = ({ purpose }: Item): boolean => (purpose as { readonly kind?: unknown }).kind === 'noop';

export const createInvariants = (options: InvariantsOptions) => {
  const { store, chain, wasTakenBack, wasKeyUsed, onViolation, loss } = options;
  const answers = new Map<number, string>();
  const promised: Answer[] = [];
  /** The request that was promised each token. */
  const promisedTo = new Map<string, number>();
  /** Hashes of attempts that were in the log until a restored entry replaced theirs. */
  const replaced = new Set<string>();

  const checkSigner = ({ before, after }: Written): void => {
    if (before === undefined) return;
    for (const count of risingCounts) {
      if (numberIn(after, count) < numberIn(before, count)) onViolation(`The ${count} of a signer fell`);
    }
  };

  /** Checks that the outcome of an entry is the one on the chain, up to the block that is final now. */
  const checkOutcome = (entry: LoggedEntry): void => {
    if (!isKnownEntry(entry) || wasTakenBack()) return;
    const { purpose, status, minedHash, signer, nonce } = entry;
    const mined = minedHash === undefined ? undefined : findMined(chain, minedHash);
    const isFinal = mined !== undefined && mined.block.number <= chain.finalHeight();
    // Of two transactions that mint the same id, either may count as the one that did it.
    const isTaken = 'contract' in purpose && loss().isDisturbed(purpose.contract);
    if (status === 'confirmed') {
      if (!isFinal)
        onViolation(`${nameOf(entry)} is confirmed by ${minedHash}, which is not final on the chain`);
      else if (!didWork(mined, entry) && !isTaken)
        onViolation(`${nameOf(entry)} is confirmed by a transaction that did not do it`);
    }
    if (status === 'failed') {
      const own = hashesOf(entry).flatMap((hash) => findMined(chain, hash) ?? []);
      const isMade =
        own.some((one) => didWork(one, entry)) || // After a loss, an earlier entry may come back and do the work again.
        (!loss().hasHappened() && isDone(chain, entry, chain.head().number) === true);
      if (isMade && purpose.kind !== 'noop' && !isTaken) onViolation(`${nameOf(entry)} is failed but done`);
      const final = chain.branch()[chain.finalHeight()];
      if (final !== undefined && chain.countAt(final, addressOfSigner(signer)) <= nonce) {
        onViolation(`${nameOf(entry)} is failed while its transaction may still be mined`);
      }
    }
    if (status === 'superseded' && purpose.kind !== 'noop' && mined !== undefined) {
      onViolation(`${nameOf(entry)} is superseded and has an outcome`);
    }
  };

  const checkEntry = ({ before, after }: Written): void => {
    if (after === undefined) {
      onViolation('An entry was deleted');
      return;
    }
    if (before === undefined) return;
    // A restored entry replaces the noop that has filled its nonce.
    const isReplaced = loss().hasHappened() && (before.status === 'superseded' || isNoop(before));
    const [old, now] = [hashesIn(before), hashesIn(after)];
    for (const hash of isReplaced ? old : []) replaced.add(hash);
    if (!isReplaced && old.some((hash, index) => now[index] !== hash))
      onViolation(`An attempt of nonce ${after.nonce} was removed`);
    if (before.status === after.status) return;
    if (!isReplaced && before.status !== 'pending') {
      onViolation(`The status of nonce ${after.nonce} changed from ${before.status} to ${after.status}`);
    }
    checkOutcome(entryOf(after));
  };

  const checkToken = ({ before, after }: Written): void => {
    if (after === undefined || after.status === undefined) return;
    const mayComeBack = loss().hasHappened();
    if (after.reservedFor !== undefined)
      for (const what of mistakesOf(before, after, { mayComeBack, holderOf: options.holderOf }))
        onViolation(what);
    if (before?.status === after.status) return;
    // The restored token replaces a later one, which took its id.
    const isBack = before?.status === 'failed' && loss().isDisturbed(collectionOf(after.pk).contract);
    if (before !== undefined && before.status !== 'pending' && before.status !== 'reserved' && !isBack) {
      onViolation(
        `The status of token ${after.pk} ${after.sk} changed from ${before.status} to ${after.status}`,
      );
    }
    if (
      after.status === 'pending' &&
      !loss().hasHappened() &&
      !entriesIn(store).some(({ nonce, status }) => nonce === after.nonce && status === 'pending')
    ) {
      onViolation(`Token ${after.pk} ${after.sk} was recorded without its entry`);
    }
  };

  const checkKey = ({ before, after }: Written): void => {
    if (before?.state === 'done' && !isDeepStrictEqual(after, before) && !loss().hasHappened())
      onViolation(`The result of the key ${before.pk} ${before.sk} changed`);
  };

  let isWrittenNothing = false;
  store.watch((written) => {
    if (isWrittenNothing && requestTables.has(written.table))
      onViolation(`A repeated request writes ${written.table} ${JSON.stringify(written.after)}`);
    switch (written.table) {
      case stage.REQUESTS_TABLE:
        return checkKey(written);
      case stage.SIGNERS_TABLE:
        return checkSigner(written);
      case stage.TRANSACTIONS_TABLE:
        return checkEntry(written);
      case stage.NFTS_TABLE:
        return checkToken(written);
    }
  });

  /**
   * Some entries are never decided: those with a nonce that was already final when its entry was lost, such as a noop,
   * or a transaction that a suspended process records. The transactions of a lost signer wait for its next transaction,
   * and so does a transaction that a suspended process records with a nonce from before the loss.
   */
  const isIdle = ({ purpose, signer, nonce }: LoggedEntry): boolean => {
    if (!loss().hasHappened()) return false;
    const item = store.items(stage.SIGNERS_TABLE).find(({ pk }) => pk === signer);
    const isLate = purpose.kind === 'noop' || loss().isLate({ signer, nonce });
    const isOpen = numberIn(item, 'finalizedCount') <= nonce && nonce < numberIn(item, 'nextNonce');
    return item === undefined || (isLate && !isOpen);
  };

  const unfinishedSigners = (): string[] =>
    store.items(stage.SIGNERS_TABLE).flatMap((item) => {
      const mined = chain.countAt(chain.head(), addressOfSigner(String(item.pk)));
      const { nextNonce, finalizedCount, reopened } = item;
      return nextNonce === finalizedCount && nextNonce === mined && reopened === undefined
        ? []
        : [
            `${String(item.pk).slice(-2)}: next nonce ${nextNonce}, final ${finalizedCount}, on the chain ${mined}, reopened ${[...(reopened instanceof Set ? reopened : [])].join()}`,
          ];
    });

  return {
    onAnswer: (answer: Answer): void => {
      const { request, contract, tokens: answered } = answer;
      promised.push(answer);
      const said = JSON.stringify([contract?.address, answered?.map(({ tokenId }) => tokenId)]);
      const before = answers.get(request.id);
      if (before !== undefined && before !== said && !loss().hasForgottenKeys()) {
        onViolation(`Request ${request.id} was answered with ${before}, then with ${said}`);
      }
      answers.set(request.id, said);
      for (const token of answered ?? []) {
        // An instance may remember a contract that tables have lost for good.
        const isKnown = contractsIn(store).some(({ address }) => address === token.contract);
        const name = `${token.contract} ${token.tokenId}`;
        const other = promisedTo.get(name) ?? request.id;
        promisedTo.set(name, other);
        if (other !== request.id && isKnown && !loss().isDisturbed(token.contract))
          onViolation(`Requests ${other} and ${request.id} were promised the same token ${token.tokenId}`);
        if (loss().hasHappened() && (!isKnown || loss().wasLost(token))) continue;
        const isStored = tokensIn(store).some(
          (one) => one.contract === token.contract && one.tokenId === token.tokenId,
        );
        if (!isStored)
          onViolation(`Request ${request.id} was promised token ${token.tokenId}, which is not recorded`);
      }
    },
    /** Checks that only transactions in the log are sent. */
    onSent: (sent: Sent, process: Process): void => {
      const item = store
        .items(stage.TRANSACTIONS_TABLE)
        .find(({ signer, nonce }) => nonce === sent.nonce && String(signer).endsWith(sent.from));
      const isKnown = item !== undefined && hashesIn(item).includes(sent.hash);
      if (!isKnown && !replaced.has(sent.hash) && !loss().wasLogged(sent.hash)) {
        onViolation(`${process.name} sent a transaction of nonce ${sent.nonce} that is not in the log`);
      }
    },
    /** When all is quiet: checks that `repeat`, which sends requests again whose keys have results, changes nothing. */
    whileNothingIsWritten: async (repeat: () => Promise<void>): Promise<void> => {
      isWrittenNothing = true;
      await repeat();
      isWrittenNothing = false;
    },
    unfinished: (): string[] => [
      ...unfinishedSigners(),
      ...entriesIn(store)
        .filter((entry) => entry.status === 'pending' && !isIdle(entry))
        .map(nameOf),
    ],
    /** When all is quiet. */
    checkAll: (): void => {
      checkLimits(options);
      if (options.isPure && !options.hasStruck()) {
        for (const entry of entriesIn(store)) {
          if (entry.purpose.kind === 'noop')
            onViolation(`${nameOf(entry)} fills a nonce, although nothing failed`);
        }
      }
      if (wasTakenBack() && wasKeyUsed()) return;
      for (const entry of entriesIn(store)) checkOutcome(entry);
      checkPromises(options, promised);
    },
  };
};
