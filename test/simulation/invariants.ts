/** What must hold, at each step and when all is quiet: *What always holds* of docs/transactions.md. */

import { contractSchema } from '../../shared/nft/collection/contract.ts';
import { addressOfSigner, isKnownEntry, type LoggedEntry } from '../../shared/nft/entry.ts';
import { nftOf } from '../../shared/nft/store/nft-items.ts';
import { parseEntry } from '../../shared/nft/store/transaction-items.ts';
import type { Answer } from './callers.ts';
import type { Sent, SimulatedChain } from './chain.ts';
import type { Item } from './expressions.ts';
import type { Process } from './process.ts';
import { stage } from './service.ts';
import type { Store, Written } from './store.ts';
import { didWork, findMined, isDone, mintsOf } from './truth.ts';

interface InvariantsOptions {
  readonly store: Store;
  readonly chain: SimulatedChain;
  /** Whether final blocks were taken back, so that what was decided may have to be done again. */
  readonly wasTakenBack: () => boolean;
  readonly onViolation: (what: string) => void;
}

const numberIn = (item: Item | undefined, name: string): number => Number(item?.[name] ?? 0);

/** The counts of a signer's item, which never fall. */
const risingCounts = [
  'nextNonce',
  'minedCount',
  'finalizedCount',
  'finalizedHeight',
  'costedThrough',
] as const;

const hashesIn = (item: Item): string[] =>
  (item.attempts as readonly { readonly hash: string }[]).map(({ hash }) => hash);

const name = ({ signer, nonce, purpose, status }: LoggedEntry): string =>
  `nonce ${nonce} of ${signer.slice(-2)} (${purpose.kind}, ${status})`;

export const createInvariants = ({ store, chain, wasTakenBack, onViolation }: InvariantsOptions) => {
  const answers = new Map<number, string>();
  const promised: Answer[] = [];

  const entries = (): LoggedEntry[] =>
    store.items(stage.TRANSACTIONS_TABLE).map((item) => parseEntry({ ...item }));

  const checkSigner = ({ before, after }: Written): void => {
    if (before === undefined) return;
    for (const count of risingCounts) {
      if (numberIn(after, count) < numberIn(before, count)) onViolation(`The ${count} of a signer fell`);
    }
  };

  /** The outcome of an entry is that of the chain, up to the block that is final now. */
  const checkOutcome = (entry: LoggedEntry): void => {
    if (!isKnownEntry(entry) || wasTakenBack()) return;
    const { purpose, status, minedHash, signer, nonce } = entry;
    const mined = minedHash === undefined ? undefined : findMined(chain, minedHash);
    const isFinal = mined !== undefined && mined.block.number <= chain.finalHeight();
    if (status === 'confirmed') {
      if (!isFinal)
        onViolation(`${name(entry)} is confirmed by ${minedHash}, which is not final on the chain`);
      else if (!didWork(mined, entry))
        onViolation(`${name(entry)} is confirmed by a transaction that did not do it`);
    }
    if (status === 'failed') {
      if (isDone(chain, entry, chain.head().number) === true)
        onViolation(`${name(entry)} is failed but done`);
      const final = chain.branch()[chain.finalHeight()];
      if (final !== undefined && chain.countAt(final, addressOfSigner(signer)) <= nonce) {
        onViolation(`${name(entry)} is failed while its transaction may still be mined`);
      }
    }
    if (status === 'superseded' && purpose.kind !== 'noop' && mined !== undefined) {
      onViolation(`${name(entry)} is superseded and has an outcome`);
    }
  };

  const checkEntry = ({ before, after }: Written): void => {
    if (after === undefined) {
      onViolation('An entry was deleted');
      return;
    }
    if (before === undefined) return;
    const [old, now] = [hashesIn(before), hashesIn(after)];
    if (old.some((hash, index) => now[index] !== hash))
      onViolation(`An attempt of nonce ${after.nonce} was removed`);
    if (before.status === after.status) return;
    if (before.status !== 'pending') {
      onViolation(`The status of nonce ${after.nonce} changed from ${before.status} to ${after.status}`);
    }
    checkOutcome(parseEntry({ ...after }));
  };

  const checkToken = ({ before, after }: Written): void => {
    if (after === undefined || after.status === undefined || before?.status === after.status) return;
    if (before !== undefined && before.status !== 'pending') {
      onViolation(
        `The status of token ${after.pk} ${after.sk} changed from ${before.status} to ${after.status}`,
      );
    }
    if (
      before === undefined &&
      !entries().some(({ nonce, status }) => nonce === after.nonce && status === 'pending')
    ) {
      onViolation(`Token ${after.pk} ${after.sk} was recorded without its entry`);
    }
  };

  store.watch((written) => {
    switch (written.table) {
      case stage.SIGNERS_TABLE:
        return checkSigner(written);
      case stage.TRANSACTIONS_TABLE:
        return checkEntry(written);
      case stage.NFTS_TABLE:
        return checkToken(written);
    }
  });

  const tokens = () =>
    store
      .items(stage.NFTS_TABLE)
      .filter(({ status }) => status !== undefined)
      .map((item) => nftOf({ ...item }));
  const contracts = () => store.items(stage.CONTRACTS_TABLE).map((item) => contractSchema.parse(item));

  const unsettledSigners = (): string[] =>
    store.items(stage.SIGNERS_TABLE).flatMap((item) => {
      const mined = chain.countAt(chain.head(), addressOfSigner(String(item.pk)));
      const { nextNonce, finalizedCount } = item;
      return nextNonce === finalizedCount && nextNonce === mined
        ? []
        : [
            `${String(item.pk).slice(-2)}: next nonce ${nextNonce}, final ${finalizedCount}, on the chain ${mined}`,
          ];
    });

  const checkTokens = (): void => {
    const made = new Map<string, number>();
    for (const {
      contract,
      tokenId,
      status,
      destination,
      revocation,
      transactionHash,
      metadata,
    } of tokens()) {
      const what = `Token ${tokenId} of ${contract.slice(0, 8)}`;
      const owner = chain.head().state.collections.get(contract)?.owners.get(BigInt(tokenId));
      const mints = mintsOf(chain, contract, BigInt(tokenId));
      if (mints.length > 1) onViolation(`${what} was minted ${mints.length} times`);
      if (status === 'pending') onViolation(`${what} stays pending`);
      if (status === 'failed' && mints.length > 0) onViolation(`${what} is failed but minted`);
      if (status === 'confirmed') {
        if (mints[0]?.mined.sent.hash !== transactionHash)
          onViolation(`${what} names a transaction that did not mint it`);
        if (revocation?.status === 'confirmed' ? owner !== undefined : owner !== destination) {
          onViolation(`${what} belongs to ${owner}`);
        }
      }
      if (revocation?.status === 'pending') onViolation(`The revocation of ${what} stays pending`);
      made.set(metadata.name, (made.get(metadata.name) ?? 0) + 1);
    }
    for (const { request, tokens: answered = [] } of promised) {
      const count = made.get(`Request ${request.id}`) ?? 0;
      if (answered.length > 0 && count !== answered.length) {
        onViolation(`Request ${request.id} was promised ${answered.length} tokens and made ${count}`);
      }
    }
  };

  const checkContracts = (): void => {
    for (const {
      address,
      status,
      royalty,
      royaltyChange,
      metadataChange,
      maxSupply,
      application,
    } of contracts()) {
      const what = `Contract ${address.slice(0, 8)}`;
      const deployed = chain.head().state.collections.get(address);
      if (status === 'pending') onViolation(`${what} stays pending`);
      if ((status === 'confirmed') !== (deployed !== undefined))
        onViolation(`${what} is ${status}, unlike on the chain`);
      for (const change of [royaltyChange, metadataChange]) {
        if (change?.status === 'pending') onViolation(`A change of ${what} stays pending`);
      }
      if (royaltyChange?.status === 'confirmed' || royaltyChange === undefined) {
        const set = royaltyChange === undefined ? royalty : royaltyChange.royalty;
        const shown = set === null ? `0x${'0'.repeat(40)} 0` : `${set.receiver} ${set.basisPoints}`;
        if (deployed !== undefined && deployed.royalty !== shown)
          onViolation(`${what} has another royalty on the chain`);
      }
      if (maxSupply === undefined) continue;
      const own = tokens().filter(({ contract }) => contract === address);
      const live = own.filter((token) => token.status !== 'failed').length;
      if (live > maxSupply) onViolation(`${what} has ${live} tokens of at most ${maxSupply}`);
      const counter = store.get({
        TableName: stage.NFTS_TABLE,
        Key: { pk: `${application}#${address}#counter`, sk: 'counter' },
      }).Item;
      const marked = Object.keys(counter ?? {})
        .filter((attribute) => attribute.startsWith('places#'))
        .reduce((sum, mark) => sum + Number(mark.split('#')[2]), 0);
      const taken = numberIn(counter, 'taken');
      if (taken < live || taken - marked > live) {
        onViolation(`${what} has ${taken} places taken, ${marked} of them marked, for ${live} tokens`);
      }
    }
  };

  return {
    onAnswer: (answer: Answer): void => {
      const { request, contract, tokens: answered } = answer;
      promised.push(answer);
      const said = JSON.stringify([contract?.address, answered?.map(({ tokenId }) => tokenId)]);
      const before = answers.get(request.id);
      if (before !== undefined && before !== said) {
        onViolation(`Request ${request.id} was answered with ${before}, then with ${said}`);
      }
      answers.set(request.id, said);
      for (const token of answered ?? []) {
        const isStored = tokens().some(
          (one) => one.contract === token.contract && one.tokenId === token.tokenId,
        );
        if (!isStored)
          onViolation(`Request ${request.id} was promised token ${token.tokenId}, which is not recorded`);
      }
    },
    /** Only transactions of the log are sent. */
    onSent: (sent: Sent, process: Process): void => {
      const item = store
        .items(stage.TRANSACTIONS_TABLE)
        .find(({ signer, nonce }) => nonce === sent.nonce && String(signer).endsWith(sent.from));
      if (item === undefined || !hashesIn(item).includes(sent.hash)) {
        onViolation(`${process.name} sent a transaction of nonce ${sent.nonce} that is not in the log`);
      }
    },
    unsettled: (): string[] => [
      ...unsettledSigners(),
      ...entries()
        .filter(({ status }) => status === 'pending')
        .map(name),
    ],
    /** When all is quiet. */
    checkAll: (): void => {
      for (const entry of entries()) checkOutcome(entry);
      checkTokens();
      checkContracts();
    },
  };
};
